"""The minimum spanning tree of mutual reachability: how far apart items are, seen by density.

The core distance of an item is the distance at which it has enough neighbours. The mutual
reachability of two items is their distance, but at least the core distance of either, so
items where it is sparse are far from everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints, Matrix, is_sparse
from coterie.core.numerics.density.condensed import condense, merges_of
from coterie.core.numerics.similarity.distances import squared_distances
from coterie.core.numerics.similarity.neighbours import (
    GOOD_RECALL,
    Neighbours,
    nearest_neighbours,
)
from coterie.core.numerics.similarity.spanning import spanning_tree
from coterie.core.numerics.similarity.tiles import Check

EXACT_ITEMS = 4000  # up to so many, all pairs are looked at
LEAST_NEIGHBOURS = 15  # of each item in the graph of more items
FEW_COLUMNS = 16  # up to so many, differences are as quick as products
REPRESENTATIVES = 4096  # of all pieces together, to see which are near each other
NEAR_PIECES = 4  # pieces that a piece may be joined to: outposts are not representative
MOST_GROUPS = 64  # that are joined at a time
COARSER = 8  # sizes of groups that are joined grow by this factor
CLOSE = 4  # of the nearest pairs between two pieces, the one of least reachability is taken


def exact_edges(
    X: Matrix, core: Floats, *, check: Check | None = None
) -> tuple[Ints, Ints, Floats]:
    """Return a minimum spanning tree over all pairs. Time: n² d; memory: a few rows."""
    away = _rows_of(X)

    def row(i: int) -> Floats:
        return np.asarray(np.maximum(np.maximum(away(i), core[i]), core))

    return spanning_tree(X.shape[0], row, check=check)


def neighbour_edges(
    X: Matrix, core: Floats, near: Neighbours, *, check: Check | None = None
) -> tuple[Ints, Ints, Floats]:
    """Return a minimum spanning tree of the graph of neighbours, its pieces joined.

    Pieces are joined where they come closest. Which pieces are near each other is seen from some
    representatives of each. Neighbours of items deep inside a group say nothing of other groups,
    which the graph may join by a detour over stray items: groups of several sizes are therefore
    joined in the same way, and the tree takes what is shorter. Time grows about as n log n with
    the neighbours given.
    """
    n, k = near.indices.shape
    ends = np.column_stack([np.repeat(np.arange(n), k), near.indices.ravel()])
    lengths = np.maximum(near.distances.ravel(), core[ends].max(axis=1))
    ends, lengths = _least_spanning(ends, lengths, n)
    while len(ends) < n - 1:
        if check is not None:
            check()
        bridges, apart = _bridges(X, core, _pieces(ends, n), check)
        ends, lengths = np.vstack([ends, bridges]), np.concatenate([lengths, apart])
        ends, lengths = _least_spanning(ends, lengths, n)
    size = max(k + 1, n // MOST_GROUPS)
    while 2 * size <= n:
        one, other = ends.T
        groups = condense(merges_of(one, other, lengths), size)
        inside = groups.without_parts()[groups.group_of]
        if len(np.unique(inside[inside >= 0])) > 1:
            bridges, apart = _bridges(X, core, inside, check)
            ends, lengths = np.vstack([ends, bridges]), np.concatenate([lengths, apart])
            ends, lengths = _least_spanning(ends, lengths, n)
        size *= COARSER
    return ends[:, 0], ends[:, 1], lengths


def _rows_of(X: Matrix) -> Callable[[int], Floats]:
    """A function of i: the distances of item i from all items."""
    if not is_sparse(X) and X.shape[1] <= FEW_COLUMNS:
        columns = np.ascontiguousarray(X.T)

        def by_differences(i: int) -> Floats:
            apart = columns - columns[:, i : i + 1]
            return np.asarray(np.sqrt(np.einsum("ji,ji->i", apart, apart)))

        return by_differences
    centred: Any = X if is_sparse(X) else X - np.asarray(X).mean(axis=0)
    squares: Any = centred.multiply(centred) if is_sparse(X) else centred**2
    norms = np.asarray(squares.sum(axis=1)).ravel()

    def by_products(i: int) -> Floats:
        one = centred[[i]].T
        products = (centred @ one).toarray().ravel() if is_sparse(X) else (centred @ one).ravel()
        return np.asarray(np.sqrt(np.maximum(norms + norms[i] - 2 * products, 0.0)))

    return by_products


def _least_spanning(ends: Ints, lengths: Floats, n: int) -> tuple[Ints, Floats]:
    """The edges of a minimum spanning forest, shortest first.

    Edges weigh what their place in the order is: lengths of zero would be no edges, and equal
    lengths would leave the choice to chance.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    ends = np.sort(ends, axis=1)
    _, first = np.unique(ends[:, 0] * n + ends[:, 1], return_index=True)
    ends, lengths = ends[first], lengths[first]
    order = np.argsort(lengths, kind="stable")
    ends, lengths = ends[order], lengths[order]
    places = np.arange(1.0, len(order) + 1)
    graph = coo_array((places, (ends[:, 0], ends[:, 1])), shape=(n, n)).tocsr()
    kept = np.sort(minimum_spanning_tree(graph).data).astype(np.int64) - 1
    return ends[kept], lengths[kept]


def _pieces(ends: Ints, n: int) -> Ints:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n)).tocsr()
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _bridges(X: Matrix, core: Floats, piece: Ints, check: Check | None) -> tuple[Ints, Floats]:
    """The closest items of pieces near each other, and their mutual reachability."""
    known = np.flatnonzero(piece >= 0)
    order = known[np.argsort(piece[known], kind="stable")]
    sizes = np.unique(piece[known], return_counts=True)[1]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = [order[starts[a] : starts[a + 1]] for a in range(len(sizes))]
    pairs = _near_pieces(X, members)
    # The smaller is looked for in the larger, all that look into the same one together.
    swap = (sizes[pairs[:, 0]] > sizes[pairs[:, 1]])[:, None]
    pairs = np.where(swap, pairs[:, ::-1], pairs)
    ends, lengths = [], []
    for large in np.unique(pairs[:, 1]):
        if check is not None:
            check()
        small = pairs[pairs[:, 1] == large, 0]
        queries = np.concatenate([members[a] for a in small])
        inside = members[large]
        near = nearest_neighbours(
            X[queries],
            min(CLOSE, len(inside)),
            among=X[inside],
            recall=GOOD_RECALL,
            check=check,
        )
        found = inside[near.indices]
        apart = np.maximum(np.maximum(near.distances, core[queries, None]), core[found])
        best = apart.argmin(axis=1)[:, None]
        apart = np.take_along_axis(apart, best, axis=1).ravel()
        found = np.take_along_axis(found, best, axis=1).ravel()
        sorted_rows = np.lexsort((queries, apart, piece[queries]))
        _, first = np.unique(piece[queries][sorted_rows], return_index=True)
        chosen = sorted_rows[first]
        ends.append(np.column_stack([queries[chosen], found[chosen]]))
        lengths.append(apart[chosen])
    return np.vstack(ends), np.concatenate(lengths)


def _near_pieces(X: Matrix, members: list[Ints]) -> Ints:
    """Pairs of pieces that are near each other, as many as join them all or nearly so."""
    count = len(members)
    if count > REPRESENTATIVES // 2:  # few of so many are joined at a time
        first = np.array([items[len(items) // 2] for items in members])
        near = nearest_neighbours(X[first], 2).indices
        pairs = np.column_stack([np.repeat(np.arange(count), 2), near.ravel()])
        return np.unique(np.sort(pairs, axis=1), axis=0)
    share = REPRESENTATIVES // count
    some = [items[:: -(-len(items) // share)] for items in members]
    places = np.concatenate(some)
    rows: Any = X[places]
    apart = squared_distances(rows.toarray() if is_sparse(rows) else rows)
    starts = np.concatenate([[0], np.cumsum([len(items) for items in some])[:-1]])
    apart = np.minimum.reduceat(np.minimum.reduceat(apart, starts, axis=0), starts, axis=1)
    np.fill_diagonal(apart, np.inf)
    ends = np.column_stack(np.triu_indices(count, 1))
    tree, _ = _least_spanning(ends, apart[ends[:, 0], ends[:, 1]], count)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, : min(NEAR_PIECES, count - 1)]
    more = np.column_stack([np.repeat(np.arange(count), nearest.shape[1]), nearest.ravel()])
    return np.unique(np.sort(np.vstack([tree, more]), axis=1), axis=0)


def core_distances(near: Neighbours, min_samples: int) -> Array:
    """Return the distance at which an item has `min_samples` items around it, itself included."""
    if min_samples < 2:
        return np.zeros(len(near.indices))
    return np.array(near.distances[:, min_samples - 2])
