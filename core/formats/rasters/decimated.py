"""Every so many pixels of a raster, for pictures smaller than it.

GDAL unpacks a block again for nearly every row that it picks from it: reading whole blocks and
picking afterwards is ten to fifty times faster, unless the file has smaller copies of its own.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Ints

MOST_BYTES = 1 << 25  # read in one go


def read_decimated(
    source: Any, bands: list[int], corner: tuple[int, int], size: tuple[int, int], shape: Any
) -> Array:
    """Return (bands, height, width) stored values of the pixels nearest to a coarser grid.

    Parameters
    ----------
    source : an open raster of rasterio
    bands : numbers of its bands, from 1
    corner, size : top and left, height and width of the window to read
    shape : height and width to return, at most those of the window
    """
    window = _window(corner, size)
    step = min(size[0] / shape[0], size[1] / shape[1])
    if any(factor <= step for factor in source.overviews(bands[0])):
        return np.asarray(source.read(bands, window=window, out_shape=shape))
    rows, columns = (picked(many, few) for many, few in zip(size, shape, strict=True))
    found = np.empty((len(bands), *shape), dtype=source.dtypes[bands[0] - 1])
    at = 0
    for first, last in _runs(source, bands, corner[0], rows, size[1], found.itemsize):
        here = rows[(rows >= first) & (rows <= last)]
        piece = _window((corner[0] + first, corner[1]), (last - first + 1, size[1]))
        read = source.read(bands, window=piece)
        found[:, at : at + len(here)] = read[:, here - first][:, :, columns]
        at += len(here)
    return found


def picked(many: int, few: int) -> Ints:
    """Return which of `many` pixels are nearest to the middles of `few` larger ones.

    >>> picked(8, 2)
    array([2, 6])
    """
    return np.minimum(((np.arange(few) + 0.5) * many / few).astype(np.int64), many - 1)


def _runs(
    source: Any, bands: list[int], top: int, rows: Ints, width: int, itemsize: int
) -> list[tuple[int, int]]:
    """First and last of the rows to read together: of one row of blocks, and not too many."""
    high = max(1, source.block_shapes[bands[0] - 1][0])
    most = max(1, MOST_BYTES // (len(bands) * width * itemsize))
    if high > most:  # one huge block, as of a picture: GDAL goes through it row by row
        high = most
    runs = []
    for _, group in groupby(rows.tolist(), key=lambda row: (top + row) // high):
        members = list(group)
        runs.append((members[0], members[-1]))
    return runs


def _window(corner: tuple[int, int], size: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """A window as rasterio takes it: rows from … to, columns from … to."""
    return tuple((first, first + count) for first, count in zip(corner, size, strict=True))
