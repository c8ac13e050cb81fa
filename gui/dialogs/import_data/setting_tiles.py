"""The settings detected in a file, each on a small tile: name, value, and whether guessed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from coterie.gui.dialogs.import_data.detected_setting import DetectedSetting
from coterie.gui.toolkit.elided import ElidedLabel

_GAP = 6  # pixels between two tiles
_GUESSED = "guessed"


class FindingsBar(QWidget):
    """Tiles, one for each finding, in as many rows as they need.

    `pressed` carries the one that was clicked. In several rows a tile has no line of its own for
    whether its value was guessed: the colour of the value says so, and the tooltip in words.
    """

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: list[DetectedSetting] = []
        self._tiles: list[_Tile] = []
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(_GAP)
        self._broken: list[list[int]] = []
        self.setAccessibleName("Detected settings")

    def show_findings(self, findings: list[DetectedSetting]) -> None:
        """Show these findings."""
        self.setVisible(bool(findings))
        if findings == self._shown:
            return
        self._shown = list(findings)
        while len(self._tiles) < len(findings):
            tile = _Tile()
            tile.setParent(self)
            tile.pressed.connect(self.pressed)
            self._tiles.append(tile)
        for at, tile in enumerate(self._tiles):
            tile.setVisible(at < len(findings))
            if at < len(findings):
                tile.show_finding(findings[at])
        self._broken = []
        self._break()

    def sentences(self) -> list[str]:
        """Return what is shown, in words."""
        return [finding.sentence for finding in self._shown]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the rows again where the width asks for it."""
        super().resizeEvent(event)
        self._break()

    def minimumSizeHint(self) -> QSize:
        """Of the widest tile: the others go below it."""
        widest = max((tile.wish() for tile in self._tiles[: len(self._shown)]), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def _break(self) -> None:
        wishes = [tile.wish() for tile in self._tiles[: len(self._shown)]]
        rows = broken_rows(wishes, self.width())
        if rows == self._broken:
            return
        self._broken = rows
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.layout()) is not None:
                old.deleteLater()
        for row in rows:
            line = QHBoxLayout()
            line.setSpacing(_GAP)
            for at in row:
                self._tiles[at].set_compact(len(rows) > 1)
                # Each by what it has to say: a date format needs more room than a comma.
                line.addWidget(self._tiles[at], wishes[at])
            self._rows.addLayout(line)


def broken_rows(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the positions of tiles row by row: as few rows as fit, filled alike.

    >>> broken_rows([50, 50, 50, 50], 170), broken_rows([50, 50], 20)
    ([[0, 1], [2, 3]], [[0], [1]])
    """
    for count in range(1, len(widths) + 1):
        share = -(-len(widths) // count)
        rows = [list(range(len(widths))[at : at + share]) for at in range(0, len(widths), share)]
        if all(sum(widths[at] for at in row) + _GAP * (len(row) - 1) <= room for row in rows):
            return rows
    return [[at] for at in range(len(widths))]


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

    def set_compact(self, compact: bool) -> None:
        """Leave out the line about where the value comes from; its colour says it."""
        self._source.setVisible(not compact)
        role = "guess" if compact and self._source.text() == _GUESSED else "heading"
        if self._value.property("role") != role:
            self._value.setProperty("role", role)
            self._value.style().unpolish(self._value)
            self._value.style().polish(self._value)

    def show_finding(self, finding: DetectedSetting) -> None:
        self._name = finding.name
        self._caption.setText(finding.caption)
        self._value.setText(finding.value)
        self._source.setText(_GUESSED if finding.guessed else "as set")
        self._source.setProperty("role", "guess" if finding.guessed else "hint")
        self._source.style().unpolish(self._source)
        self._source.style().polish(self._source)
        self.setToolTip(f"{finding.sentence}. Click to change it.")
        self.setAccessibleName(finding.sentence)
