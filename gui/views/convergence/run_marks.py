"""Lines across a plot where something happened in a run, with their names: drawn in one go.

The library's own lines compute where they are and how large in Python, each for itself, whenever
the plot moves. While a run goes on it moves with every picture; nine of them took a third of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

_BOTTOM = 12.0  # pixels between a name and the lower edge
_MARGIN = 4.0  # pixels around a name


@dataclass(frozen=True)
class MarkLine:
    """A line at an iteration; its name, if it has one, stands left or right of it."""

    iteration: int
    colour: str
    name: str = ""
    right: bool = False


class RunMarks(QGraphicsObject):
    """The marks of one plot: a child of its view box, in pixels, that follows its range."""

    def __init__(self, box: Any) -> None:
        super().__init__(box)
        self.lines: tuple[MarkLine, ...] = ()
        self._box = box
        self._text = self._ground = QColor()
        self.setZValue(5)  # over the curves
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        box.sigXRangeChanged.connect(self._on_moved)
        box.sigResized.connect(self._on_resized)

    def show_lines(self, lines: Sequence[MarkLine]) -> None:
        """Draw these, in the place of those before."""
        if tuple(lines) != self.lines:
            self.lines = tuple(lines)
            self.update()

    def restyle(self, text: str, ground: str) -> None:
        """Take the colours of the names and of what is under them."""
        self._text, self._ground = QColor(text), QColor(ground)
        self._ground.setAlpha(220)
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.rect())

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        area = self.boundingRect()
        (first, last), _ = self._box.viewRange()
        if not self.lines or last <= first:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for line in self.lines:
            x = area.left() + (line.iteration - first) / (last - first) * area.width()
            if not area.left() - 200 <= x <= area.right() + 200:
                continue  # not even its name is seen
            pen = QPen(QColor(line.colour), 1.2, Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
            if line.name:
                self._write(painter, line, x, area.bottom() - _BOTTOM)

    def _write(self, painter: QPainter, line: MarkLine, x: float, bottom: float) -> None:
        metrics = QFontMetricsF(painter.font())
        width = metrics.horizontalAdvance(line.name) + 2 * _MARGIN
        height = metrics.height() + _MARGIN
        # Beside the line, which stays visible.
        left = x + 1 if line.right else x - 1 - width
        place = QRectF(left, bottom - height, width, height)
        painter.fillRect(place, self._ground)
        painter.setPen(self._text)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, line.name)

    def _on_moved(self, *_: object) -> None:
        if self.lines:
            self.update()

    def _on_resized(self, *_: object) -> None:
        self.prepareGeometryChange()
