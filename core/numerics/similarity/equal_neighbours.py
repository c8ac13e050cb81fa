"""Equally far neighbours: the first of them are chosen, whichever a search came upon.

Which of many equals a search keeps depends on the linear algebra and on the number of threads: on
whole numbers, where many distances are equal, each processor would draw a graph of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from coterie.core.model.arrays import Floats, Ints, is_sparse
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.ties import BITS, drop_rounding
from coterie.core.numerics.similarity.tiles import Check

EQUAL = 2.0 ** (1 - BITS)  # of a distance: what `drop_rounding` may count as equal

Distances: TypeAlias = Callable[[Ints, Ints], Floats]


def settled(
    distances: Floats,
    k: int,
    queries: Any,
    base: Any,
    own: Ints,
    power: int,
    far: Distances,
    check: Check | None,
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield queries where others may be as near as the last, with their neighbours: the first.

    Of the distances, each row rising, the first k are of the neighbours that were found, and one
    more is of the next; without it there are no others, and nothing to settle. The rest is as
    `first_of_equals` takes it.
    """
    if distances.shape[1] == k:
        return
    reach = squared_reach(queries, distances[:, k - 1])
    doubtful = np.flatnonzero(distances[:, k] ** 2 <= reach)
    for part in row_blocks(len(doubtful), 4 * base.shape[0], block_bytes=1 << 26):
        if check is not None:
            check()
        rows = doubtful[part]
        yield (
            rows,
            *first_of_equals(
                queries[rows],
                base,
                own[rows],
                reach[rows],
                k,
                power,
                lambda i, j, rows=rows: far(rows[i], j),  # type: ignore[misc]
            ),
        )


def squared_reach(queries: Any, away: Floats) -> Floats:
    """Return the largest square, as products give it, of what may be as near as `away`.

    The square of a distance is worked out from d products and the squares of two lengths, of which
    one is at most the other and the distance, so it errs by at most (d + 8) ε times the square of
    both together.

    >>> bool(squared_reach(np.array([[1.0, 0.0]]), np.array([2.0]))[0] - 4 < 1e-7)
    True
    """
    lengths = np.sqrt(squared_lengths(queries))
    rounding = (queries.shape[1] + 8) * float(np.finfo(float).eps) * (2 * lengths + away) ** 2
    return np.asarray((away * (1 + EQUAL)) ** 2 + rounding)


def squared_lengths(rows: Any) -> Floats:
    """Return the sum of the squares of each row, dense or sparse."""
    squares = rows.multiply(rows) if is_sparse(rows) else rows * rows
    return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()


def first_of_equals(
    queries: Any, base: Any, own: Ints, reach: Floats, k: int, power: int, distances: Distances
) -> tuple[Ints, Floats]:
    """Return the k nearest rows of the base and how far they are; of equals, the first.

    Parameters
    ----------
    queries : (m, d) rows, moved near the origin as the base is
    base : (n, d) rows, at least k of which are within reach
    own : (m,) the row of the base that each query is itself, −1 for none
    reach : (m,) from `squared_reach`
    power : 1 sums the differences, of dense rows alone
    distances : of queries i from rows j, from the differences of the rows as they were

    Memory: some (m, n) arrays.
    """
    if power == 1:
        from scipy.spatial.distance import cdist

        squared = cdist(queries, base, "cityblock") ** 2
    else:
        products = queries @ base.T
        squared = products.toarray() if is_sparse(products) else products
        squared *= -2.0
        squared += squared_lengths(queries)[:, None]
        squared += squared_lengths(base)
    i, j = np.nonzero(squared <= reach[:, None])
    i, j = i[j != own[i]], j[j != own[i]]
    away = distances(i, j)
    order = np.lexsort((j, drop_rounding(away), i))
    starts = np.searchsorted(i, np.arange(len(reach)))
    chosen = order[starts[:, None] + np.arange(k)]
    nearest_first = np.lexsort((j[chosen], away[chosen]), axis=1)
    chosen = np.take_along_axis(chosen, nearest_first, axis=1)
    return j[chosen], away[chosen]
