"""Many dots of a few styles as one item: each style is painted once, then stamped for each dot.

pyqtgraph's own scatter item keeps Python objects for each point and asks each for its style when
anything changes, which takes most of a frame at 10,000 points. Here a change of colour is one
array of small numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from shiboken6 import Shiboken

from coterie.core.model.arrays import Array
from coterie.gui.toolkit.plots.plotting import pg

_MOST_SMOOTH = 5000  # dots of sizes of their own whose edges are smoothed; it takes time
_FARTHEST = 2.0**30  # device coordinates past this crash Qt's rasteriser


@dataclass(frozen=True)
class DotStyle:
    """How a dot looks; `outline` is a colour, or nothing; `mark` one of the palette's."""

    colour: str
    size: float
    opacity: int = 255
    outline: str = ""
    mark: str = "circle"

    def paint(self, painter: QPainter, centre: QPointF) -> None:
        """Paint one dot."""
        fill = QColor(self.colour)
        fill.setAlpha(self.opacity)
        painter.setBrush(fill)
        painter.setPen(QPen(QColor(self.outline), 1.2) if self.outline else Qt.PenStyle.NoPen)
        paint_mark(painter, self.mark, centre, self.size)


# Corners on a circle of radius 1; of the same area, about, as that circle with a radius of 0.88.
_CORNERS = {
    "square": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "triangle": ((0.0, -1.15), (1.05, 0.75), (-1.05, 0.75)),
    "diamond": ((0.0, -1.2), (1.0, 0.0), (0.0, 1.2), (-1.0, 0.0)),
    "plus": (
        (-0.35, -1.1), (0.35, -1.1), (0.35, -0.35), (1.1, -0.35), (1.1, 0.35), (0.35, 0.35),
        (0.35, 1.1), (-0.35, 1.1), (-0.35, 0.35), (-1.1, 0.35), (-1.1, -0.35), (-0.35, -0.35),
    ),
}  # fmt: skip


def paint_mark(painter: QPainter, mark: str, centre: QPointF, size: float) -> None:
    """Paint the mark of a group about a point, with the painter's brush and pen."""
    radius = size / 2
    if mark in _CORNERS:
        corners = [centre + QPointF(x * radius, y * radius) for x, y in _CORNERS[mark]]
        painter.drawPolygon(corners)
    elif mark == "ring":
        painter.save()
        painter.setPen(QPen(painter.brush().color(), max(1.0, size / 4)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, 0.8 * radius, 0.8 * radius)
        painter.restore()
    else:
        painter.drawEllipse(centre, radius, radius)


class DotsItem(pg.GraphicsObject):  # type: ignore[misc] # the library ships no types
    """Dots at data coordinates, of a size in pixels, later ones on top of earlier ones."""

    def __init__(self) -> None:
        super().__init__()
        self._points = np.empty((2, 0))
        self._which = np.empty(0, dtype=np.int64)
        self._looks: tuple[DotStyle, ...] = ()
        self._scales: Array | float = 1.0
        self._opacities: Array | float = 1.0
        self._stamps: QPixmap | None = None
        self._bounds = QRectF()

    def set_dots(
        self,
        x: Array,
        y: Array,
        which: Array,
        looks: tuple[DotStyle, ...],
        scales: Array | None = None,
        opacities: Array | None = None,
    ) -> None:
        """Show dots at (x, y), the i-th with the look number `which[i]`.

        `scales` and `opacities` change the size and the opacity of a look for each dot apart.
        """
        self.prepareGeometryChange()
        self._scales = 1.0 if scales is None else scales
        self._opacities = 1.0 if opacities is None else opacities
        self._points = np.vstack([x, y])
        self._which = which
        if looks != self._looks:
            self._looks, self._stamps = looks, None
        self._bounds = QRectF()
        if self._points.size:
            (x0, y0), (x1, y1) = self._points.min(axis=1), self._points.max(axis=1)
            self._bounds = QRectF(x0, y0, x1 - x0, y1 - y0)
        self.update()

    def __len__(self) -> int:
        return int(self._which.size)

    # The graphics scene

    def boundingRect(self) -> QRectF:
        """The dots, whose size in data units depends on the zoom."""
        width, height = self.pixelVectors()
        if width is None or height is None or not len(self):
            return self._bounds
        reach = self._cell / 2 * float(np.max(self._scales))
        across, up = reach * abs(width.x()), reach * abs(height.y())
        return self._bounds.adjusted(-across, -up, across, up)

    def viewTransformChanged(self) -> None:
        """Say that the size in data units is another one."""
        super().viewTransformChanged()
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, _option: Any, widget: Any = None) -> None:
        if not len(self):
            return
        places = pg.functions.transformCoordinates(painter.transform(), self._points)
        places = np.clip(places, -_FARTHEST, _FARTHEST)
        painter.resetTransform()
        if isinstance(self._scales, np.ndarray) and len(self) <= _MOST_SMOOTH:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._exportOpts is not False:
            self._paint_shapes(painter, places, self._exportOpts.get("resolutionScale", 1.0))
            return
        ratio = widget.devicePixelRatioF() if widget is not None else 1.0
        if self._stamps is None or self._stamps.devicePixelRatio() != ratio:
            self._stamps = self._painted_stamps(ratio)
        side = self._cell * ratio
        fragments = np.empty((len(self), 10))
        fragments[:, 0:2] = places.T
        fragments[:, 2] = self._which * side  # where the look is in the stamps
        fragments[:, 3] = 0.0
        fragments[:, 4:6] = side
        fragments[:, 6] = fragments[:, 7] = self._scales / ratio
        fragments[:, 8] = 0.0  # rotation
        fragments[:, 9] = self._opacities
        # Qt reads the array itself: ten doubles for each fragment.
        first: Any = Shiboken.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
        painter.drawPixmapFragments(first, len(self), self._stamps)

    def _paint_shapes(self, painter: QPainter, places: Array, scale: float) -> None:
        """Paint each dot as a circle, for a picture that can be enlarged."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        sizes = np.broadcast_to(self._scales, len(self)).tolist()
        opacities = np.broadcast_to(self._opacities, len(self)).tolist()
        dots = zip((places / scale).T.tolist(), self._which.tolist(), sizes, opacities, strict=True)
        for (x, y), which, size, opacity in dots:
            look = self._looks[which]
            painter.setOpacity(opacity)
            replace(look, size=look.size * size).paint(painter, QPointF(x, y))
        painter.setOpacity(1.0)

    @property
    def _cell(self) -> int:
        """Pixels a stamp takes, with room for its outline."""
        return ceil(max((look.size for look in self._looks), default=1.0)) + 3

    def _painted_stamps(self, ratio: float) -> QPixmap:
        side = self._cell
        stamps = QPixmap(ceil(side * len(self._looks) * ratio), ceil(side * ratio))
        stamps.setDevicePixelRatio(ratio)
        stamps.fill(Qt.GlobalColor.transparent)
        painter = QPainter(stamps)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, look in enumerate(self._looks):
            look.paint(painter, QPointF((number + 0.5) * side, side / 2))
        painter.end()
        return stamps
