"""Which points are inside a shape, and which is nearest; on arrays, without Qt."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Array


def in_box(x: Array, y: Array, box: tuple[float, float, float, float]) -> Array:
    """Return a mask of the points in the box (x0, y0, x1, y1), its corners in any order."""
    x0, y0, x1, y1 = box
    return (x >= min(x0, x1)) & (x <= max(x0, x1)) & (y >= min(y0, y1)) & (y <= max(y0, y1))


def in_lasso(x: Array, y: Array, corners: Array) -> Array:
    """Return a mask of the points inside a closed polygon of (m, 2) corners, by crossings.

    Only points in the polygon's bounding box are looked at, so a small lasso is cheap.

    >>> corners = np.array([[0, 0], [2, 0], [0, 2]])
    >>> in_lasso(np.array([0.5, 1.5]), np.array([0.5, 1.5]), corners).tolist()
    [True, False]
    """
    inside = np.zeros(len(x), dtype=bool)
    if len(corners) < 3:
        return inside
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    near = np.flatnonzero(in_box(x, y, (x0, y0, x1, y1)))
    px, py = np.asarray(x, dtype=float)[near], np.asarray(y, dtype=float)[near]
    crossed = np.zeros(len(near), dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if ay == by:
            continue
        between = (ay > py) != (by > py)
        crossed ^= between & (px < (bx - ax) * (py - ay) / (by - ay) + ax)
    inside[near] = crossed
    return inside


def nearest(x: Array, y: Array, at: tuple[float, float], reach: tuple[float, float]) -> int | None:
    """Return the point nearest to `at` in an ellipse of the radii `reach`, None if it is empty.

    `reach` is some pixels expressed in the units of each axis, so "near" means near on the screen.
    """
    if len(x) == 0 or reach[0] <= 0 or reach[1] <= 0:
        return None
    distance = ((x - at[0]) / reach[0]) ** 2 + ((y - at[1]) / reach[1]) ** 2
    distance = np.where(np.isfinite(distance), distance, np.inf)
    best = int(np.argmin(distance))
    return best if distance[best] <= 1 else None
