"""Pictures for the user guide, small enough for a repository, and the one that moves.

`python -m coterie.gui.guide_shots --into docs/pictures` takes them all; `--animation` only the
live convergence.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from coterie.gui.animated import apng, png
from coterie.gui.application import make_application
from coterie.gui.shots import Photographer

SIZE = QSize(1200, 760)
MOVING_WIDTH = 720
MOST_FRAMES = 48
FRAME_MILLISECONDS = 100


class GuidePhotographer(Photographer):
    """Takes the pictures of the guide, in the order in which the guide tells them."""

    def take_all(self) -> None:
        """Take the whole series."""
        self.shoot("guide-start")
        self._shoot_import()
        self._open("iris")
        self.shoot("guide-ready")
        self.window.run_all()
        self._until(lambda: not self.session.busy)
        self.session.selection.update([60])
        for title in ("Embedding", "Data", "Ranking", "Profile", "Compare", "Affinity"):
            self.window.tabs.bring_forward(title)
            self.shoot(f"guide-{title.lower()}")
        self._open("spirals")
        self._shoot_while_converging()
        self._until(lambda: not self.session.busy)
        self._shoot_scene()

    def shoot(self, name: str, dialog: QWidget | None = None) -> None:
        """Keep a picture in few colours; names of the other series are renamed to the guide's."""
        super().shoot(name, dialog)
        taken = self._into / f"{name}-{self._scheme}.png"
        short = name.removeprefix("spirals-").removeprefix("guide-")
        save_small(QImage(str(taken)), self._into / f"guide-{short}.png")
        taken.unlink()

    def take_animation(self) -> None:
        """Let replicator dynamics run slowly and keep what the Convergence view shows."""
        self._open("spirals")
        session = self.session
        groups = session.recipe.step("groups")
        slow = {**groups.params, "dynamics": "replicator"}
        session.edit(session.recipe.changed("groups", params=slow), "watch replicator dynamics")
        self.window.tabs.bring_forward("Convergence")
        self.window.run_all()
        self._until(lambda: not session.busy or _is_clustering(session))
        session.set_speed(8)  # the first iterations are those in which most happens
        pictures: list[QImage] = []
        while session.busy and len(pictures) < MOST_FRAMES:
            self._wait(FRAME_MILLISECONDS / 1000)
            pictures.append(self._look())
        session.set_speed(0)
        self._until(lambda: not session.busy)
        self.window.tabs.bring_forward("Embedding")
        self._wait(0.5)
        pictures += [self._look()]
        path = self._into / "convergence.png"
        path.write_bytes(apng(pictures, FRAME_MILLISECONDS))
        print(f"{path}: {len(pictures)} pictures, {path.stat().st_size / 1000:.0f} kB")

    def _look(self) -> QImage:
        smooth = Qt.TransformationMode.SmoothTransformation
        return self.window.tabs.grab().toImage().scaledToWidth(MOVING_WIDTH, smooth)

    def _shoot_scene(self) -> None:
        """A scene with its pixels on disk: the Map."""
        from coterie.core.samples import SAMPLES
        from coterie.projects.picture_files import save_scene

        scene = Path(tempfile.mkdtemp()) / "scene.tif"
        save_scene(SAMPLES["cloud-scene"].make(), scene)
        self.window.documents.open_now(str(scene), scene)
        self._until(lambda: not self.session.busy)
        self.window.run_all()
        self._until(lambda: not self.session.busy)
        self.window.tabs.bring_forward("Map")
        self._wait(1.0)
        self.shoot("guide-map")


def _is_clustering(session: object) -> bool:
    job = getattr(session, "running", None)
    return job is not None and "clusterer" in job.component


def save_small(picture: QImage, path: Path) -> None:
    """Save a picture in few colours and say how large it is."""
    path.write_bytes(png(picture))
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m coterie.gui.guide_shots", description=__doc__)
    parser.add_argument("--into", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--animation", action="store_true", help="only the one that moves")
    asked = parser.parse_args(arguments)
    app = make_application("light")
    # What the person at this machine has set and opened does not belong into a picture.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    asked.into.mkdir(parents=True, exist_ok=True)
    # Each its own window: what one has computed, the other would not compute again.
    series = [GuidePhotographer.take_animation]
    if not asked.animation:
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
