"""The mouse on a scatter: pan, or draw a box or a lasso around points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem

from coterie.gui.toolkit.plots import plotting
from coterie.gui.toolkit.plots.plotting import pg
from coterie.gui.toolkit.styling.theme import Colours

if TYPE_CHECKING:
    from coterie.projects.selection import Mode

_CLOSE = 3.0  # pixels: corners of a lasso nearer than this add nothing but work


def selection_mode(held: Qt.KeyboardModifier) -> Mode | None:
    """Return what a selection does, by the keys held; None without any.

    Shift or Ctrl add, both or Alt subtract, Alt and Shift keep what is in both.
    """
    shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
    control = bool(held & Qt.KeyboardModifier.ControlModifier)
    alt = bool(held & Qt.KeyboardModifier.AltModifier)
    if alt and shift and not control:
        return "intersect"
    if alt or (shift and control):
        return "subtract"
    return "add" if shift or control else None


class BrushBox(pg.ViewBox):  # type: ignore[misc] # the library ships no types
    """A plot area whose left button pans, or brushes with a box or a lasso."""

    brushed = pg.QtCore.Signal(object, object)  # (m, 2) corners in data units, modifiers
    pressed = pg.QtCore.Signal(object, object)  # point in data units, modifiers
    turned = pg.QtCore.Signal(float, float)  # pixels to the right and up

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.tool = "box"
        self.solid = False  # whether a drag with the tool "pan" turns rather than moves
        self._corners: list[tuple[float, float]] = []
        self._outline = QGraphicsPolygonItem()
        self._outline.setZValue(1e6)
        self._outline.hide()
        self.addItem(self._outline, ignoreBounds=True)

    def use(self, tool: str) -> None:
        """Let the left button do this from now on: "pan", "box" or "lasso"."""
        self.tool = tool

    def restyle(self, colours: Colours) -> None:
        """Take the colours of the theme again."""
        self._outline.setPen(plotting.line(colours.accent, 1.5))
        self._outline.setBrush(plotting.fill(colours.accent, 36))

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if self.solid and self.tool == "pan" and left:
            event.accept()
            moved = event.pos() - event.lastPos()
            self.turned.emit(float(moved.x()), float(-moved.y()))
            return
        if self.tool == "pan" or not left or axis is not None:
            super().mouseDragEvent(event, axis)
            return
        event.accept()
        here = self._data(event.pos())
        if event.isStart() or not self._corners:
            self._corners = [self._data(event.buttonDownPos())]
        if self.tool == "box":
            (x0, y0), (x1, y1) = self._corners[0], here
            shape = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        else:
            if self._far(here):
                self._corners.append(here)
            shape = self._corners
        if event.isFinish():
            self._outline.hide()
            self._corners = []
            self.brushed.emit(np.array(shape), event.modifiers())
        else:
            self._outline.setPolygon(QPolygonF([QPointF(x, y) for x, y in shape]))
            self._outline.show()

    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.pressed.emit(self._data(event.pos()), event.modifiers())

    def reach(self, pixels: float) -> tuple[float, float]:
        """Return so many pixels in the units of each axis."""
        width, height = self.viewPixelSize()
        return pixels * float(width), pixels * float(height)

    def _data(self, position: Any) -> tuple[float, float]:
        point = self.childGroup.mapFromParent(position)
        return float(point.x()), float(point.y())

    def _far(self, here: tuple[float, float]) -> bool:
        width, height = self.reach(_CLOSE)
        x, y = self._corners[-1]
        return ((here[0] - x) / width) ** 2 + ((here[1] - y) / height) ** 2 >= 1
