"""How well every two groupings agree, as a small grid."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from coterie.core.model.arrays import Floats
from coterie.gui.toolkit.styling import theme

_SIDE = 112
_LEAST_SHADE = 18  # of 255


class AgreementGrid(QWidget):
    """A cell for every two rows, darker where they agree more.

    `pointed` carries the rows of the cell under the pointer, −1 for none; `chosen` that of a click.
    """

    pointed = Signal(int, int)
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Agreement of every two groupings")
        self.values: Floats = np.zeros((0, 0))
        self._marked = -1
        self._at = (-1, -1)

    def show_values(self, values: Floats, marked: int) -> None:
        """Show the agreement of rows in their order; that of the marked one is framed."""
        self.values, self._marked = values, marked
        self.setVisible(len(values) > 1)
        self.update()

    def sizeHint(self) -> QSize:
        """A small square."""
        return QSize(_SIDE, _SIDE)

    @property
    def _cell(self) -> float:
        return _SIDE / max(len(self.values), 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cells."""
        colours = theme.current()
        painter = QPainter(self)
        side, count = self._cell, len(self.values)
        for row, column in np.ndindex(count, count):
            value = self.values[row, column]
            shade = QColor(colours.accent)
            known = np.isfinite(value)
            strength = max(float(value), 0.0) if known else 0.0
            shade.setAlpha(round(_LEAST_SHADE + (255 - _LEAST_SHADE) * strength) if known else 0)
            painter.fillRect(QRectF(column * side, row * side, side - 1, side - 1), shade)
        painter.setPen(QPen(QColor(colours.text), 1.4))
        if 0 <= self._marked < count:
            painter.drawRect(QRectF(0.7, self._marked * side + 0.7, _SIDE - 2.4, side - 2.4))
        row, column = self._at
        if 0 <= row < count:
            painter.drawRect(QRectF(column * side + 0.7, row * side + 0.7, side - 2.4, side - 2.4))
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which two rows are under the pointer."""
        self._point(self._place(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Name nothing any more."""
        super().leaveEvent(event)
        self._point((-1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the row of the cell."""
        if (
            event.button() == Qt.MouseButton.LeftButton
            and (row := self._place(event.position())[0]) >= 0
        ):
            self.chosen.emit(row)

    def _place(self, point: QPointF) -> tuple[int, int]:
        row, column = int(point.y() // self._cell), int(point.x() // self._cell)
        inside = 0 <= row < len(self.values) and 0 <= column < len(self.values)
        return (row, column) if inside else (-1, -1)

    def _point(self, at: tuple[int, int]) -> None:
        if at != self._at:
            self._at = at
            self.pointed.emit(*at)
            self.update()
