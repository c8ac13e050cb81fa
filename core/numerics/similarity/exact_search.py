"""Exact search for nearest rows: by a tree, by all pairs, of sparse rows, within a radius."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from coterie.core.model.arrays import Floats, Ints, Matrix, SparseMatrix, is_sparse
from coterie.core.numerics.similarity.distances import require_squares, row_blocks
from coterie.core.numerics.similarity.ties import smallest
from coterie.core.numerics.similarity.tiles import Check

SPARE = 4  # candidates more than wanted, where rounding could have changed their order

Ask: TypeAlias = Callable[[slice, int], Ints]
"""Of rows to search for, and how many: (rows, k) indices, −1 where there are too few."""


def by_tree(base: Floats, workers: int, power: int = 2) -> Callable[[Floats, int], Ints]:
    """Return a search by a tree: quick where columns are few. Power 1 sums the differences."""
    from scipy.spatial import cKDTree

    tree = cKDTree(base)
    return lambda some, k: np.reshape(
        tree.query(some, k, p=power, workers=workers)[1], (len(some), k)
    )


def by_comparing(base: Floats, workers: int, power: int = 2) -> Callable[[Floats, int], Ints]:
    """Return a search by all distances, which are not kept; on all cores."""
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(algorithm="brute", p=power, n_jobs=workers).fit(base)
    return lambda some, k: np.asarray(model.kneighbors(some, k, return_distance=False))


def by_products(queries: Any, base: Any) -> Ask:
    """Return a search of sparse rows: a few more, as their origin cannot be moved nearer."""
    norms = np.asarray(base.multiply(base).sum(axis=1)).ravel()

    def ask(rows: slice, k: int) -> Ints:
        k = min(k + SPARE, len(norms))
        squared = norms - 2 * (queries[rows] @ base.T).toarray()
        return smallest(squared, k)

    return ask


def few_copies(base: Floats, k: int) -> Ints | None:
    """Return the rows without copies of a row beyond k + 1, or None when there are none.

    >>> few_copies(np.array([[1.0], [2.0], [1.0], [1.0]]), 1).tolist()
    [0, 1, 2]
    """
    rows = np.ascontiguousarray(base + 0.0)  # −0 and 0 are equal
    order = np.argsort(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel(), kind="stable")
    first = np.r_[True, (rows[order[1:]] != rows[order[:-1]]).any(axis=1)]
    starts = np.flatnonzero(first)
    copy = np.arange(len(rows)) - np.repeat(starts, np.diff(np.r_[starts, len(rows)]))
    return None if copy.max() <= k else np.sort(order[copy <= k])


def pair_distances(X: Matrix, Y: Matrix, i: Ints, j: Ints, power: int = 2) -> Floats:
    """Return the distances of rows i of X from rows j of Y by their differences.

    With a power of 1 the sum of the differences, of dense rows alone. Memory: the result and a
    block.

    >>> pair_distances(np.array([[0.0], [3.0]]), np.array([[1.0]]), np.array([1]), np.array([0]))
    array([2.])
    """
    away = np.empty(len(i))
    for part in row_blocks(len(i), X.shape[1]):
        apart: Any = X[i[part]] - Y[j[part]]
        if power == 1:
            away[part] = np.abs(apart).sum(axis=1)
        elif is_sparse(apart):
            away[part] = np.sqrt(np.asarray(apart.multiply(apart).sum(axis=1)).ravel())
        else:
            away[part] = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    return away


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
        away = pair_distances(X, X, i, j)
        near = away <= radius
        rows_of.append(i[near])
        columns_of.append(j[near])
        lengths.append(away[near])
    counts = np.bincount(np.concatenate(rows_of), minlength=n)
    starts = np.concatenate([[0], np.cumsum(counts)])
    parts = (np.concatenate(lengths), np.concatenate(columns_of), starts)
    return csr_array(parts, shape=(n, n))


def filled(X: Matrix) -> Floats:
    """Return the rows with their zeros."""
    return np.asarray(X.toarray()) if is_sparse(X) else np.asarray(X)  # type: ignore[union-attr]


def unit_rows(X: Matrix) -> Matrix:
    """Return rows of length 1, with one more column in which rows of zeros are 1.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
    """
    if is_sparse(X):
        from scipy.sparse import csr_array, diags_array, hstack

        rows: Any = X
        largest = np.asarray(abs(rows).max(axis=1).toarray()).ravel()
        zero = largest == 0
        rows = diags_array(1.0 / np.where(zero, 1.0, largest)) @ rows  # squares neither overflow
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        rows = diags_array(1.0 / np.where(zero, 1.0, lengths)) @ rows
        return csr_array(hstack([rows, csr_array(zero[:, None].astype(np.float64))]))
    dense = np.asarray(X, dtype=np.float64)
    largest = np.abs(dense).max(axis=1, initial=0.0)
    zero = largest == 0
    dense = dense / np.where(zero, 1.0, largest)[:, None]
    dense /= np.where(zero, 1.0, np.linalg.norm(dense, axis=1))[:, None]
    return np.column_stack([dense, zero])
