"""Where the items of each group are in the other grouping, as bands between two columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from coterie.core.model.arrays import Array, Floats
from coterie.core.wording import counted
from coterie.gui.toolkit.styling import theme

MOST_GROUPS = 40  # of one side; more would be thinner than their names
_BAR = 12.0
_GAP = 5.0
_NAMES = 150.0  # at most, on each side
_AROUND = 14.0

Heads = list[tuple[str, str]]
"""Name and colour of each group of one side."""


@dataclass(frozen=True)
class Flow:
    """The items in one group of each side.

    Attributes
    ----------
    left, right : top and bottom of the band at either end, in pixels
    """

    row: int
    column: int
    count: int
    left: tuple[float, float]
    right: tuple[float, float]


def ends_of(sizes: Array, height: float, most: int, gap: float = _GAP) -> Floats:
    """Return top and bottom of each group of a side, centred where the other has more groups.

    An item takes as many pixels on both sides.

    >>> ends_of(np.array([1, 3]), 9.0, 2, 1.0).tolist()
    [[0.0, 2.0], [3.0, 9.0]]
    """
    gap = min(gap, height / (4 * most))
    thick = sizes * ((height - gap * (most - 1)) / max(float(sizes.sum()), 1.0))
    top = np.concatenate([[0.0], np.cumsum(thick + gap)[:-1]]) + gap * (most - len(sizes)) / 2
    return np.column_stack([top, top + thick])


def flows_of(counts: Array, height: float, gap: float = _GAP) -> list[Flow]:
    """Return a band for each pair of groups that share items, as thick as these are many.

    >>> [(one.row, one.column, one.left) for one in flows_of(np.array([[3, 1]]), 8.0, 0.0)]
    [(0, 0, (0.0, 6.0)), (0, 1, (6.0, 8.0))]
    """
    most = max(counts.shape)
    ends = [ends_of(counts.sum(axis=1 - side), height, most, gap) for side in (0, 1)]
    pixels = (ends[0][:, 1] - ends[0][:, 0]).sum() / max(float(counts.sum()), 1.0)
    down, up = ends[0][:, 0].copy(), ends[1][:, 0].copy()
    found = []
    for row, column in np.argwhere(counts > 0).tolist():
        count = int(counts[row, column])
        left, right = float(down[row]), float(up[column])
        down[row] += count * pixels
        up[column] += count * pixels
        found.append(Flow(row, column, count, (left, float(down[row])), (right, float(up[column]))))
    return found


class Flows(QWidget):
    """Two columns of groups and the bands between them; a click selects the items of a band."""

    chosen = Signal(int, int)  # row and column of the table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Flow of items between the groups of both results")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self._counts: Array = np.zeros((0, 0), dtype=np.int64)
        self._rows: Heads = []
        self._columns: Heads = []
        self._pointed: tuple[int, int] | None = None

    def show_counts(self, counts: Array, rows: Heads, columns: Heads) -> None:
        """Show other groups; too many leave the place empty."""
        self._counts, self._rows, self._columns = counts, rows, columns
        self.setVisible(0 < max(counts.shape, default=0) <= MOST_GROUPS)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for some ten groups."""
        return QSize(400, 240)

    def minimumSizeHint(self) -> QSize:
        """The table above needs the room more."""
        return QSize(120, 60)

    def flow_at(self, point: QPointF) -> Flow | None:
        """Return the band under a point, the thinnest where several cross."""
        under = [(one.count, path, one) for one, path in self._paths() if path.contains(point)]
        return min(under, key=lambda found: found[0])[2] if under else None

    def centre_of(self, row: int, column: int) -> QPointF:
        """Return a point in the middle of a band, at its left end."""
        for one, _ in self._paths():
            if (one.row, one.column) == (row, column):
                left, _right = self._sides()
                return QPointF(left + 2, _AROUND + sum(one.left) / 2)
        raise ValueError(f"no items are in both {row} and {column}")

    def words_for(self, flow: Flow) -> str:
        """Say how many items a band is."""
        row, column = self._rows[flow.row][0], self._columns[flow.column][0]
        share = flow.count / max(int(self._counts[flow.row].sum()), 1)
        return f"{counted(flow.count, 'item')} in {row} and {column}: {share:.1%} of {row}"

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the bands, the groups over their ends, and the names beside."""
        if not self._counts.size:
            return
        colours = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.base))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for flow, path in self._paths():
            band = QColor(self._columns[flow.column][1])
            pointed = self._pointed == (flow.row, flow.column)
            band.setAlphaF(0.75 if pointed else 0.4)
            painter.fillPath(path, band)
        left, right = self._sides()
        for side, heads, x in ((0, self._rows, left - _BAR), (1, self._columns, right)):
            sizes = self._counts.sum(axis=1 - side)
            for (top, bottom), (name, shade), size in zip(
                self._ends(side), heads, sizes.tolist(), strict=True
            ):
                bar = QRectF(x, top, _BAR, max(bottom - top, 1.0))
                painter.fillRect(bar, QColor(shade))
                self._draw_name(painter, bar, f"{name} ({size:,})", side, colours.text)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the band under the pointer more strongly."""
        flow = self.flow_at(event.position())
        pointed = None if flow is None else (flow.row, flow.column)
        if pointed != self._pointed:
            self._pointed = pointed
            hand = Qt.CursorShape.PointingHandCursor
            self.setCursor(hand if flow else Qt.CursorShape.ArrowCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Select the items of the band that was clicked."""
        if (flow := self.flow_at(event.position())) is not None:
            self.chosen.emit(flow.row, flow.column)

    def event(self, event: QEvent) -> bool:
        """Say what is under the pointer; forget it when the pointer leaves."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            flow = self.flow_at(event.pos().toPointF())
            QToolTip.showText(event.globalPos(), self.words_for(flow) if flow else "", self)
            return True
        if event.type() == QEvent.Type.Leave and self._pointed is not None:
            self._pointed = None
            self.update()
        return super().event(event)

    def _sides(self) -> tuple[float, float]:
        """Where the bands begin and end across."""
        metrics = self.fontMetrics()
        widest = [
            max((metrics.horizontalAdvance(f"{name} (00,000)") for name, _ in heads), default=0)
            for heads in (self._rows, self._columns)
        ]
        most = min(_NAMES, self.width() / 4)
        left, right = (min(width, most) + _AROUND + 8 + _BAR for width in widest)
        return left, max(self.width() - right, left + 10)

    def _height(self) -> float:
        return max(self.height() - 2 * _AROUND, 10.0)

    def _ends(self, side: int) -> Floats:
        """Top and bottom of the groups of a side."""
        sizes = self._counts.sum(axis=1 - side)
        return ends_of(sizes, self._height(), max(self._counts.shape)) + _AROUND

    def _paths(self) -> list[tuple[Flow, QPainterPath]]:
        if not self._counts.size:
            return []
        left, right = self._sides()
        return [(flow, _band(left, right, flow)) for flow in flows_of(self._counts, self._height())]

    def _draw_name(self, painter: QPainter, bar: QRectF, name: str, side: int, colour: str) -> None:
        metrics = painter.fontMetrics()
        if bar.height() < metrics.height() * 0.5:  # names would lie over each other
            return
        room = bar.left() - 10 if side == 0 else self.width() - bar.right() - 10
        text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(room))
        across = Qt.AlignmentFlag.AlignRight if side == 0 else Qt.AlignmentFlag.AlignLeft
        x = 4.0 if side == 0 else bar.right() + 6
        place = QRectF(x, bar.center().y() - metrics.height() / 2, room, metrics.height())
        painter.setPen(QColor(colour))
        painter.drawText(place, across | Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(Qt.PenStyle.NoPen)


def _band(left: float, right: float, flow: Flow) -> QPainterPath:
    """A band that leaves and arrives level."""
    middle = (left + right) / 2
    (top, bottom), (up, down) = ((a + _AROUND, b + _AROUND) for a, b in (flow.left, flow.right))
    path = QPainterPath(QPointF(left, top))
    path.cubicTo(QPointF(middle, top), QPointF(middle, up), QPointF(right, up))
    path.lineTo(QPointF(right, down))
    path.cubicTo(QPointF(middle, down), QPointF(middle, bottom), QPointF(left, bottom))
    path.closeSubpath()
    return path
