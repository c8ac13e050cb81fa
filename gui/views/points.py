"""Draws the points of a scatter: one item per colour, or one image when there are very many."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF

from coterie.core.arrays import Array
from coterie.gui.states.colouring import Colouring
from coterie.gui.states.density import density_image
from coterie.gui.theme import Colours
from coterie.gui.views import plotting
from coterie.gui.views.plotting import pg

_DIMMED = 60  # opacity of what is not selected, of 255
_MOST_EMPHASISED = 20_000  # selected points drawn one by one on top of an image


class Points:
    """All points in a plot. `draw` gives only what changed to the plotting library."""

    def __init__(self, plot: Any) -> None:
        self._plot = plot
        self._items: dict[tuple[str, int], Any] = {}
        self._drawn: dict[tuple[str, int], tuple[str, Array]] = {}
        self._where: tuple[Array, Array] | None = None
        self._image: Any = None

    def restyle(self) -> None:
        """Forget what is drawn, as all colours changed."""
        self._drawn.clear()

    def draw(
        self, x: Array, y: Array, colouring: Colouring, selected: Array, colours: Colours
    ) -> None:
        """Draw each point in its colour; when some are selected, dim all others."""
        if self._where is None or self._where[0] is not x or self._where[1] is not y:
            self._where = (x, y)
            self._drawn.clear()
        self._hide_image()
        shown = np.isfinite(x) & np.isfinite(y)
        any_selected = bool(selected.any())
        size = _point_size(len(x))
        wanted: dict[tuple[str, int], Array] = {}
        order = np.argsort(colouring.codes, kind="stable")
        order = order[shown[order]]
        bounds = np.searchsorted(colouring.codes[order], np.arange(len(colouring.colours) + 1))
        for code, (first, last) in enumerate(pairwise(bounds.tolist())):
            members = order[first:last]
            if not any_selected:
                wanted["plain", code] = members
                continue
            chosen = selected[members]
            wanted["dimmed", code] = members[~chosen]
            wanted["chosen", code] = members[chosen]
        for key in [*self._items]:
            if key not in wanted:
                self._put(key, np.empty(0, dtype=np.int64), "#000000", size, colours)
        for (look, code), members in wanted.items():
            self._put((look, code), members, colouring.colours[code], size, colours)

    def draw_density(
        self, x: Array, y: Array, colouring: Colouring, selected: Array, colours: Colours
    ) -> None:
        """Draw the visible part as an image, and the selected points on top if they are few."""
        box = self._plot.getViewBox()
        (x0, x1), (y0, y1) = box.viewRange()
        pixels = box.screenGeometry() if box.scene() is not None else None
        width = max(int(pixels.width()) if pixels is not None else 0, 64)
        height = max(int(pixels.height()) if pixels is not None else 0, 64)
        size = (min(width, 900) // 2, min(height, 900) // 2)
        picture = density_image(x, y, colouring, (x0, y0, x1, y1), size)
        if selected.any():
            picture = picture.copy()
            picture[..., 3] //= 3
        if self._image is None:
            self._image = pg.ImageItem()
            self._image.setZValue(-10)
            self._plot.addItem(self._image, ignoreBounds=True)
        self._image.setImage(picture, levels=(0, 255), autoLevels=False)
        self._image.setRect(QRectF(x0, y0, x1 - x0, y1 - y0))
        self._image.show()
        few = np.flatnonzero(selected)
        few = few if len(few) <= _MOST_EMPHASISED else few[:: len(few) // _MOST_EMPHASISED]
        self._where = (x, y)
        for key in [*self._items]:
            if key != ("chosen", -1):
                self._put(key, few[:0], "#000000", 4, colours)
        self._put(("chosen", -1), few, colours.accent, 4, colours)

    def _put(
        self, key: tuple[str, int], members: Array, colour: str, size: float, colours: Colours
    ) -> None:
        item = self._items.get(key)
        if item is None:
            if len(members) == 0:
                return
            item = self._items[key] = pg.ScatterPlotItem(pxMode=True, useCache=True)
            self._plot.addItem(item, ignoreBounds=True)
        look, code = key
        drawn = self._drawn.get(key)
        if drawn is not None and drawn[0] == colour and np.array_equal(drawn[1], members):
            return
        self._drawn[key] = (colour, members)
        if len(members) == 0:
            item.clear()
            return
        assert self._where is not None
        x, y = self._where
        chosen = look == "chosen"
        item.setZValue({"dimmed": 0, "plain": 1, "chosen": 2}[look] + 0.001 * min(code, 900))
        item.setData(
            x=x[members],
            y=y[members],
            size=size + 3 if chosen else size,
            brush=plotting.fill(colour, _DIMMED if look == "dimmed" else 225),
            pen=plotting.line(colours.text, 1.2) if chosen else pg.mkPen(None),
        )

    def _hide_image(self) -> None:
        if self._image is not None and self._image.isVisible():
            self._image.hide()
            self._drawn.clear()


def _point_size(n: int) -> float:
    for most, size in ((300, 9.0), (2000, 7.0), (10_000, 5.0)):
        if n <= most:
            return size
    return 4.0
