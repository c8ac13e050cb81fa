"""The icon, colour and words for the status of a step."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.icons import pixmap

MARK_SIZE = 16


@dataclass(frozen=True)
class StatusLook:
    """A word for a chip, a sentence for a tooltip, and the name of a colour of the theme."""

    word: str
    sentence: str
    colour: str


_LOOKS = {
    "missing": StatusLook("Not run", "Not computed yet. Run it to see its result.", "muted"),
    "left-out": StatusLook(
        "Not stored",
        "Not stored in the project, as it is quickly computed again when it is needed.",
        "muted",
    ),
    "fresh": StatusLook("Up to date", "The result matches these settings.", "success"),
    "stale": StatusLook(
        "Out of date", "Settings or inputs changed since the last run. Run it again.", "warning"
    ),
    "running": StatusLook("Running", "The engine is running this step.", "accent"),
    "waiting": StatusLook("Waiting", "Runs when the steps before it have finished.", "accent"),
    "failed": StatusLook("Failed", "The last run failed.", "danger"),
    "broken": StatusLook(
        "No plugin",
        "The plugin with this method is not installed. Earlier results are kept.",
        "danger",
    ),
    "off": StatusLook("Off", "Switched off: kept but not run.", "muted"),
    "blocked": StatusLook("Skipped", "Needs a step that is switched off.", "muted"),
}


def look_of(status: str) -> StatusLook:
    """Return how a status is shown."""
    return _LOOKS[str(status)]


def colour_of(status: str) -> str:
    """Return the colour of a status in the look that is on."""
    return str(getattr(theme.current(), look_of(status).colour))


class StatusChip(QWidget):
    """A mark and a word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self._mark = QLabel()
        self._word = QLabel()
        self._word.setProperty("role", "chip")
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._word, 0, Qt.AlignmentFlag.AlignVCenter)
        self._status = "missing"
        self._drawn: tuple[str, str, float] | None = None
        self.show_status("missing")

    def show_status(self, status: str, remark: str = "") -> None:
        """Show a status; `remark` replaces the usual sentence of the tooltip."""
        self._status = str(status)
        look = look_of(status)
        self._word.setText(look.word)
        # What is well needs no word: the eye should go to what is not.
        self._word.setVisible(self._status != "fresh")
        self.setToolTip(remark or look.sentence)
        self.setAccessibleName(look.word)
        self._paint()

    def text(self) -> str:
        """Return the word."""
        return self._word.text()

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        colour = colour_of(self._status)
        drawn = (self._status, colour, self.devicePixelRatioF())
        if drawn == self._drawn:
            return  # each edit asks every card for its status again
        self._drawn = drawn
        self._mark.setPixmap(pixmap(self._status, MARK_SIZE, *drawn[1:]))
        wanted = f"color: {colour};"
        if self._word.styleSheet() != wanted:
            self._word.setStyleSheet(wanted)
