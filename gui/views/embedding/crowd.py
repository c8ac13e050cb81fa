"""Very many points sorted into cells, so what is in a part of the plane is found without the rest.

Everything goes over the points in chunks: whoever works on a thread lets the window have its turn
between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.gui.views.embedding.limits import Box, is_collapsed, range_of, spread_out
from coterie.gui.views.shown_items import geometry

CHUNK = 1 << 18
CELLS = 512  # along each side
_SAMPLE = 1 << 16  # of the points, which show where most are
_MOST_NEAR = 50_000  # points among which the nearest is looked for


class Crowd:
    """Where n points are.

    Attributes
    ----------
    x, y : the places; a point without one has NaN
    near : the box (x0, y0, x1, y1) of all points but far outliers
    whole : the box of all points
    far : positions of the outliers, which are in no cell
    unplaced : how many points have no place
    spread : whether crowds in one spot are drawn as discs
    radius : how far from the origin the points may be when they turn in three dimensions
    """

    def __init__(
        self, x: Array, y: Array, *, spread: bool = False, radius: float | None = None
    ) -> None:
        self.x, self.y, self.spread, self.radius = x, y, spread, radius
        self.near, self.whole, self.unplaced = _boxes(x, y)
        cell = np.empty(len(x), dtype=np.int32)
        for part in chunks(len(x)):
            cell[part] = self._cells_of(x[part], y[part])
        order = np.argsort(cell, kind="stable").astype(np.int32)
        counts = np.zeros(CELLS * CELLS + 2, dtype=np.int64)
        for part in chunks(len(x)):
            counts += np.bincount(cell[part], minlength=len(counts))
        starts = np.concatenate([[0], np.cumsum(counts)])
        self._starts = starts[: CELLS * CELLS + 1]
        self.far: Ints = order[starts[-3] : starts[-2]]
        self._order = order[: starts[-3]]

    @classmethod
    def of(cls, x: Array, y: Array, *, spread: bool | None = False, equal: bool = False) -> Crowd:
        """Return the points as they are, or crowds of them as discs: as chosen, or where needed."""
        wanted = is_collapsed(x, y) if spread is None else spread
        return cls(*(spread_out(x, y, equal=equal) if wanted else (x, y)), spread=wanted)

    @property
    def sides(self) -> tuple[float, float]:
        """The width and height of the box that the cells divide."""
        x0, y0, x1, y1 = self.near
        return (x1 - x0) or 1.0, (y1 - y0) or 1.0

    def _cells_of(self, x: Array, y: Array) -> Array:
        """The cell of each point, row by row; after the last come outliers, then the unplaced."""
        x0, y0, x1, y1 = self.near
        across, up = self.sides
        known = np.isfinite(x) & np.isfinite(y)
        inside = known & geometry.in_box(x, y, (x0, y0, x1, y1))
        column, row = np.zeros(len(x), dtype=np.int32), np.zeros(len(x), dtype=np.int32)
        column[inside] = (x[inside] - x0) / across * CELLS
        row[inside] = (y[inside] - y0) / up * CELLS
        cell = np.minimum(row, CELLS - 1) * CELLS + np.minimum(column, CELLS - 1)
        return np.where(inside, cell, np.where(known, CELLS * CELLS, CELLS * CELLS + 1))

    def by_cells(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield the cells of some points, ascending, and their positions; all but outliers."""
        cell = 0
        for part in chunks(len(self._order)):
            last = int(np.searchsorted(self._starts, part.stop, side="left"))
            bounds = np.clip(self._starts[cell : last + 1], part.start, part.stop)
            yield np.repeat(np.arange(cell, last), np.diff(bounds)), self._order[part]
            cell = int(np.searchsorted(self._starts, part.stop, side="right")) - 1

    def in_cells(self, columns: tuple[int, int], rows: tuple[int, int]) -> Iterator[Ints]:
        """Yield the positions of the points in the cells of a rectangle, some at a time."""
        first, last = (min(max(side, 0), CELLS) for side in columns)
        found: list[Ints] = []
        count = 0
        for row in range(max(rows[0], 0), min(rows[1], CELLS)):
            start, end = self._starts[row * CELLS + first], self._starts[row * CELLS + last]
            for begin in range(int(start), int(end), CHUNK):
                found.append(self._order[begin : min(begin + CHUNK, int(end))])
                count += len(found[-1])
                if count >= CHUNK:
                    yield np.concatenate(found)
                    found, count = [], 0
        if found:
            yield np.concatenate(found)

    def cells_in(self, box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the columns and rows of cells that a box touches, each from and up to."""
        x0, y0, _, _ = self.near
        across, up = (CELLS / side for side in self.sides)
        left, low, right, high = box
        columns = np.clip([(left - x0) * across, (right - x0) * across], -1, CELLS)
        rows = np.clip([(low - y0) * up, (high - y0) * up], -1, CELLS)
        # One more on each side: a point on the border may be in either cell.
        return (int(columns[0]) - 1, int(columns[1]) + 2), (int(rows[0]) - 1, int(rows[1]) + 2)

    def count_in(self, columns: tuple[int, int], rows: tuple[int, int]) -> int:
        """Return how many points the cells of a rectangle have."""
        first, last = (min(max(side, 0), CELLS) for side in columns)
        line = np.arange(max(rows[0], 0), min(rows[1], CELLS)) * CELLS
        return int((self._starts[line + last] - self._starts[line + first]).sum())

    def nearest(self, at: tuple[float, float], reach: tuple[float, float]) -> int | None:
        """Return the point nearest to `at` in an ellipse; where many are, in a smaller one."""
        for _ in range(40):
            box = (at[0] - reach[0], at[1] - reach[1], at[0] + reach[0], at[1] + reach[1])
            columns, rows = self.cells_in(box)
            single = columns[1] - columns[0] <= 3 and rows[1] - rows[0] <= 3
            if single or self.count_in(columns, rows) <= _MOST_NEAR:
                break
            reach = reach[0] / 2, reach[1] / 2
        items = np.concatenate([self.far, *self.in_cells(columns, rows)])
        found = geometry.nearest(self.x[items], self.y[items], at, reach)
        return None if found is None else int(items[found])

    def inside(self, corners: Array) -> Array:
        """Return a mask of the points inside a closed polygon, of (m, 2) corners.

        Only points in cells that its border passes are looked at one by one.
        """
        mask = np.zeros(len(self.x), dtype=bool)
        if len(corners) < 3:
            return mask
        touched = self._along(corners)
        x0, y0, _, _ = self.near
        middle = (np.arange(CELLS) + 0.5) / CELLS
        across, up = np.meshgrid(x0 + middle * self.sides[0], y0 + middle * self.sides[1])
        within = geometry.in_lasso(across.ravel(), up.ravel(), corners) & ~touched
        for cells, items in self.by_cells():
            mask[items[within[cells]]] = True
            self._look_at(items[touched[cells]], corners, mask)
        self._look_at(self.far, corners, mask)
        return mask

    def _look_at(self, items: Ints, corners: Array, mask: Array) -> None:
        mask[items] = geometry.in_lasso(self.x[items], self.y[items], corners)

    def _along(self, corners: Array) -> Array:
        """The cells that the border of a polygon passes, and those about them."""
        from scipy.ndimage import binary_dilation

        x0, y0, _, _ = self.near
        places = (corners - [x0, y0]) / self.sides * CELLS
        grid = np.zeros((CELLS, CELLS), dtype=bool)
        for start, end in zip(places, np.roll(places, -1, axis=0), strict=True):
            # Far out nothing is touched, and a step there may be as long as it likes.
            start, end = np.clip(start, -CELLS, 2 * CELLS), np.clip(end, -CELLS, 2 * CELLS)
            steps = int(2 * np.abs(end - start).max()) + 2
            column, row = np.floor(np.linspace(start, end, steps)).astype(np.int64).T
            near = (column >= -1) & (column <= CELLS) & (row >= -1) & (row <= CELLS)
            grid[row[near].clip(0, CELLS - 1), column[near].clip(0, CELLS - 1)] = True
        return np.asarray(binary_dilation(grid, np.ones((3, 3), dtype=bool)).ravel())


def chunks(n: int) -> Iterator[slice]:
    """Yield consecutive parts of n positions."""
    for start in range(0, n, CHUNK):
        yield slice(start, min(start + CHUNK, n))


def _boxes(x: Array, y: Array) -> tuple[Box, Box, int]:
    """The box of most points, of all points, and how many have no place.

    Where most are, an even sample says; how far those go is looked up among all.
    """
    sample = slice(None, None, max(1, len(x) // _SAMPLE))
    sx, sy = np.asarray(x[sample], dtype=float), np.asarray(y[sample], dtype=float)
    known = np.isfinite(sx) & np.isfinite(sy)
    ends = np.array([range_of(side[known]) if known.any() else (0.0, 0.0) for side in (sx, sy)])
    spread = np.maximum(ends[:, 1] - ends[:, 0], 0.0)
    near, whole = np.tile([np.inf, -np.inf], (2, 1)), np.tile([np.inf, -np.inf], (2, 1))
    unplaced = 0
    for part in chunks(len(x)):
        places: Floats = np.stack([x[part], y[part]]).astype(float, copy=False)
        known = np.isfinite(places).all(axis=0)
        unplaced += int((~known).sum())
        for axis, values in enumerate(places[:, known]):
            # Beyond what the sample reached there may be more of the same, if not much more.
            margin = 0.05 * spread[axis]
            inner = (values >= ends[axis, 0] - margin) & (values <= ends[axis, 1] + margin)
            _widen(near[axis], values[inner])
            _widen(whole[axis], values)
    if not np.isfinite(whole).all():
        return (0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 1.0), unplaced
    near = np.where(np.isfinite(near), near, whole)
    return _box(near), _box(whole), unplaced


def _widen(ends: Floats, values: Array) -> None:
    if len(values):
        ends[0], ends[1] = min(ends[0], values.min()), max(ends[1], values.max())


def _box(ends: Floats) -> Box:
    (x0, x1), (y0, y1) = ends.tolist()
    return x0, y0, x1, y1
