"""The settings detected in a file, each on a small tile: name, value, and whether guessed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from coterie.gui.dialogs.import_data.detected_setting import DetectedSetting
from coterie.gui.toolkit.elided import ElidedLabel


class FindingsBar(QWidget):
    """A row of tiles, one for each finding; `pressed` carries the one that was clicked."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: list[DetectedSetting] = []
        self._tiles: list[_Tile] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self.setAccessibleName("Detected settings")

    def show_findings(self, findings: list[DetectedSetting]) -> None:
        """Show these findings."""
        self.setVisible(bool(findings))
        if findings == self._shown:
            return
        self._shown = list(findings)
        while len(self._tiles) < len(findings):
            tile = _Tile()
            tile.pressed.connect(self.pressed)
            self._tiles.append(tile)
            self._row.addWidget(tile, 1)
        for at, tile in enumerate(self._tiles):
            tile.setVisible(at < len(findings))
            if at < len(findings):
                tile.show_finding(findings[at])
                # Each by what it has to say: a date format needs more room than a comma.
                self._row.setStretch(at, tile.wish())

    def sentences(self) -> list[str]:
        """Return what is shown, in words."""
        return [finding.sentence for finding in self._shown]


class _Tile(QFrame):
    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty("role", "card")
        self._caption, self._value, self._source = ElidedLabel(), ElidedLabel(), QLabel()
        self._caption.setProperty("role", "hint")
        self._value.setProperty("role", "heading")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 5, 8, 5)
        column.setSpacing(0)
        for label in (self._caption, self._value, self._source):
            column.addWidget(label)

    def wish(self) -> int:
        """The width at which nothing is cut off."""
        labels = (self._caption, self._value, self._source)
        return max(label.sizeHint().width() for label in labels) + 18

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Lead to the field that sets it."""
        self.pressed.emit(self._name)
        event.accept()

    def show_finding(self, finding: DetectedSetting) -> None:
        self._name = finding.name
        self._caption.setText(finding.caption)
        self._value.setText(finding.value)
        self._source.setText("guessed" if finding.guessed else "as set")
        self._source.setProperty("role", "guess" if finding.guessed else "hint")
        self._source.style().unpolish(self._source)
        self._source.style().polish(self._source)
        self.setToolTip(f"{finding.sentence}. Click to change it.")
        self.setAccessibleName(finding.sentence)
