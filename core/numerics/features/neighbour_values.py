"""Missing values from the nearest items that have one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coterie.core.model.arrays import Floats

BLOCK_BYTES = 64 << 20  # for the distances of some items to all


def filled_by_neighbours(
    X: Floats, known: Floats, fill: Floats, count: int, check: Callable[[], None]
) -> Floats:
    """Return `X` with each missing value replaced by the mean of its nearest neighbours' values.

    The distance of two items is taken over the columns that both have, divided by the number of
    those: √(Σ (x − y)² / shared), each column divided by its deviation. Only items that have a
    value in a column are neighbours there; where none shares a column, `fill` is taken.

    Parameters
    ----------
    X : (n, d) items to complete, NaN where missing
    known : (m, d) items to take values from, NaN where missing; an item that is among them is its
        own neighbour in no column that it misses
    fill : (d,) what is taken where there are no neighbours
    count : how many neighbours are averaged; of equally near ones the first

    >>> X = np.array([[0.0, 1.0], [0.1, np.nan], [5.0, 9.0]])
    >>> filled_by_neighbours(X, X, np.array([0.0, 5.0]), 1, lambda: None)[1].tolist()
    [0.1, 1.0]
    """
    there = ~np.isnan(known)
    with np.errstate(over="ignore"):
        deviation = np.nanstd(known, axis=0)
    scale = np.where((deviation > 0) & np.isfinite(deviation), deviation, 1.0)
    middle = np.nanmean(known, axis=0)
    donors = np.where(there, (known - middle) / scale, 0.0)
    mask = there.astype(np.float64)
    filled = X.copy()
    rows = np.flatnonzero(np.isnan(X).any(axis=1))
    step = max(1, BLOCK_BYTES // (32 * max(1, len(known))))
    for start in range(0, len(rows), step):
        check()
        some = rows[start : start + step]
        holes = np.isnan(X[some])
        own = np.where(holes, 0.0, (X[some] - middle) / scale)
        distances = _distances(own, (~holes).astype(np.float64), donors, mask)
        for column in np.flatnonzero(holes.any(axis=0)):
            asking = np.flatnonzero(holes[:, column])
            having = np.flatnonzero(there[:, column])
            filled[some[asking], column] = _means(
                distances[np.ix_(asking, having)],
                known[having, column],
                min(count, len(having)),
                float(fill[column]),
            )
    return filled


def _distances(own: Floats, mine: Floats, donors: Floats, mask: Floats) -> Floats:
    """Mean squared differences over shared columns; infinite where there are none."""
    shared = mine @ mask.T
    squares = (own**2) @ mask.T + mine @ (donors**2).T - 2.0 * (own @ donors.T)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.maximum(squares, 0.0) / shared
    return np.where(shared > 0, mean, np.inf)


def _means(distances: Floats, values: Floats, count: int, otherwise: float) -> Floats:
    """The mean value of the nearest `count`, of those that are at a distance at all."""
    if count == 0:
        return np.full(len(distances), otherwise)
    order = np.argsort(distances, axis=1, kind="stable")[:, :count]
    near = np.isfinite(np.take_along_axis(distances, order, axis=1))
    sums, found = np.where(near, values[order], 0.0).sum(axis=1), near.sum(axis=1)
    return np.where(found > 0, sums / np.maximum(found, 1), otherwise)
