"""The majority filter: each pixel takes the class that most pixels around it have."""

from __future__ import annotations

import numpy as np

from coterie.core.formats.rasters.maps import ReadRows
from coterie.core.model.arrays import Array, Ints

STRIP = 256  # rows filtered in one go


def majority_of(codes: Array, side: int, nodata: int) -> Array:
    """Return the majority class of the square of `side` pixels around each pixel.

    Pixels without data count for nothing and stay without. A pixel whose own class is among the
    most frequent keeps it; of others the one of the lowest number is taken.

    Examples
    --------
    >>> specks = np.array([[0, 0, 0, 9], [0, 1, 0, 1], [0, 0, 0, 1]])
    >>> majority_of(specks, 3, nodata=9).tolist()
    [[0, 0, 0, 9], [0, 0, 0, 0], [0, 0, 0, 1]]
    """
    known = codes != nodata
    best = np.zeros(codes.shape, dtype=np.int32)
    own = np.zeros(codes.shape, dtype=np.int32)
    found = codes.copy()
    for value in np.unique(codes[known]).tolist():
        inside = codes == value
        count = _around(inside, side)
        more = count > best
        found[more] = value
        best[more] = count[more]
        own[inside] = count[inside]
    return np.where(known & (own < best), found, codes).astype(codes.dtype)


def majority_rows(read: ReadRows, height: int, side: int, nodata: int) -> ReadRows:
    """Return what reads the rows of a map after the filter, a few more rows at a time."""
    reach = side // 2

    def filtered(top: int, bottom: int) -> Array:
        first, last = max(0, top - reach), min(height, bottom + reach)
        rows = majority_of(read(first, last), side, nodata)
        return rows[top - first : bottom - first]

    return filtered


def _around(inside: Array, side: int) -> Ints:
    """How many pixels of a square around each are marked, by sums of sums."""
    reach = side // 2
    padded = np.pad(inside, ((reach + 1, reach), (reach + 1, reach)))
    total = padded.astype(np.int32).cumsum(axis=0).cumsum(axis=1)
    down = total[side:] - total[:-side]
    count: Ints = down[:, side:] - down[:, :-side]
    return count
