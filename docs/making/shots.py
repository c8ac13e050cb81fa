"""Pictures of the real window on the samples, computed by the real engine.

`python docs/making/shots.py --into build/screens` leaves a PNG for each state of the window;
`--pictures` draws the samples of the start page instead.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QSettings, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from coterie.core.model.recipes import Step
from coterie.gui.app.application import (
    NEEDED_LATER,
    make_application,
    parse_size,
    session_maker,
)
from coterie.gui.app.main_window import MainWindow
from coterie.gui.app.start_page import PICTURES
from coterie.gui.views.affinity.view import AffinityView
from coterie.gui.views.convergence.view import ConvergenceView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.report.view import ReportView

if TYPE_CHECKING:
    from coterie.projects.session import Session

PATIENCE_SECONDS = 60.0
SETTLE_SECONDS = 0.6
TURN_SECONDS = 0.01
SPECTRUM = (
    Step("similarity", "kernel/probabilistic-cluster", ("data",), {"initialisations": 5}),
    Step("groups", "clusterer/joint", ("similarity",), {"k": 0}),
)
CUT = (
    Step("scaled", "transform/minmax", ("data",)),
    Step("graph", "graph/variable-bandwidth", ("scaled",)),
    Step("groups", "clusterer/isoperimetric", ("graph",), {"k": 3}),
)
LEARNED = (
    Step("some", "transform/sample", ("data",), {"size": 500, "balanced_by": "truth"}),
    Step("reduced", "transform/svd", ("some",), {"components": 20}),
    Step("similarity", "kernel/probabilistic-cluster", ("reduced",), {"initialisations": 10}),
    Step("map", "embedder/joint", ("similarity",), {"components": 0}),
    Step("groups", "clusterer/joint", ("similarity",), {"k": 10}),
    Step("typical", "ranker/joint", ("map", "similarity", "groups"), {"scope": "within-cluster"}),
)


class Photographer:
    """Drives one window through its states and keeps a picture of each."""

    def __init__(self, app: QApplication, into: Path, scheme: str, size: QSize) -> None:
        self._app, self._into, self._scheme = app, into, scheme
        for name in NEEDED_LATER:  # as the program does: two threads may not import these at once
            import_module(name)
        self.window = MainWindow(session_maker(), size)
        self.window.show()
        self.window.documents.ensure_session()
        self._until(lambda: bool(self.session.catalogue.methods))

    @property
    def session(self) -> Session:
        """The window's session."""
        return self.window.documents.ensure_session()

    def shoot(self, name: str, dialog: QWidget | None = None) -> None:
        """Keep a picture of the window as it is now, with a dialog in front of it."""
        self._wait(SETTLE_SECONDS)
        view = self.window.tabs.current_view()
        if isinstance(view, AffinityView):  # a busy machine takes longer to draw the matrix
            state = view.state
            self._until(lambda: bool(state.picture is not None or state.emptiness))
            self._wait(SETTLE_SECONDS)
        self._into.mkdir(parents=True, exist_ok=True)
        dense = self.window.devicePixelRatio()
        path = self._into / f"{name}-{self._scheme}{f'-{dense:g}x' if dense != 1 else ''}.png"
        picture = self.window.grab()
        if dialog is not None:
            painter = QPainter(picture)
            painter.fillRect(self.window.rect(), QColor(0, 0, 0, 90))
            place = dialog.rect()
            place.moveCenter(self.window.rect().center())
            painter.drawPixmap(place, dialog.grab())
            painter.end()
        picture.save(str(path))
        print(path)

    def take_all(self) -> None:
        """Take the whole series."""
        self.shoot("start")
        self._open("spirals")
        self.shoot("spirals-ready")
        self._shoot_while_converging()
        self._until(lambda: not self.session.busy)
        self._select()
        for title in ("Embedding", "Affinity", "Convergence", "Data"):
            self.window.tabs.bring_forward(title)
            self.shoot(f"spirals-{title.lower()}")
        self._shoot_simplex()
        self._open("iris")
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)
        self.session.selection.update([60])
        for title in ("Embedding", "Affinity", "Ranking", "Profile", "Compare", "Memberships"):
            self._shoot_view(title, f"iris-{title.lower()}")
        self._shoot_solid()
        self._shoot_sweep()
        self._shoot_report()
        self._shoot_spectrum()
        self._shoot_cut()
        self._shoot_learned()
        self._shoot_scene()
        self._fail()
        self.shoot("error")
        self._shoot_import()

    def _shoot_view(self, title: str, name: str) -> None:
        self.window.tabs.bring_forward(title)
        self.shoot(name)

    def _shoot_solid(self) -> None:
        """The scatter with three axes."""
        self.window.tabs.bring_forward("Embedding")
        view = self.window.tabs.current_view()
        assert isinstance(view, EmbeddingView)
        view.bar.solid.trigger()
        self.shoot("iris-solid")
        view.bar.solid.trigger()

    def _shoot_sweep(self) -> None:
        """Two parameters of the groups, and what each pair of settings scores."""
        from coterie.gui.dialogs.sweep.dialog import SweepDialog

        dialog = SweepDialog(self.session, "groups", self.window)
        dialog.state.set_axis(1, dialog.state.choice_of("rest"))
        dialog.second.synchronize()
        dialog.show()
        dialog.run.click()
        self._until(lambda: not self.session.busy)
        self.shoot("sweep", dialog)
        dialog.close()

    def _shoot_report(self) -> None:
        """The whole project as a page; its figures are drawn aside and take a moment."""
        self.window.tabs.bring_forward("Report")
        view = self.window.tabs.current_view()
        assert isinstance(view, ReportView)
        self._until(lambda: not view.page.document().isEmpty())
        self.shoot("iris-report")

    def _shoot_spectrum(self) -> None:
        """Eigenvalues of a cut, and the gap that says how many groups there are."""
        self._compute("three-gaussians", SPECTRUM)
        self._shoot_view("Spectrum", "spectrum")

    def _shoot_cut(self) -> None:
        """The isoperimetric cut: how many steps each item is from the ground, and the threshold."""
        self._compute("wine", CUT)
        self._shoot_view("Embedding", "isocut")

    def _shoot_learned(self) -> None:
        """Digits: their similarities while they are learned, and the most typical of each group."""
        self._open("digits")
        session, frames = self.session, []

        def on_frame(step: str, frame: object) -> None:
            if step == "similarity":
                frames.append(frame)

        session.edits.replace(replace(session.recipe, steps=LEARNED), "learn the similarities")
        session.framed.connect(on_frame)
        self.window.tabs.bring_forward("Affinity")
        self.window.commands.run_all()
        self._until(lambda: len(frames) >= 6 or not session.busy)
        session.scheduler.pause()
        self.shoot("learning")
        session.scheduler.resume()
        self._until(lambda: not session.busy)
        session.framed.disconnect(on_frame)
        typical = session.results.artefact("typical")
        assert typical is not None
        session.selection.set_size(len(typical.scores))
        session.selection.update(typical.order[:1])
        self._shoot_view("Ranking", "pictures")

    def _compute(self, sample: str, steps: tuple[Step, ...]) -> None:
        """Open a sample with other steps than those of its recipe, and run them."""
        self._open(sample)
        recipe = replace(self.session.recipe, steps=steps)
        self.session.edits.replace(recipe, "another method")
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)

    def _shoot_scene(self) -> None:
        """A scene with its pixels on disk: the Map."""
        from coterie.core.formats.samples import SAMPLES
        from coterie.projects.sources.write_scene import save_scene

        scene = Path(tempfile.mkdtemp()) / "scene.tif"
        save_scene(SAMPLES["cloud-scene"].make(), scene)
        self.window.documents.open_now(str(scene), scene)
        self._until(lambda: not self.session.busy)
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)
        self.window.tabs.bring_forward("Map")
        self._wait(1.0)
        self.shoot("map")

    def _shoot_simplex(self) -> None:
        """The way of the population among three strategies."""
        self.window.tabs.bring_forward("Convergence")
        view = self.window.tabs.current_view()
        assert isinstance(view, ConvergenceView)
        view.manner.setCurrentIndex(view.manner.findData("simplex"))
        view.synchronize()
        self.shoot("spirals-simplex")

    def close(self) -> None:
        """Close the window without questions."""
        self.window.documents.close_session()
        self.window.close()
        self._wait(0.1)

    def _open(self, sample: str) -> None:
        self.window.documents.open_now(sample)
        self._until(lambda: not self.session.busy)

    def _shoot_while_converging(self) -> None:
        """Slowed down and held, so the picture does not depend on the machine's speed."""
        session = self.session
        # The slowest of the dynamics is the one to watch.
        groups = session.recipe.step("groups")
        slow = {**groups.params, "dynamics": "replicator"}
        session.edits.replace(
            session.recipe.changed("groups", params=slow), "watch replicator dynamics"
        )
        frames: list[object] = []

        def on_frame(_step: str, frame: object) -> None:
            frames.append(frame)

        def is_clustering() -> bool:
            job = session.running
            return not session.busy or (job is not None and "clusterer" in job.component)

        session.framed.connect(on_frame)
        self.window.tabs.bring_forward("Convergence")
        self.window.commands.run_all()
        self._until(is_clustering)
        session.scheduler.set_speed(60)
        self._until(lambda: len(frames) > 40 or not session.busy)
        session.scheduler.pause()
        self.shoot("spirals-converging")
        session.scheduler.set_speed(0)
        session.scheduler.resume()
        session.framed.disconnect(on_frame)

    def _select(self) -> None:
        groups = self.session.results.artefact(self._clustering())
        if groups is not None:
            self.session.selection.update(groups.labels == 0)

    def _clustering(self) -> str:
        steps = self.session.recipe.steps
        return str(next(step.name for step in steps if step.use.startswith("clusterer/")))

    def _shoot_import(self) -> None:
        """A table as a spreadsheet in Europe writes it: every guess about it is seen."""
        from coterie.gui.dialogs.import_data.dialog import ImportDialog

        table = Path(tempfile.mkdtemp()) / "Fieldwork" / "measurements.csv"
        table.parent.mkdir()
        heights = ["NA" if i % 9 == 4 else str(i) for i in range(60)]
        rows = [
            f"Zürich {i};{i % 7},{i % 10}5;1.{200 + 7 * i},5;{height};{'ab'[i % 2]}"
            for i, height in enumerate(heights)
        ]
        text = "\n".join(["Ort;Größe;Preis;Höhe;class", *rows])
        table.write_bytes(text.encode("latin-1"))
        dialog = ImportDialog(self.session, table, parent=self.window)
        dialog.open()
        self._until(lambda: not dialog.state.waiting)
        self.shoot("import", dialog)
        dialog.reject()

    def _fail(self) -> None:
        """A table with a hole in it: the first step that needs all values says so."""
        table = Path(tempfile.mkdtemp()) / "measurements.csv"
        rows = [f"plot {i},{i * 0.7:.1f},{(i * 37) % 11}" for i in range(30)]
        rows[12] = "plot 12,,4"
        table.write_text("\n".join(["name,height,width", *rows]))
        self.window.documents.open_now(str(table), table)
        recipe = self.session.recipe.changed("scaled", of=("data",)).without("complete")
        self.session.edits.replace(recipe, "leave the holes")
        self.window.commands.run_all()
        self._until(lambda: not self.session.busy)

    def _until(self, is_so: Callable[[], bool]) -> None:
        deadline = QDeadlineTimer(round(PATIENCE_SECONDS * 1000))
        while not is_so():
            if deadline.hasExpired():
                raise TimeoutError("The window did not get where it should within a minute.")
            self._wait(0.02)

    def _wait(self, seconds: float) -> None:
        """Let so much time pass, and no fewer turns of the event loop than it usually has."""
        deadline = QDeadlineTimer(round(seconds * 1000))
        turns = seconds / TURN_SECONDS
        while turns > 0 or not deadline.hasExpired():
            self._app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            time.sleep(TURN_SECONDS)
            turns -= 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python docs/making/shots.py", description=__doc__)
    parser.add_argument("--into", type=Path, default=Path("build/screens"))
    parser.add_argument("--scheme", choices=["light", "dark", "both"], default="both")
    parser.add_argument("--size", type=parse_size, default=QSize(1280, 800))
    parser.add_argument("--pictures", action="store_true", help="draw the samples instead")
    asked = parser.parse_args(arguments)
    app = make_application()
    if asked.pictures:
        from sample_pictures import draw_pictures

        for path in draw_pictures(PICTURES):
            print(path)
        return 0
    # What the person at this machine has set and opened does not belong into a picture.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    for scheme in ("light", "dark") if asked.scheme == "both" else (asked.scheme,):
        make_application(scheme)
        photographer = Photographer(app, asked.into, scheme, asked.size)
        try:
            photographer.take_all()
        finally:
            photographer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
