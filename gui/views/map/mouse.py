"""The mouse on a map: move, draw a rectangle, a polygon or a free shape, or click a pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPolygonF

from coterie.gui.toolkit.plots.brush import BrushBox
from coterie.gui.toolkit.plots.plotting import pg

_CLOSE = 9.0  # pixels: a click this near the first corner closes a polygon
BRUSH = 12.0  # pixels: how wide the brush is on the screen, at any zoom


def outline_of(stroke: QPainterPath) -> list[tuple[float, float]]:
    """Return the corners of the outline of a stroke of the brush; what it encloses belongs to it.

    >>> path = QPainterPath(QPointF(0, 0))
    >>> path.lineTo(100, 0)
    >>> corners = outline_of(path)
    >>> round(min(x for x, _ in corners)), round(max(y for _, y in corners))
    (-6, 6)
    """
    pen = QPainterPathStroker()
    pen.setWidth(BRUSH)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCurveThreshold(0.5)
    rings = pen.createStroke(stroke).simplified().toSubpathPolygons()
    largest = max(rings, key=lambda ring: _area(ring.boundingRect()), default=QPolygonF())
    corners = [(point.x(), point.y()) for point in largest.toList()]
    return corners[:-1] if corners and corners[0] == corners[-1] else corners


def _area(box: QRectF) -> float:
    return box.width() * box.height()


class MapBox(BrushBox):
    """A brush whose polygons are made corner by corner; y runs down, as rows do."""

    moved = pg.QtCore.Signal(object)  # place in columns and rows, or None

    def __init__(self) -> None:
        super().__init__()
        self.invertY(True)
        self.setAspectLocked(True)
        self.setMenuEnabled(False)
        self._polygon: list[tuple[float, float]] = []
        self._stroke = QPainterPath()

    def use(self, tool: str) -> None:
        """Let the left button do this: "pan", "box", "lasso", "polygon" or "brush"."""
        self.drop_polygon()
        super().use("box" if tool == "box" else tool)

    @property
    def drawing(self) -> bool:
        """Whether a polygon is begun and not closed."""
        return bool(self._polygon)

    def drop_polygon(self) -> None:
        """Give up a polygon that is being drawn."""
        self._polygon = []
        self._outline.hide()

    def close_polygon(self, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Take the corners so far as a polygon, if they are enough."""
        corners = list(dict.fromkeys(self._polygon))
        self.drop_polygon()
        if len(corners) >= 3:
            self.brushed.emit(np.array(corners), held)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """In polygon mode dragging moves the map: corners are clicked."""
        if self.tool == "polygon":
            self.tool = "pan"
            try:
                super().mouseDragEvent(event, axis)
            finally:
                self.tool = "polygon"
            return
        if self.tool == "brush" and event.button() == Qt.MouseButton.LeftButton and axis is None:
            self._paint(event)
            return
        super().mouseDragEvent(event, axis)

    def _paint(self, event: Any) -> None:
        """Add to a stroke as wide as the brush; it is one shape when the button is released."""
        event.accept()
        if event.isStart() or self._stroke.isEmpty():
            self._stroke = QPainterPath(event.buttonDownPos())
        self._stroke.lineTo(event.pos())
        shape = np.array([self._data(QPointF(x, y)) for x, y in outline_of(self._stroke)])
        if event.isFinish():
            self._stroke = QPainterPath()
            self._outline.hide()
            self.brushed.emit(shape, event.modifiers())
        else:
            self._outline.setPolygon(QPolygonF([QPointF(x, y) for x, y in shape]))
            self._outline.show()

    def mouseClickEvent(self, event: Any) -> None:
        if self.tool != "polygon" or event.button() != Qt.MouseButton.LeftButton:
            super().mouseClickEvent(event)
            return
        event.accept()
        here = self._data(event.pos())
        if self._polygon and (event.double() or self._near_first(here)):
            self.close_polygon(event.modifiers())
            return
        self._polygon.append(here)
        self.trace(here)

    def trace(self, here: tuple[float, float]) -> None:
        """Show the polygon with a corner where the pointer is."""
        if self._polygon:
            corners = [QPointF(x, y) for x, y in (*self._polygon, here)]
            self._outline.setPolygon(QPolygonF(corners))
            self._outline.show()

    def _near_first(self, here: tuple[float, float]) -> bool:
        if len(self._polygon) < 3:
            return False
        width, height = self.reach(_CLOSE)
        x, y = self._polygon[0]
        return ((here[0] - x) / width) ** 2 + ((here[1] - y) / height) ** 2 <= 1
