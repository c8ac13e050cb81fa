"""Pictures of a crowd: how many points fall on each pixel, in the mixture of their colours.

A pixel is 1/2^e of the box that the crowd's cells divide, so one zoomed to has the same pixels
wherever it is moved: they are kept in tiles. Pixels as large as a cell or larger are sums of
cells; smaller ones are counted from the points of the cells in sight.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.embedding.crowd import CELLS, CHUNK, Crowd
from coterie.gui.views.embedding.limits import Box

TILE = 128  # pixels along each side
_KEPT = 200  # tiles of 256 KB
_FINEST = 40  # an exponent at which a pixel is narrower than a number is exact
_BASE = CELLS.bit_length() - 1

Sums = NDArray[np.float32]
Place = tuple[float, float]


class Layer:
    """Sums of the points of a crowd in each pixel: of red, green and blue, and of their number.

    Parameters
    ----------
    codes : (n,) a class for each point
    table : (classes, 4) what a point of each class adds; zeros for one that is not seen
    """

    def __init__(self, crowd: Crowd, codes: Array, table: Floats) -> None:
        self._crowd, self._codes, self._table = crowd, codes, np.asarray(table, dtype=np.float64)
        self._tiles: OrderedDict[tuple[int, int, int, int], Sums] = OrderedDict()
        base = np.zeros((CELLS * CELLS, 4), dtype=np.float32)
        for cells, items in crowd.by_cells():
            first, last = int(cells[0]), int(cells[-1]) + 1
            self._add(base[first:last], cells - first, items)
        self._cells = base.reshape(CELLS, CELLS, 4)
        self._far = self._table[codes[crowd.far]]

    def sums(self, box: Box, size: tuple[int, int]) -> tuple[Sums, Box]:
        """Return the sums in the pixels that cover `box`, about `size` many, and their own box."""
        x0, y0, _, _ = self._crowd.near
        sides = self._crowd.sides
        reach = box[2] - box[0], box[3] - box[1]
        ex, ey = (_exponent(sides[a] * size[a] / reach[a]) for a in (0, 1))
        pixel = math.ldexp(sides[0], -ex), math.ldexp(sides[1], -ey)
        left, right = math.floor((box[0] - x0) / pixel[0]), math.ceil((box[2] - x0) / pixel[0])
        low, high = math.floor((box[1] - y0) / pixel[1]), math.ceil((box[3] - y0) / pixel[1])
        found = np.zeros((max(high - low, 1), max(right - left, 1), 4), dtype=np.float32)
        across, up = math.ceil(math.ldexp(1.0, ex)), math.ceil(math.ldexp(1.0, ey))
        for j in range(max(low, 0) // TILE, -(-min(high, up) // TILE)):
            for i in range(max(left, 0) // TILE, -(-min(right, across) // TILE)):
                _place(found, self._tile(ex, ey, i, j), i * TILE - left, j * TILE - low)
        covered = x0 + left * pixel[0], y0 + low * pixel[1]
        self._add_far(found, covered, pixel)
        height, width = found.shape[:2]
        return found, (*covered, covered[0] + width * pixel[0], covered[1] + height * pixel[1])

    def _add(self, sums: Sums, pixels: Array, items: Array) -> None:
        """Add points to the pixels that each falls on."""
        codes = self._codes[items]
        for channel in range(4):
            weights = self._table[codes, channel]
            sums[:, channel] += np.bincount(pixels, weights=weights, minlength=len(sums))

    def _add_far(
        self, found: Sums, origin: tuple[float, float], pixel: tuple[float, float]
    ) -> None:
        far = self._crowd.far
        height, width = found.shape[:2]
        for start in range(0, len(far), CHUNK):
            items = far[start : start + CHUNK]
            column = np.floor((self._crowd.x[items] - origin[0]) / pixel[0])
            row = np.floor((self._crowd.y[items] - origin[1]) / pixel[1])
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            at = (row[inside] * width + column[inside]).astype(np.int64)
            self._add(found.reshape(-1, 4), at, items[inside])

    def _tile(self, ex: int, ey: int, i: int, j: int) -> Sums:
        key = ex, ey, i, j
        if key in self._tiles:
            self._tiles.move_to_end(key)
            return self._tiles[key]
        coarse = ex <= _BASE and ey <= _BASE
        made = self._of_cells(*key) if coarse else self._of_points(*key)
        self._tiles[key] = made
        if len(self._tiles) > _KEPT:
            self._tiles.popitem(last=False)
        return made

    def _of_cells(self, ex: int, ey: int, i: int, j: int) -> Sums:
        wide, tall = (min(1 << (_BASE - e), CELLS) for e in (ex, ey))
        part = self._cells[j * TILE * tall : (j + 1) * TILE * tall]
        part = part[:, i * TILE * wide : (i + 1) * TILE * wide]
        height, width = part.shape[0] // tall, part.shape[1] // wide
        summed: Sums = part.reshape(height, tall, width, wide, 4).sum(axis=(1, 3))
        return summed

    def _of_points(self, ex: int, ey: int, i: int, j: int) -> Sums:
        crowd = self._crowd
        x0, y0, _, _ = crowd.near
        sides = crowd.sides
        pixel = math.ldexp(sides[0], -ex), math.ldexp(sides[1], -ey)
        left, low = x0 + i * TILE * pixel[0], y0 + j * TILE * pixel[1]
        box = left, low, left + TILE * pixel[0], low + TILE * pixel[1]
        sums = np.zeros((TILE * TILE, 4), dtype=np.float32)
        last = math.ceil(math.ldexp(1.0, ex)) - 1, math.ceil(math.ldexp(1.0, ey)) - 1
        for items in crowd.in_cells(*crowd.cells_in(box)):
            # As cells are: a point on the far side of the box is in its last pixel.
            column = np.minimum(np.floor((crowd.x[items] - x0) / pixel[0]), last[0]) - i * TILE
            row = np.minimum(np.floor((crowd.y[items] - y0) / pixel[1]), last[1]) - j * TILE
            inside = (column >= 0) & (column < TILE) & (row >= 0) & (row < TILE)
            at = (row[inside] * TILE + column[inside]).astype(np.int64)
            self._add(sums, at, items[inside])
        return sums.reshape(TILE, TILE, 4)


def shaded(sums: Sums) -> Bytes:
    """Return the picture of some sums, row 0 at the bottom.

    A pixel's colour is the mean of its points' colours; how opaque it is grows with the logarithm
    of their number, so single points stay visible beside crowds.
    """
    image = np.zeros(sums.shape, dtype=np.uint8)
    counts = sums[..., 3]
    filled = counts > 0
    if filled.any():
        image[filled, :3] = np.round(sums[filled, :3] / counts[filled, None]).clip(0, 255)
        opaque = np.log1p(counts[filled]) / np.log1p(counts.max())
        image[filled, 3] = np.round(255 * (0.35 + 0.65 * opaque))
    return image


def _exponent(pixels: float) -> int:
    """Into how many pixels the whole is divided, as a power of two: about so many."""
    return min(round(math.log2(max(pixels, 1e-9))), _FINEST)


def _place(target: Sums, tile: Sums, left: int, low: int) -> None:
    """Put a tile into a picture, as far as it is in there."""
    height, width = tile.shape[:2]
    x0, x1 = max(left, 0), min(left + width, target.shape[1])
    y0, y1 = max(low, 0), min(low + height, target.shape[0])
    if x0 < x1 and y0 < y1:
        target[y0:y1, x0:x1] = tile[y0 - low : y1 - low, x0 - left : x1 - left]
