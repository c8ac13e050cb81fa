"""The nearest other items of each item, without an n × n matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints, SparseMatrix
from coterie.core.numerics.similarity.distances import require_squares, row_blocks
from coterie.core.numerics.similarity.tiles import Check

if TYPE_CHECKING:
    from coterie.core.api.context import Context

# Up to so many columns a tree finds neighbours faster than comparing all pairs does.
MOST_TREE_COLUMNS = 8
CHUNK_PAIRS = 1 << 27  # pairs compared at a time, about a second's work of one core
FLOOR = 1e-3  # a width of zero becomes this share of the median width


def require_neighbours(n: int, neighbours: int, name: str = "neighbours") -> None:
    """Raise a clear error when there are not so many other items."""
    if neighbours >= n:
        raise DataError(
            f"Parameter '{name}' is {neighbours}, but {n} {'item has' if n == 1 else 'items have'} "
            f"only {max(0, n - 1)} others each. Choose fewer.",
            code="too-many-neighbours",
        )


def nearest_neighbours(
    X: Floats, neighbours: int, *, check: Check | None = None
) -> tuple[Ints, Floats]:
    """Return the nearest *other* items of each item, and how far they are, nearest first.

    A tree is asked where there are few columns, all pairs are compared in chunks otherwise; the
    distances are worked out from the differences, so that those of duplicates are exactly zero.

    Parameters
    ----------
    X : (n, d) features
    neighbours : k < n

    Returns
    -------
    indices, distances : (n, k) each. Memory: these and a chunk.

    Examples
    --------
    >>> indices, distances = nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), 1)
    >>> indices.ravel().tolist(), distances.ravel().tolist()
    ([1, 0, 1], [1.0, 1.0, 2.0])
    """
    n, d = X.shape
    require_neighbours(n, neighbours)
    require_squares(X)
    middle = X - X.mean(axis=0)
    ask = _by_tree(middle) if d <= MOST_TREE_COLUMNS else _by_comparing(middle)
    indices = np.empty((n, neighbours), dtype=np.int64)
    distances = np.empty((n, neighbours))
    for rows in _chunks(n):
        if check is not None:
            check()
        found = _without_self(ask(middle[rows], neighbours + 1), rows)
        away = _distances(X, rows, found)
        # Equal distances in the order of the items, whichever way they were found.
        order = np.lexsort((found, away), axis=1)
        indices[rows] = np.take_along_axis(found, order, axis=1)
        distances[rows] = np.take_along_axis(away, order, axis=1)
    return indices, distances


def neighbours_within(X: Floats, radius: float, *, check: Check | None = None) -> SparseMatrix:
    """Return the distances of all pairs of items not farther apart than `radius`, as a graph.

    Stored zeros join duplicates. Memory: the result and a chunk.

    >>> neighbours_within(np.array([[0.0], [1.0], [3.0]]), 1.5).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    n = len(X)
    rows_of, columns_of, lengths = [], [], []
    require_squares(X)
    middle = X - X.mean(axis=0)
    norms = np.einsum("ij,ij->i", middle, middle)
    # A candidate by the quick formula is kept when its difference says so.
    slack = 1e-12 * float(norms.max(initial=0.0)) * X.shape[1]
    for rows in row_blocks(n, n):
        if check is not None:
            check()
        squared = middle[rows] @ middle.T
        squared *= -2.0
        squared += norms[rows, None]
        squared += norms[None, :]
        i, j = np.nonzero(squared <= radius * radius + slack)
        i += rows.start
        i, j = i[i != j], j[i != j]
        away = _pair_distances(X, i, j)
        near = away <= radius
        rows_of.append(i[near])
        columns_of.append(j[near])
        lengths.append(away[near])
    counts = np.bincount(np.concatenate(rows_of), minlength=n)
    starts = np.concatenate([[0], np.cumsum(counts)])
    parts = (np.concatenate(lengths), np.concatenate(columns_of), starts)
    return csr_array(parts, shape=(n, n))


def neighbour_graph(indices: Ints, weights: Floats, n: int) -> SparseMatrix:
    """Return the n × n graph with an edge of each row's weights to each row's indices.

    >>> neighbour_graph(np.array([[1], [0]]), np.array([[0.5], [2.0]]), 2).toarray().tolist()
    [[0.0, 0.5], [2.0, 0.0]]
    """
    from scipy.sparse import csr_array

    rows, k = indices.shape
    starts = np.arange(0, rows * k + 1, k)
    graph: SparseMatrix = csr_array((weights.ravel(), indices.ravel(), starts), shape=(rows, n))
    graph.sort_indices()
    return graph


def floored(widths: Floats) -> tuple[Floats, int]:
    """Return widths of which none is zero, and how many were raised.

    Duplicates have a width of zero, by which nothing can be divided. It becomes a thousandth of
    the median of the others; when all are zero, all become one.

    >>> widths, raised = floored(np.array([0.0, 2.0, 4.0]))
    >>> widths.tolist(), raised
    ([0.003, 2.0, 4.0], 1)
    """
    positive = widths[widths > 0]
    if not len(positive):
        return np.ones_like(widths), len(widths)
    least = FLOOR * float(np.median(positive))
    return np.maximum(widths, least), int((widths < least).sum())


def _chunks(n: int) -> list[slice]:
    """The items, so many at a time that a person who cancels does not wait."""
    height = max(1, min(n, CHUNK_PAIRS // max(1, n)))
    return [slice(start, min(start + height, n)) for start in range(0, n, height)]


def _by_tree(X: Floats) -> Any:
    from scipy.spatial import cKDTree

    tree = cKDTree(X)
    return lambda some, k: np.reshape(tree.query(some, k, workers=-1)[1], (len(some), k))


def _by_comparing(X: Floats) -> Any:
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(algorithm="brute").fit(X)
    return lambda some, k: model.kneighbors(some, k, return_distance=False)


def _without_self(found: Ints, rows: slice) -> Ints:
    """Drop each item from its own neighbours; where duplicates hide it, the last of them."""
    own = found == np.arange(rows.start, rows.stop)[:, None]
    own[~own.any(axis=1), -1] = True
    others: Ints = found[~own].reshape(len(found), -1)
    return others


def _distances(X: Floats, rows: slice, found: Ints) -> Floats:
    k = found.shape[1]
    own = np.repeat(np.arange(rows.start, rows.stop), k)
    return _pair_distances(X, own, found.ravel()).reshape(found.shape)


def _pair_distances(X: Floats, i: Ints, j: Ints) -> Floats:
    """Distances of single pairs by their differences, in bounded memory."""
    away = np.empty(len(i))
    for part in row_blocks(len(i), X.shape[1]):
        apart = X[i[part]] - X[j[part]]
        away[part] = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    return away


def typical_length(lengths: Floats) -> float:
    """Return the median length of the edges that have one, 1.0 when none has.

    >>> typical_length(np.array([0.0, 1.0, 3.0]))
    2.0
    """
    positive = lengths[lengths > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def chunk_progress(context: Context, n: int) -> Check:
    """Return a `check` for `nearest_neighbours` that also shows how far it is."""
    done = 0

    def check() -> None:
        nonlocal done
        context.progress(done, len(_chunks(n)), "neighbours")
        done += 1

    return check
