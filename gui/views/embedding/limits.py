"""Which part of a plot shows the data, and how a crowd in one spot is made visible."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Array

Box = tuple[float, float, float, float]
TAIL = 1.0  # percent of the items at either end that may be outliers
FAR = 1.0  # times the spread of the others: what is beyond takes the room of all
LEAST_ITEMS = 20  # of fewer, none is an outlier
CELLS = 50  # along each side, in which places are counted
COLLAPSED = 0.05  # of as many cells as could be filled
LEAST_COLLAPSED = 200  # items; fewer can be seen one by one
FILLED = 0.3  # of the area, by all discs together


def range_of(values: Array) -> tuple[float, float]:
    """Return the least and the largest value, both of the most items when a few are far off.

    >>> range_of(np.append(np.linspace(0, 1, 200), 1e6))[1] < 2
    True
    >>> range_of(np.array([0.0, 1.0, 5.0]))
    (0.0, 5.0)
    """
    least, most = float(values.min()), float(values.max())
    if len(values) < LEAST_ITEMS:
        return least, most
    low, high = (float(value) for value in np.percentile(values, (TAIL, 100 - TAIL)))
    spread = high - low
    if spread <= 0:
        return least, most
    near = values[(values >= low - FAR * spread) & (values <= high + FAR * spread)]
    return float(near.min()), float(near.max())


def limits_of(x: Array, y: Array, *, whole: bool = False) -> Box:
    """Return the box (x0, y0, x1, y1) to show: of all points, or without far outliers."""
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return 0.0, 0.0, 1.0, 1.0
    x, y = x[known], y[known]
    if whole:
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())
    (x0, x1), (y0, y1) = range_of(x), range_of(y)
    return x0, y0, x1, y1


def is_collapsed(x: Array, y: Array) -> bool:
    """Return whether so many points share so few places that one sees specks.

    >>> is_collapsed(np.repeat([0.0, 1.0], 500), np.zeros(1000))
    True
    """
    column, row, known = _cells(x, y)
    n = int(known.sum())
    if n < LEAST_COLLAPSED:
        return False
    filled = len(np.unique(row * CELLS + column))
    return filled < COLLAPSED * min(n, CELLS * CELLS)


def spread_out(x: Array, y: Array, *, equal: bool = False) -> tuple[Array, Array]:
    """Return the points with each crowd drawn as a disc about its middle, as large as it is.

    Within a crowd an item keeps its direction from the middle, and of two the one that is farther
    out stays so, both measured by the crowd's own spread; distances within it say nothing any more.

    Parameters
    ----------
    equal : whether both axes are drawn to the same scale
    """
    from scipy.ndimage import label

    x0, y0, x1, y1 = limits_of(x, y)
    across, up = (x1 - x0) or 1.0, (y1 - y0) or 1.0
    if equal:
        across = up = max(across, up)
    column, row, known = _cells(x, y)
    grid = np.zeros((CELLS, CELLS), dtype=bool)
    grid[row, column] = True
    crowds, count = label(grid, structure=np.ones((3, 3)))
    items = np.flatnonzero(known)
    crowd = crowds[row, column] - 1
    sizes = np.bincount(crowd, minlength=count)
    u, v = (x[items] - x0) / across, (y[items] - y0) / up
    u -= (np.bincount(crowd, u, count) / sizes)[crowd]
    v -= (np.bincount(crowd, v, count) / sizes)[crowd]
    own_u, own_v = _in_deviations(u, crowd, sizes), _in_deviations(v, crowd, sizes)
    radius, angle = np.hypot(own_u, own_v), np.arctan2(own_v, own_u)
    # Where all are at one point there is no direction: the golden angle fills a disc evenly.
    order = np.lexsort((items, radius, crowd))
    place = np.arange(len(items)) - (np.cumsum(sizes) - sizes)[crowd[order]]
    rank = np.empty(len(items))
    rank[order] = place + 0.5
    angle = np.where(radius > 0, angle, rank * np.pi * (3 - np.sqrt(5)))
    unit = np.sqrt(FILLED / (np.pi * max(1, len(items))))
    far = unit * np.sqrt(rank)
    spread_x, spread_y = np.array(x, dtype=float), np.array(y, dtype=float)
    spread_x[items] += (far * np.cos(angle) - u) * across
    spread_y[items] += (far * np.sin(angle) - v) * up
    return spread_x, spread_y


def _in_deviations(offsets: Array, crowd: Array, sizes: Array) -> Array:
    """Offsets from the middle of each crowd, in its standard deviations; rounding is none."""
    spread = np.sqrt(np.bincount(crowd, offsets**2, len(sizes)) / sizes)
    spread = np.where(spread > 1e-12, spread, np.inf)
    return np.asarray(offsets / spread[crowd])


def _cells(x: Array, y: Array) -> tuple[Array, Array, Array]:
    """The column and row of each point that has a place, and which points have."""
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), known
    x0, y0, x1, y1 = limits_of(x, y)
    column = (x[known] - x0) / ((x1 - x0) or 1.0) * CELLS
    row = (y[known] - y0) / ((y1 - y0) or 1.0) * CELLS
    return (
        np.clip(column, 0, CELLS - 1).astype(np.int64),
        np.clip(row, 0, CELLS - 1).astype(np.int64),
        known,
    )
