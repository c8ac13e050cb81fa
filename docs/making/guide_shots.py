"""Pictures for the user guide, small enough for a repository, and the one that moves.

`python docs/making/guide_shots.py --into docs/pictures` takes them all; `--animation` only the
live convergence.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from animated import apng, png
from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from shots import Photographer

from coterie.core.api.context import Frame
from coterie.core.model.recipes import Step
from coterie.gui.app.application import make_application
from coterie.gui.dialogs.sweep.dialog import SweepDialog
from coterie.gui.dialogs.sweep.state import AxisChoice

SIZE = QSize(1280, 800)
MOVING_WIDTH = 960
MOVING_VIEWS = (("Embedding", QSize(600, 500)), ("Convergence", QSize(600, 500)))
MOST_FRAMES = 48  # a busy machine takes more, and the file would grow past a megabyte
CALM_FRAMES = 12
FRAME_MILLISECONDS = 100
SLOW, FAST = 8.0, 220.0  # iterations a second: where a set begins to form, and afterwards
_FORMAT = QImage.Format.Format_RGB32
TWO_WIDTHS = (
    Step("scaled", "transform/minmax", ("data",)),
    Step("similarity", "kernel/gaussian", ("scaled",), {"sigma": 0.2}),
    Step("groups", "clusterer/dominant-sets", ("similarity",), {"k": 3, "rest": "transduction"}),
)


class GuidePhotographer(Photographer):
    """Takes the pictures of the guide, in the order in which the guide shows them."""

    def take_all(self) -> None:
        """Take the whole series."""
        self.shoot("guide-start")
        self._shoot_import()
        self._open("iris")
        self.shoot("guide-ready")
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)
        self.session.selection.update([60])
        for title in ("Embedding", "Data", "Ranking", "Profile", "Compare", "Affinity"):
            self.window.tabs.bring_forward(title)
            self.shoot(f"guide-{title.lower()}")
        self._shoot_sweep()
        self._shoot_answer()
        self.take_games()
        self._open("spirals")
        self._shoot_while_converging()
        self._until(lambda: not self.session.busy)
        self._shoot_spectrum()
        self._shoot_cut()
        self._shoot_learned()
        self._shoot_scene()

    def shoot(self, name: str, dialog: QWidget | None = None) -> None:
        """Keep a picture in few colours; names of the other series are renamed to the guide's."""
        super().shoot(name, dialog)
        taken = self._into / f"{name}-{self._scheme}.png"
        short = name.removeprefix("spirals-").removeprefix("guide-")
        save_small(QImage(str(taken)), self._into / f"guide-{short}.png")
        taken.unlink()

    def take_games(self) -> None:
        """A certified set, a phase portrait, a grown set, and which widths give stable groups."""
        self._open("arcs")
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)
        groups: Any = self.session.results.artefact("groups")
        self.session.selection.update(groups.membership[:, 0] > 0)
        self.window.tabs.bring_forward("Embedding")
        bench = self.window.workbench
        assert bench is not None
        bench.docks["Inspector"].raise_()
        bench.inspector.certify.setChecked(True)
        self._wait(3.0)
        self.shoot("guide-certificate")
        bench.inspector.certify.setChecked(False)
        self.window.tabs.bring_forward("Convergence")
        view: Any = self.window.tabs.current_view()
        view.manner.setCurrentIndex(view.manner.findText("Three strategies"))
        view.manner.activated.emit(view.manner.currentIndex())
        self._wait(1.0)
        self.shoot("guide-phase-portrait")
        self.window.tabs.bring_forward("Embedding")
        self.session.selection.update([40])
        self.window.menus.actions["use-grow"].trigger()
        self._until(lambda: not self.session.busy)
        self._wait(1.0)
        self.shoot("guide-grown")
        self._shoot_stability()

    def _shoot_stability(self) -> None:
        """A sweep over parameters of two steps, scored without known classes."""
        self._open("iris")
        self.session.edits.replace(replace(self.session.recipe, steps=TWO_WIDTHS), "two widths")
        dialog = SweepDialog(self.session, "similarity", self.window)
        dialog.state.set_axis(0, AxisChoice("sigma", "by factors", 0.05, 2, 6))
        dialog.state.set_axis(1, AxisChoice("groups.rest_sigma", "by factors", 0.01, 1, 6))
        dialog.state.score = "metric/stability"
        dialog.score.setCurrentIndex(list(dialog.state.scores).index(dialog.state.score))
        dialog.first.synchronize()
        dialog.second.synchronize()
        dialog.resize(1060, 620)
        dialog.show()
        dialog.run.click()
        self._until(lambda: not self.session.busy)
        self.shoot("guide-stability", dialog)
        dialog.close()

    def _shoot_answer(self) -> None:
        """A table of which nothing is known: the answer in words, and what else was found."""
        from sklearn.datasets import load_wine

        wine = load_wine()
        table = Path(tempfile.mkdtemp()) / "wines.csv"
        rows = [[f"wine {i + 1}", *values] for i, values in enumerate(wine.data.tolist())]
        names = ["wine", *wine.feature_names]
        table.write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]))
        self.window.documents.open_now(str(table), table)
        self._until(lambda: not self.session.busy)
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)
        for title in ("Summary", "Methods"):
            self.window.tabs.bring_forward(title)
            self._wait(2.0)
            self.shoot(f"guide-{title.lower()}")

    def take_animation(self) -> None:
        """Let replicator dynamics run slowly and keep what two views show of it, side by side."""
        self._open("spirals")
        session = self.session
        groups = session.recipe.step("groups")
        # A wide tolerance: a person has seen the point of it long before all shares are exact.
        slow = {**groups.params, "dynamics": "replicator", "tolerance": 0.02}
        session.edits.replace(
            session.recipe.changed("groups", params=slow), "watch replicator dynamics"
        )
        session.run("view")  # the points are there before their groups are
        self._until(lambda: not session.busy)
        views = [self._alone(title, size) for title, size in MOVING_VIEWS]
        pictures = self._follow(views)
        self._wait(0.5)
        pictures += [_side_by_side(views)]
        path = self._into / "convergence.png"
        path.write_bytes(apng(pictures, FRAME_MILLISECONDS))
        print(f"{path}: {len(pictures)} pictures, {path.stat().st_size / 1000:.0f} kB")

    def _follow(self, views: Sequence[QWidget]) -> list[QImage]:
        """Run all steps, slowly where a set begins to form, and keep pictures of it."""
        session = self.session
        phases: list[str] = []

        def on_frame(_step: str, frame: Frame) -> None:
            if frame.phase not in phases:
                phases.append(frame.phase)

        session.framed.connect(on_frame)
        session.scheduler.set_speed(SLOW)
        self.window.commands.run_all()
        self._until(lambda: not session.busy or _is_clustering(session))
        pictures: list[QImage] = []
        seen, begun = 0, 0
        while session.busy and len(pictures) < MOST_FRAMES:
            self._wait(FRAME_MILLISECONDS / 1000)
            pictures.append(_side_by_side(views))
            if len(phases) > seen:
                seen, begun = len(phases), len(pictures)
            session.scheduler.set_speed(SLOW if len(pictures) - begun < CALM_FRAMES else FAST)
        session.framed.disconnect(on_frame)
        session.scheduler.set_speed(0)
        self._until(lambda: not session.busy)
        return pictures

    def _alone(self, title: str, size: QSize) -> QWidget:
        """Give a view a window of its own, as a person would."""
        tabs = self.window.tabs
        tabs.bring_forward(title)
        view = tabs.current_view()
        assert view is not None
        tabs.tear_off(tabs.currentIndex())
        tabs.windows[view].resize(size)
        self._wait(0.3)
        return tabs.windows[view]


def _side_by_side(views: Sequence[QWidget]) -> QImage:
    """Return one picture of several windows, small enough to be sent often."""
    taken = [view.grab() for view in views]
    whole = QImage(sum(one.width() for one in taken), max(one.height() for one in taken), _FORMAT)
    painter = QPainter(whole)
    at = 0
    for one in taken:
        painter.drawPixmap(at, 0, one)
        at += one.width()
    painter.end()
    return whole.scaledToWidth(MOVING_WIDTH, Qt.TransformationMode.SmoothTransformation)


def _is_clustering(session: object) -> bool:
    job = getattr(session, "running", None)
    return job is not None and "clusterer" in job.component


def save_small(picture: QImage, path: Path) -> None:
    """Save a picture in few colours and say how large it is."""
    path.write_bytes(png(picture))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python docs/making/guide_shots.py", description=__doc__)
    parser.add_argument("--into", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--animation", action="store_true", help="only the one that moves")
    parser.add_argument("--games", action="store_true", help="only those of dominant sets")
    asked = parser.parse_args(arguments)
    app = make_application("light")
    # What the person at this machine has set and opened does not belong into a picture.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    asked.into.mkdir(parents=True, exist_ok=True)
    # Each its own window: what one has computed, the other would not compute again.
    series = [GuidePhotographer.take_games if asked.games else GuidePhotographer.take_animation]
    if not asked.animation and not asked.games:
        series.insert(0, GuidePhotographer.take_all)
    for take in series:
        photographer = GuidePhotographer(app, asked.into, "light", SIZE)
        try:
            take(photographer)
        finally:
            photographer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
