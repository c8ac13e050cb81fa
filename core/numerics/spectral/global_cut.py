"""The global minimum cut of a graph: the two parts with the least similarity between them."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.similarity.tiles import Check


def minimum_cut(A: Floats, check: Check | None = None) -> tuple[float, np.ndarray]:
    """Return the smallest sum of similarities between two parts, and a mask of one of them.

    Parameters
    ----------
    A : (n, n) symmetric similarities of 0 or more, n ≥ 2; the diagonal does not count

    Notes
    -----
    O(n³) time, two copies of A. Each phase adds the vertex that is most similar to those added so
    far; the last one against all others is a candidate, and then merged with the one before it. Of
    equally small cuts the first is taken.

    References
    ----------
    Stoer, Wagner (1997). A simple min-cut algorithm. J. ACM 44(4).

    Examples
    --------
    >>> A = np.array([[0, 3, 1, 0], [3, 0, 0, 1], [1, 0, 0, 3], [0, 1, 3, 0.0]])
    >>> cost, side = minimum_cut(A)
    >>> cost, side.tolist() in ([True, True, False, False], [False, False, True, True])
    (2.0, True)
    """
    weights = np.array(A, dtype=np.float64)
    np.fill_diagonal(weights, 0.0)
    n = len(weights)
    merged = np.eye(n, dtype=bool)  # row v: the vertices that v stands for
    alive = np.arange(n)
    best, side = np.inf, np.zeros(n, dtype=bool)
    while len(alive) > 1:
        if check is not None:
            check()
        last, before, cost = _phase(weights, alive)
        if cost < best:
            best, side = cost, merged[last].copy()
        weights[before] += weights[last]
        weights[:, before] += weights[:, last]
        weights[before, before] = 0.0
        merged[before] |= merged[last]
        alive = alive[alive != last]
    return float(best), side


def _phase(weights: Floats, alive: np.ndarray) -> tuple[int, int, float]:
    """Add the vertices one by one; return the last two, and how similar the last is to all."""
    part = weights[np.ix_(alive, alive)]
    similar = part[0].copy()
    similar[0] = -np.inf
    last = before = 0
    for _ in range(len(alive) - 1):
        before, last = last, int(similar.argmax())
        cost = float(similar[last])
        similar += part[last]
        similar[last] = -np.inf
    return int(alive[last]), int(alive[before]), cost
