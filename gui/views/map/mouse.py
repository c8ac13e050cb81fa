"""The mouse on a map: move, draw a rectangle, a polygon or a free shape, or click a pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPolygonF

from coterie.gui.toolkit.plots.brush import BrushBox
from coterie.gui.toolkit.plots.plotting import pg

_CLOSE = 9.0  # pixels: a click this near the first corner closes a polygon


class MapBox(BrushBox):
    """A brush whose polygons are made corner by corner; y runs down, as rows do."""

    moved = pg.QtCore.Signal(object)  # place in columns and rows, or None

    def __init__(self) -> None:
        super().__init__()
        self.invertY(True)
        self.setAspectLocked(True)
        self.setMenuEnabled(False)
        self._polygon: list[tuple[float, float]] = []

    def use(self, tool: str) -> None:
        """Let the left button do this: "pan", "box", "lasso" or "polygon"."""
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
        super().mouseDragEvent(event, axis)

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
