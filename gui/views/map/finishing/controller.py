"""Finishing a map from the window, on a thread, and showing the finished copy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject

from coterie.core.errors import in_words
from coterie.core.formats.rasters.scene import Scene
from coterie.gui.toolkit.background import Aside
from coterie.gui.views.map.finishing.dialog import Wanted, target_of
from coterie.gui.views.map.labelling.state import Made
from coterie.projects.sources import rasters

if TYPE_CHECKING:
    from coterie.gui.views.map.view import MapView


class FinishDesk(QObject):
    """Asks how a map is to be finished, has it done, and shows what came of it."""

    def __init__(self, view: MapView) -> None:
        super().__init__(view)
        self._working = Aside(self)
        view.layers.finish_asked.connect(self.ask)

    @property
    def _view(self) -> MapView:
        # By Qt's half: the two holding each other would keep both, and what they show.
        return cast("MapView", self.parent())

    @property
    def busy(self) -> bool:
        """Whether a map is being finished."""
        return self._working.busy

    def ask(self) -> None:
        """Ask how, then finish the map that is shown."""
        from coterie.gui.views.map.finishing.dialog import FinishDialog

        made = self._view.state.made
        if made is None or not made.complete or self.busy:
            return
        dialog = FinishDialog(made.path, self._view)
        dialog.asked.connect(self.finish)
        dialog.open()

    def finish(self, wanted: Wanted) -> None:
        """Write a finished copy of the map, and what else is wanted of it."""
        view = self._view
        made, ground = view.state.made, view.state.ground
        if made is None or ground is None:
            return
        view.say("")
        source, target, scene = made.path, target_of(made.path), ground.scene

        def work() -> tuple[Made, list[str]]:
            return replace(made, path=target), _finished(source, target, wanted, scene)

        self._working.ask(work, self._on_done, self._on_failed)
        view.refresh()

    def _on_done(self, found: tuple[Made, list[str]]) -> None:
        made, said = found
        view = self._view
        view.state.keep_map(made)
        view.run.say_finished(f"Wrote {made.path.name}. {' '.join(said)}")
        view.refresh()

    def _on_failed(self, error: BaseException) -> None:
        self._view.say(in_words(error))


def _finished(source: Path, target: Path, wanted: Wanted, scene: Scene | None) -> list[str]:
    extras = {
        "polygons": (wanted.polygons, ".gpkg"),
        "page": (wanted.page, ".pdf"),
        "statistics": (wanted.statistics, ".classes.csv"),
    }
    written = {name: target.with_suffix(end) for name, (asked, end) in extras.items() if asked}
    return rasters.finish_map(source, target, wanted.how, written, scene)
