"""Affinities made from affinities: the same items, other entries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, SparseMatrix, is_sparse
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.ties import smallest
from coterie.core.numerics.similarity.tiles import Check, slices


def with_entries(affinity: Affinity, matrix: Any, **changes: Any) -> Affinity:
    """Return the affinity of the same items with a dense or sparse matrix of other entries.

    What it promised stays promised unless `changes` say otherwise.
    """
    form = {"values": None, "sparse": None, "factor": None}
    form["sparse" if is_sparse(matrix) else "values"] = matrix
    return replace(affinity, **{**form, **changes})


def require_items(affinity: Affinity) -> None:
    """Raise a clear error for no items, and for entries that are missing or beyond all sums."""
    if affinity.n == 0:
        raise DataError(
            "There are no items to connect. Open a file with at least one item.", code="empty-data"
        )
    summed_degrees(affinity)  # a missing entry shows in its row's sum


def summed_degrees(affinity: Affinity) -> Floats:
    """Return the row sums, or raise a clear error where their sum is no longer a number.

    >>> summed_degrees(Affinity(values=np.full((2, 2), 1e308)))
    Traceback (most recent call last):
    coterie.core.errors.DataError: The similarities are too large to sum. Scale them (gra...
    """
    with np.errstate(over="ignore", invalid="ignore"):
        degrees = np.asarray(affinity.degrees(), dtype=np.float64)
        total = float(np.abs(degrees).sum())
    if not np.isfinite(total):
        affinity.require_finite()  # it may be a single entry
        raise DataError(
            f"The similarities are too large to sum. Scale them ({well_known.GRAPH_SCALE}).",
            code="values-too-large",
        )
    return degrees


def dense_copy(affinity: Affinity) -> Floats:
    """Return the whole matrix as float64 that may be written to: n² numbers."""
    whole = affinity.to_dense()
    if whole is affinity.values:
        return np.array(whole, dtype=np.float64)
    return np.asarray(whole, dtype=np.float64)


def scaled_sides(affinity: Affinity, factors: Floats, *, check: Check | None = None) -> Any:
    """Return f_i A_ij f_j in the form of the affinity: dense, sparse, or its factor.

    >>> A = Affinity(values=np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> scaled_sides(A, np.array([1.0, 0.5])).tolist()
    [[1.0, 1.0], [1.0, 0.25]]
    """
    if affinity.factor is not None:
        return affinity.factor * factors[:, None]
    if affinity.sparse is not None:
        from scipy.sparse import csr_array

        A: Any = affinity.sparse
        data = A.data * np.repeat(factors, np.diff(A.indptr)) * factors[A.indices]
        return csr_array((data, A.indices, A.indptr), shape=A.shape)
    values: Any = affinity.values
    result = np.empty(values.shape)
    for rows in row_blocks(*values.shape):
        if check is not None:
            check()
        np.multiply(values[rows], factors[rows, None], out=result[rows])
        result[rows] *= factors
    return result


def at_least(affinity: Affinity, minimum: float, *, check: Check | None = None) -> SparseMatrix:
    """Return the entries of at least `minimum`, the others left out; zeros are never kept.

    >>> A = Affinity(values=np.array([[1.0, 0.2], [0.6, 1.0]]), symmetric=False)
    >>> at_least(A, 0.5).toarray().tolist()
    [[1.0, 0.0], [0.6, 1.0]]
    """
    from scipy.sparse import csr_array, vstack

    if affinity.sparse is not None:
        kept: SparseMatrix = affinity.sparse.copy()
        kept.data = np.where(kept.data >= minimum, kept.data, 0.0)
        kept.eliminate_zeros()
        return kept
    parts = []
    for rows in row_blocks(affinity.n, affinity.n):
        if check is not None:
            check()
        block = affinity.rows(np.arange(rows.start, rows.stop))
        parts.append(csr_array(np.where(block >= minimum, block, 0.0)))
    stacked: SparseMatrix = vstack(parts, format="csr")
    return stacked


def above_share(affinity: Affinity, share: float, *, check: Check | None = None) -> Affinity:
    """Return the affinity without the entries below `share` × its largest; the diagonal stays.

    Dense stays dense, sparse stays sparse; of a factor the entries that are kept become sparse.

    >>> A = Affinity(values=np.array([[0.1, 0.3, 4.0], [0.3, 1.0, 0.0], [4.0, 0.0, 2.0]]))
    >>> above_share(A, 0.1).values.tolist()
    [[0.1, 0.0, 4.0], [0.0, 1.0, 0.0], [4.0, 0.0, 2.0]]
    """
    if affinity.values is not None:
        minimum = share * float(affinity.values.max(initial=0.0))
        result = np.empty(affinity.values.shape)
        for rows in row_blocks(affinity.n, affinity.n):
            if check is not None:
                check()
            block = affinity.values[rows]
            result[rows] = np.where(block >= minimum, block, 0.0)
        np.fill_diagonal(result, affinity.diagonal())
        return with_entries(affinity, result)
    diagonal = affinity.diagonal()
    if affinity.sparse is not None:
        most = float(affinity.sparse.data.max(initial=0.0))
    else:
        most = float(diagonal.max(initial=0.0))  # no entry of ΦΦᵀ is larger than its diagonal
    from scipy.sparse import diags_array

    kept: Any = at_least(affinity, share * most, check=check)
    small = np.where(diagonal < share * most, diagonal, 0.0)
    if small.any():
        kept = (kept + diags_array(small)).tocsr()
    return with_entries(affinity, kept)


def most_similar(
    affinity: Affinity, neighbours: int, *, check: Check | None = None
) -> SparseMatrix:
    """Return, row by row, the entries of the most similar others; zeros are no neighbours.

    Equal similarities are taken in the order of the items. Memory: the result and a block.

    >>> A = Affinity(values=np.array([[1.0, 0.2, 0.6], [0.2, 1.0, 0.3], [0.6, 0.3, 1.0]]))
    >>> most_similar(A, 1).toarray().tolist()
    [[0.0, 0.0, 0.6], [0.0, 0.0, 0.3], [0.6, 0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    n = affinity.n
    k = min(neighbours, n - 1)
    found = np.empty((n, k), dtype=np.int64)
    weights = np.empty((n, k))
    for rows in row_blocks(n, n, 1 << 22):
        if check is not None:
            check()
        block = np.array(affinity.rows(np.arange(rows.start, rows.stop)), dtype=np.float64)
        block[block == 0] = -np.inf
        block[np.arange(len(block)), np.arange(rows.start, rows.stop)] = -np.inf
        np.negative(block, out=block)
        found[rows] = chosen = smallest(block, k)
        weights[rows] = -np.take_along_axis(block, chosen, axis=1)
    weights[np.isneginf(weights)] = 0.0
    graph: SparseMatrix = csr_array(
        (weights.ravel(), found.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
    )
    graph.eliminate_zeros()
    return graph


def joined(graph: Any, how: str, *, check: Check | None = None) -> Any:
    """Return a symmetric matrix of a directed one: the mean, max or min of both directions.

    >>> joined(np.array([[0.0, 1.0], [0.5, 0.0]]), "max").tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    if is_sparse(graph):
        across = graph.T.tocsr()
        if how == "mean":
            both: Any = (graph + across) * 0.5
        else:
            both = graph.maximum(across) if how == "max" else graph.minimum(across)
        both = both.tocsr()
        both.eliminate_zeros()
        return both
    n = len(graph)
    result = np.empty((n, n))
    for rows in slices(n):
        for columns in slices(n, start=rows.start):
            if check is not None:
                check()
            one, other = graph[rows, columns], graph[columns, rows].T
            if how == "mean":
                tile = 0.5 * one + 0.5 * other
            else:
                tile = np.maximum(one, other) if how == "max" else np.minimum(one, other)
            result[rows, columns] = tile
            result[columns, rows] = tile.T
    return result
