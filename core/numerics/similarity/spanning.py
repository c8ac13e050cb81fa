"""The minimum spanning tree of all pairs, by one row of distances at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check


def spanning_tree(
    n: int, row: Callable[[int], Floats], *, check: Check | None = None
) -> tuple[Ints, Ints, Floats]:
    """Return the edges of a minimum spanning tree and their lengths (Prim's algorithm).

    Parameters
    ----------
    row : `row(i)` returns the lengths from item i to all others; infinite where there is no edge

    Returns
    -------
    from, to, lengths : (n − 1,) each, in the order in which the items were reached. Memory: a few
        rows. Time: n rows.

    Examples
    --------
    >>> X = np.array([0.0, 5.0, 1.0])
    >>> [part.tolist() for part in spanning_tree(3, lambda i: np.abs(X - X[i]))]
    [[0, 2], [2, 1], [1.0, 4.0]]
    """
    lengths = np.full(n, np.inf)
    nearest = np.zeros(n, dtype=np.int64)
    left = np.arange(1, n)
    edges = np.empty((2, max(0, n - 1)), dtype=np.int64)
    sizes = np.empty(max(0, n - 1))
    current = 0
    for step in range(n - 1):
        if check is not None:
            check()
        away = row(current)[left]
        closer = away < lengths[left]
        lengths[left[closer]] = away[closer]
        nearest[left[closer]] = current
        at = int(lengths[left].argmin())
        current = int(left[at])
        left[at] = left[-1]
        left = left[:-1]
        edges[:, step] = nearest[current], current
        sizes[step] = lengths[current]
    return edges[0], edges[1], sizes
