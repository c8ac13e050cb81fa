"""Points of a scene with known coordinates: they locate a swath that fits no grid."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

# As many as a full-resolution scene of MERIS has, with some to spare. Of a longer swath every so
# manyth is kept: in a simulated one of 4,481 lines no place was off by more than 0.2 pixels then.
MOST_POINTS = 2000


@dataclass(frozen=True)
class TiePoints:
    """A grid of pixels, and the coordinates of each.

    Attributes
    ----------
    crs : coordinate reference system as WKT
    columns, rows : of the points, rising; 0.5 is the middle of the first pixel
    x, y : coordinates of the points, row by row

    >>> ties = TiePoints("", (0.5, 4.5), (0.5, 2.5), (8.0, 9.0, 7.0, 8.0), (50.0, 50.0, 49.0, 49.0))
    >>> ties.place(2.5, 1.5)
    (8.0, 49.5)
    """

    crs: str
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Return the coordinates of a point, straight between the four tie points around it.

        Beyond the outermost tie points the last four count on.
        """
        left, right = _between(self.columns, column)
        above, below = _between(self.rows, row)
        u = (column - self.columns[left]) / (self.columns[right] - self.columns[left])
        v = (row - self.rows[above]) / (self.rows[below] - self.rows[above])
        weights = ((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)
        wide = len(self.columns)
        at = (above * wide + left, above * wide + right, below * wide + left, below * wide + right)
        x = sum(weight * self.x[i] for weight, i in zip(weights, at, strict=True))
        y = sum(weight * self.y[i] for weight, i in zip(weights, at, strict=True))
        return x, y

    @property
    def points(self) -> tuple[tuple[float, float, float, float], ...]:
        """Column, row, x and y of each."""
        pixels = [(column, row) for row in self.rows for column in self.columns]
        return tuple((*pixel, x, y) for pixel, x, y in zip(pixels, self.x, self.y, strict=True))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TiePoints:
        """Build it again from its fields as plain JSON; ValueError if they do not fit together."""
        columns, rows, x, y = (
            tuple(float(v) for v in value[name]) for name in ("columns", "rows", "x", "y")
        )
        sound = all(math.isfinite(v) for v in (*columns, *rows, *x, *y))
        rising = all(_rises(side) for side in (columns, rows))
        if not sound or not rising or not len(x) == len(y) == len(columns) * len(rows):
            raise ValueError("tie points that are not a grid")
        return cls(str(value["crs"]), columns, rows, x, y)


def tie_points_of(source: Any) -> TiePoints | None:
    """Return the ground control points of an open raster; None if they do not form a grid.

    One without coordinates makes all of them useless: its surroundings cannot be located.
    """
    found, system = source.gcps
    if not found or system is None:
        return None
    if not all(math.isfinite(v) for p in found for v in (p.row, p.col, p.x, p.y)):
        return None
    at = {(float(p.row), float(p.col)): (float(p.x), float(p.y)) for p in found}
    rows, columns = (sorted({pixel[i] for pixel in at}) for i in (0, 1))
    if len(rows) < 2 or len(columns) < 2 or len(at) != len(rows) * len(columns):
        return None
    step = 1
    while len(_thinned(rows, step)) * len(_thinned(columns, step)) > MOST_POINTS:
        step += 1
    rows, columns = _thinned(rows, step), _thinned(columns, step)
    places = [at[row, column] for row in rows for column in columns]
    return TiePoints(
        crs=system.to_wkt(),
        columns=tuple(columns),
        rows=tuple(rows),
        x=tuple(x for x, _ in places),
        y=tuple(y for _, y in places),
    )


def _thinned(values: Sequence[float], step: int) -> list[float]:
    """Every n-th point, and the last."""
    return sorted({*values[::step], values[-1]})


def _rises(values: Sequence[float]) -> bool:
    return len(values) > 1 and all(a < b for a, b in pairwise(values))


def _between(values: Sequence[float], value: float) -> tuple[int, int]:
    """The positions of the two values around a value, or of the nearest two."""
    right = min(max(bisect_right(values, value), 1), len(values) - 1)
    return right - 1, right
