"""The right end of the status bar: the state of the engine, and the memory in use."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from coterie.core.io.platform.memory import memory_in_use
from coterie.core.wording import size_in_words
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.icons import pixmap

_LOOKS = {
    "starting": ("waiting", "accent", "Engine starting"),
    "ready": ("fresh", "success", "Engine ready"),
    "busy": ("running", "accent", "Engine busy"),
    "restarting": ("waiting", "warning", "Engine restarting"),
    "stopped": ("missing", "muted", "Engine not running"),
}
_TICK_MILLISECONDS = 2000


class EngineStatus(QWidget):
    """A mark, a word, and an amount of memory that is measured every two seconds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = "stopped"
        self._mark = QLabel()
        self.word = QLabel()
        self.memory = QLabel()
        self.memory.setProperty("role", "muted")
        self.memory.setToolTip("Memory used by the window and the engine")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 12, 2)
        row.setSpacing(6)
        row.addWidget(self.memory)
        row.addSpacing(10)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.word)
        self.show_state("stopped")
        self._tick = QTimer(self, interval=_TICK_MILLISECONDS)
        self._tick.timeout.connect(self._measure)
        self._tick.start()

    def show_state(self, state: str) -> None:
        """Show how the engine does."""
        self._state = state if state in _LOOKS else "stopped"
        self.word.setText(_LOOKS[self._state][2])
        self._paint()

    def show_busy(self, busy: bool) -> None:
        """Show that a job began or ended, unless the engine has other worries."""
        if self._state in ("ready", "busy"):
            self.show_state("busy" if busy else "ready")

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        mark, role, _ = _LOOKS[self._state]
        colour = getattr(theme.current(), role)
        self._mark.setPixmap(pixmap(mark, 14, colour, self.devicePixelRatioF()))

    def _measure(self) -> None:
        used = memory_in_use()
        self.memory.setText(size_in_words(used) if used else "")
