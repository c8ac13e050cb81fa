"""Which files of a project are missing, looked up on a thread."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.redraw_queue import soon
from coterie.projects.recipe.toml import is_sample

if TYPE_CHECKING:
    from coterie.projects.session import Session


class LostFiles(QObject):
    """Looks when a project is opened or edited, and when it is asked to, as the window comes back.

    A file on a share that does not answer may take long to be missed, so a thread looks. Paths
    that a person has not allowed yet are not touched.

    Attributes
    ----------
    names : the sources whose file is gone; `changed` carries them
    """

    changed = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._aside = Aside(self)
        self.names: frozenset[str] = frozenset()
        listen(self, session.recipe_changed, self._on_news)
        listen(self, session.step_changed, self._on_step_changed)
        self.look()

    def look(self) -> None:
        """Look again, on a thread."""
        places = self._places()
        if places or self.names:
            self._aside.ask(lambda: _gone(places), self._take, lambda _: None)

    def _places(self) -> dict[str, Path]:
        """Where each source reads a file of its own: one kept in the project is not missed."""
        files = self._session.files
        return {
            source.name: Path(source.open)
            for source in self._session.recipe.sources
            if not is_sample(source)
            and not files.is_attached(source.name)
            and not files.unconfirmed(source.name)
        }

    def _take(self, gone: frozenset[str]) -> None:
        if gone != self.names:
            self.names = gone
            self.changed.emit(gone)

    def _on_news(self) -> None:
        soon(self.look)

    def _on_step_changed(self, name: str) -> None:
        if name in self.names:  # it may have been read again
            soon(self.look)


def _gone(places: dict[str, Path]) -> frozenset[str]:
    return frozenset(name for name, path in places.items() if not path.exists())
