"""What all views share: one session, one selection, a first build when seen, export, the look."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from coterie.projects.session import Session

REDRAW_MILLISECONDS = 33  # at most 30 pictures a second, however fast news arrives


class View(QWidget):
    """A tab at the centre of the window.

    A view builds its widgets when it is first shown, so that tabs nobody opened cost nothing at
    start. News only mark it as out of date; it redraws from its state soon after, once for any
    number of them, and not at all while it is hidden.
    """

    title: ClassVar[str] = ""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.built = False
        self.setAccessibleName(self.title)
        self._news = QTimer(self, interval=REDRAW_MILLISECONDS, singleShot=True)
        self._news.timeout.connect(self._on_time_to_redraw)

    # What a view implements

    def build(self) -> None:
        """Make the widgets. Called once, when the view is first needed."""

    def synchronize(self) -> None:
        """Redraw from the state. Called only after `build`."""

    def restyle(self) -> None:
        """Take the colours of the theme again. Called only after `build`."""

    def show_step(self, name: str) -> None:
        """Show what the person chose in the project tree, as far as it concerns this view."""

    def export_picture(self, path: Path) -> None:
        """Write what is seen to a file, PNG or SVG by its ending."""

    # What the window and the views call

    def refresh(self) -> None:
        """Redraw soon: at once for a hidden view's next showing, within a frame for a seen one."""
        if not self._news.isActive():
            self._news.start()

    def ensure_built(self) -> None:
        """Build the view now, if that has not happened yet, and draw it."""
        if not self.built:
            self.built = True
            self.build()
            self.restyle()
            self.synchronize()

    def listen(self, signal: Any, method: Callable[..., Any]) -> None:
        """Call `method`, one of this view, at each `signal` of the session, while the view lives.

        The session outlives its views, and Python's half of a widget may outlive Qt's.
        """
        signal.connect(method)
        reference = weakref.WeakMethod(method)

        def stop() -> None:
            if (slot := reference()) is not None:
                signal.disconnect(slot, missing_ok=True)

        self.destroyed.connect(stop)

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.built:
            self.synchronize()
        else:
            self.ensure_built()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.built:
            self.restyle()
            self.refresh()

    def _on_time_to_redraw(self) -> None:
        if self.built and self.isVisible():
            self.synchronize()
