"""Draws the points of a scatter: as dots, or as one image when there are very many."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF

from coterie.core.model.arrays import Array
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.toolkit.plots.dots import DotsItem, DotStyle
from coterie.gui.toolkit.plots.plotting import fill, pg
from coterie.gui.toolkit.styling.theme import Colours
from coterie.gui.views.embedding.camera import Seen
from coterie.gui.views.embedding.dense import Drawn
from coterie.gui.views.embedding.limits import Box
from coterie.gui.views.embedding.sprites import PointCloud
from coterie.gui.views.shown_items.colouring import Colouring

_DIMMED = 60  # opacity of what is not selected, of 255
_CLEAR = 225
_SIZES = (0.6, 0.85, 1.2, 1.6, 2.1)  # of the usual diameter, by level
_MOST_STAMPED = 2_000  # points in three dimensions painted one by one; more are one picture
_IMAGE_PIXELS = 450  # along each side; more would only show single points as specks


class Points:
    """All points in a plot."""

    def __init__(self, plot: Any) -> None:
        self._plot = plot
        self.exported = False  # whether points must be shapes, as the picture may be enlarged
        self._dots = DotsItem()
        self._image = pg.ImageItem()
        self._image.setZValue(-10)
        self._ground = pg.ScatterPlotItem(size=16, pen=pg.mkPen(None))
        self._ground.setZValue(-20)
        plot.addItem(self._ground, ignoreBounds=True)
        plot.addItem(self._image, ignoreBounds=True)
        plot.addItem(self._dots, ignoreBounds=True)

    @property
    def is_image(self) -> bool:
        """Whether points are a picture of the visible part, redrawn when that moves."""
        return bool(self._image.isVisible())

    def draw(
        self,
        x: Array,
        y: Array,
        colouring: Colouring,
        selected: Array,
        colours: Colours,
        sizes: Array | None = None,
        seen: Seen | None = None,
    ) -> None:
        """Draw each point in its colour; when some are selected, dim all others.

        `sizes` makes some points larger than others: a level for each. `seen` says which are near
        and which far.
        """
        size = _point_size(len(x))
        shown = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        which = colouring.codes[shown]
        shades = colouring.colours
        diameters: tuple[float, ...] = (size,)
        if sizes is not None:
            diameters = tuple(size * factor for factor in _SIZES)
            which = which + len(shades) * sizes[shown]
        plain = [
            DotStyle(colour, diameter, _CLEAR, mark=colouring.mark(code))
            for diameter in diameters
            for code, colour in enumerate(shades)
        ]
        if not selected.any():
            looks = tuple(plain)
        else:
            dimmed = [replace(look, opacity=_DIMMED) for look in plain]
            chosen = [replace(look, size=look.size + 3, outline=colours.text) for look in plain]
            looks = (*dimmed, *chosen)
            which = which + len(dimmed) * selected[shown]
        if seen is not None and sizes is None and len(x) > _MOST_STAMPED and not self.exported:
            self._draw_cloud(x, y, colouring, selected, colours, seen)
            return
        if seen is not None:
            # The far ones first, as the near ones hide them; what is selected on top.
            self._image.hide()
            order = np.lexsort((seen.depth[shown], selected[shown]))
            places = shown[order]
            # A selected one is seen clearly, however far it is.
            opacities = np.where(selected[places], 1.0, seen.opacities[places])
            self._dots.set_dots(
                x[places], y[places], which[order], looks, seen.scales[places], opacities
            )
            return
        self._image.hide()
        # Grey at the bottom, then one colour after the other, what is selected on top.
        order = np.argsort(which, kind="stable")
        places = shown[order]
        self._dots.set_dots(x[places], y[places], which[order], looks)

    def _draw_cloud(
        self,
        x: Array,
        y: Array,
        colouring: Colouring,
        selected: Array,
        colours: Colours,
        seen: Seen,
    ) -> None:
        """Draw the points as balls, in one picture of what is visible."""
        self.hide()
        cloud = PointCloud(
            x, y, seen.nearness, colouring.codes, selected, colouring.colours, colours.base,
            colours.text,
        )  # fmt: skip
        box = self._plot.getViewBox()
        (x0, x1), (y0, y1) = box.viewRange()
        area, view = box.rect(), box.getViewWidget()
        ratio = view.devicePixelRatioF() if view is not None else 1.0
        size = (max(round(area.width() * ratio), 64), max(round(area.height() * ratio), 64))
        picture = cloud.picture((x0, y0, x1, y1), size, _point_size(len(x)) + 1, ratio)
        self._show_image(picture, (x0, y0, x1, y1))

    def _show_image(self, picture: Bytes, box: Box) -> None:
        x0, y0, x1, y1 = box
        self._image.setImage(picture, levels=(0, 255), autoLevels=False)
        self._image.setRect(QRectF(x0, y0, x1 - x0, y1 - y0))
        self._image.show()

    def draw_ground(self, places: Array | None, colours: Colours) -> None:
        """Draw large pale dots under the points: of all countries they make out the continents."""
        self._ground.setVisible(places is not None)
        if places is not None:
            self._ground.setData(places[:, 0], places[:, 1], brush=fill(colours.grid))

    def draw_dense(self, drawn: Drawn, colours: Colours) -> None:
        """Draw the picture of very many points, and some that are selected on top of it."""
        self._show_image(drawn.picture, drawn.box)
        few, crowd = drawn.dots, drawn.crowd
        look = DotStyle(colours.accent, 4.0, _CLEAR)
        places = np.zeros(len(few), dtype=np.int64)
        self._dots.set_dots(crowd.x[few], crowd.y[few], places, (look,))

    def hide(self) -> None:
        """Draw nothing, as it is not known yet where the points are."""
        self._image.hide()
        nothing = np.empty(0)
        self._dots.set_dots(nothing, nothing, np.empty(0, dtype=np.int64), ())

    def picture_size(self) -> tuple[int, int]:
        """Return how many pixels a picture of very many points has on each side."""
        area = self._plot.getViewBox().rect()
        width, height = (max(int(side), 64) for side in (area.width() / 2, area.height() / 2))
        return min(width, _IMAGE_PIXELS), min(height, _IMAGE_PIXELS)


def _point_size(n: int) -> float:
    for most, size in ((300, 9.0), (2000, 7.0), (10_000, 5.0)):
        if n <= most:
            return size
    return 4.0
