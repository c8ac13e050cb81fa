"""Dense descriptors of small pictures: which directions their edges have, patch by patch.

Like SIFT's without its search for points of interest: patches lie on an even grid, upright, of one
size. A patch has 4 × 4 cells, a cell a histogram of 8 directions: 128 numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints

CELLS, DIRECTIONS = 4, 8
LENGTH = CELLS * CELLS * DIRECTIONS
# After Lowe: no entry above 0.2 of the length, so one strong edge does not hide the others.
LARGEST = 0.2


@dataclass(frozen=True)
class PatchGrid:
    """Where the patches are: their centres evenly over a picture of height × width pixels.

    The part of a patch outside the picture counts nothing.

    Attributes
    ----------
    patch : side of a patch in pixels
    step : from the middle of one patch to that of the next, about
    """

    height: int
    width: int
    patch: int
    step: int

    @property
    def rows(self) -> Floats:
        """The middles from the top, in pixels from the upper edge."""
        return _middles(self.height, self.step)

    @property
    def columns(self) -> Floats:
        """The middles from the left, in pixels from the left edge."""
        return _middles(self.width, self.step)

    @property
    def count(self) -> int:
        """Number of patches of a picture."""
        return len(self.rows) * len(self.columns)


def dense_descriptors(pictures: Array, grid: PatchGrid) -> Floats:
    """Return the descriptors of each picture's patches, row by row.

    Each direction of the gradient shares its strength among the two nearest of eight, each pixel
    among the nearest cells, and the outer cells of a patch count less. Descriptors have length
    one; that of an even patch is zero. Two matrix products for each direction: no loop over
    patches. Memory: about 24 numbers for each pixel, and the result.

    Parameters
    ----------
    pictures : (m, height, width)

    Returns
    -------
    (m, patches, 128) of float32

    Examples
    --------
    >>> upright = np.tile(np.arange(8.0), (1, 8, 1))
    >>> found = dense_descriptors(upright, PatchGrid(8, 8, patch=4, step=4))
    >>> found.shape
    (1, 4, 128)
    >>> np.flatnonzero(found[0, 0].reshape(16, 8).sum(axis=0)).tolist()  # brighter to the right
    [0]
    """
    values = np.asarray(pictures, dtype=np.float64)
    # A picture's scale does not matter to unit vectors, but large numbers would overflow.
    values = values / (np.abs(values).max(initial=0.0) or 1.0)
    down, right = (_slopes(values, axis) for axis in (1, 2))
    strength = np.hypot(down, right)
    turn = np.arctan2(down, right) * (DIRECTIONS / (2 * np.pi)) % DIRECTIONS
    across_rows = _cell_weights(grid.rows, grid.height, grid.patch)
    across_columns = _cell_weights(grid.columns, grid.width, grid.patch)
    m, rows, columns = len(values), len(grid.rows), len(grid.columns)
    found = np.empty((m, rows, columns, CELLS, CELLS, DIRECTIONS), dtype=np.float32)
    for direction in range(DIRECTIONS):
        apart = np.abs((turn - direction + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
        shared = strength * np.maximum(0.0, 1.0 - apart)
        cells = across_rows @ shared @ across_columns.T
        cells = cells.reshape(m, rows, CELLS, columns, CELLS).transpose(0, 1, 3, 2, 4)
        found[..., direction] = cells
    flat = found.reshape(m, rows * columns, LENGTH)
    return _unit(np.minimum(_unit(flat), LARGEST))


def pyramid_parts(grid: PatchGrid, levels: int) -> list[Ints]:
    """Return for each level in which of its 4^level parts each patch has its middle.

    >>> pyramid_parts(PatchGrid(8, 8, patch=4, step=4), 2)[1].tolist()
    [0, 1, 2, 3]
    """
    parts = []
    for level in range(levels):
        side = 2**level
        row, column = (
            np.minimum((middles * side / extent).astype(np.int64), side - 1)
            for middles, extent in ((grid.rows, grid.height), (grid.columns, grid.width))
        )
        parts.append((row[:, None] * side + column).ravel())
    return parts


def pyramid_histograms(words: Ints, count: int, grid: PatchGrid, levels: int) -> Floats:
    """Return how often each word occurs in each part of each picture; a row sums to one.

    Parameters
    ----------
    words : (m, patches) the word of each patch
    count : number of words

    Returns
    -------
    (m, (1 + 4 + 16 + …) · count): the words of the whole first, then of each quarter, and so on,
    as the spatial pyramid kernel takes them
    """
    m = len(words)
    pictures = np.arange(m)[:, None]
    histograms = []
    for level, part in enumerate(pyramid_parts(grid, levels)):
        width = 4**level * count
        places = (pictures * width + part * count + words).ravel()
        histograms.append(np.bincount(places, minlength=m * width).reshape(m, width))
    return np.asarray(np.hstack(histograms) / (levels * words.shape[1]))


def _middles(extent: int, step: int) -> Floats:
    count = max(1, round(extent / step))
    return (np.arange(count) + 0.5) * (extent / count)


def _slopes(values: Floats, axis: int) -> Floats:
    """Central differences, one-sided at the border; none along a side of one pixel."""
    if values.shape[axis] < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, axis=axis))


def _cell_weights(middles: Floats, extent: int, patch: int) -> Floats:
    """What each pixel counts in each cell along one axis: (middles · 4, extent)."""
    side = patch / CELLS
    offsets = (np.arange(CELLS) - (CELLS - 1) / 2) * side
    centres = (middles[:, None] + offsets).reshape(-1, 1)
    near = np.maximum(0.0, 1.0 - np.abs(np.arange(extent) + 0.5 - centres) / max(side, 1.0))
    fades = np.exp(-0.5 * (offsets / (patch / 2)) ** 2)
    return np.asarray(near * np.tile(fades, len(middles))[:, None])


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    # An even patch has only rounding in it, which must not be blown up.
    return np.asarray(vectors / np.where(lengths > 1e-6, lengths, np.inf), dtype=np.float32)
