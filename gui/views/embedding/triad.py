"""The three axes of a turned cloud, drawn small in the corner of its plot."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling import theme
from coterie.gui.views.embedding.camera import Side

_LENGTH = 30.0
_ROOM = 190.0  # for the names, which are cut at this width
_MARGIN = 14.0


class Triad(pg.GraphicsObject):  # type: ignore[misc] # the library ships no types
    """Lies at the bottom left of a plot area and is measured in pixels."""

    def __init__(self, box: Any) -> None:
        super().__init__(box)
        self._box = box
        self._side = Side()
        self.names: tuple[str, ...] = ("", "", "")
        self.setZValue(1e5)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations, False)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        box.sigResized.connect(self._place)
        self._place()

    def show_side(self, side: Side, names: tuple[str, ...]) -> None:
        """Show the axes as seen from this side."""
        self._side, self.names = side, names
        self._place()
        self.update()

    def boundingRect(self) -> QRectF:
        """Room for the axes and their names."""
        reach = _LENGTH + 16
        return QRectF(-reach, -reach, reach + _ROOM, 2 * reach + 30)

    def paint(self, painter: QPainter, _option: Any, _widget: Any = None) -> None:
        colours = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ends = self._side.rotation * _LENGTH
        taken: list[QRectF] = []
        # What points away from us is drawn first, and fainter.
        for axis in np.argsort(ends[2]).tolist():
            x, y, towards = ends[:, axis]
            ink = QColor(colours.text if towards >= 0 else colours.muted)
            painter.setPen(QPen(ink, 1.6 if towards >= 0 else 1.0))
            end = QPointF(x, -y)
            painter.drawLine(QPointF(0, 0), end)
            taken.append(self._write_name(painter, end, self.names[axis], taken))

    def _write_name(
        self, painter: QPainter, end: QPointF, name: str, taken: list[QRectF]
    ) -> QRectF:
        """Write a name at the end of its axis, or under the names that are there already."""
        metrics = painter.fontMetrics()
        text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, round(_ROOM - _LENGTH - 20))
        place = end * 1.18
        if end.x() < -_LENGTH / 3:  # to the left there is no room
            place += QPointF(0, -4 if end.y() <= 0 else metrics.ascent())
        else:
            place += QPointF(2, metrics.ascent() / 2 - 1)
        room = QRectF(
            place.x(), place.y() - metrics.ascent(), metrics.horizontalAdvance(text),
            metrics.height(),
        )  # fmt: skip
        for other in sorted(taken, key=QRectF.top):
            if room.intersects(other):
                room.moveTop(other.bottom())
        painter.drawText(QPointF(room.left(), room.top() + metrics.ascent()), text)
        return room

    def _place(self) -> None:
        area = self._box.rect()
        reach = _LENGTH + _MARGIN
        self.setPos(area.left() + reach + 6, area.bottom() - reach - 14)
