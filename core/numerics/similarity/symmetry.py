"""Whether a matrix is symmetric, and how to make it so, dense or sparse, in bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Matrix, is_sparse
from coterie.core.numerics.similarity.tiles import Check, slices

ROUNDING = 1e-9  # relative to the largest entry: what text files and sums leave


def is_symmetric(A: Matrix, *, tolerance: float = ROUNDING, check: Check | None = None) -> bool:
    """Return whether A and Aᵀ differ by no more than `tolerance` × the largest entry.

    Memory: a few tiles, or a sparse copy.

    >>> is_symmetric(np.array([[0.0, 1.0], [1.0, 0.0]]))
    True
    >>> is_symmetric(np.array([[0.0, 1.0], [0.5, 0.0]]))
    False
    """
    if is_sparse(A):
        sparse: Any = A
        most = float(np.abs(sparse.data).max(initial=0.0))
        apart: Any = abs(sparse - sparse.T)
        return bool(apart.data.max(initial=0.0) <= tolerance * most)
    dense = np.asarray(A)
    smallest, largest, apart = range_and_asymmetry(dense, check=check)
    most = max(-smallest, largest, float(np.abs(dense.diagonal()).max(initial=0.0)))
    return bool(apart <= tolerance * most)


def range_and_asymmetry(A: Floats, *, check: Check | None = None) -> tuple[float, float, float]:
    """Return the smallest and largest entry off the diagonal, or 0, and how far A is from Aᵀ.

    One pass over the matrix. All three are NaN where an entry is missing.

    >>> range_and_asymmetry(np.array([[9.0, 1.0], [0.5, 9.0]]))
    (0.0, 1.0, 0.5)
    """
    smallest = largest = asymmetry = 0.0
    for rows in slices(len(A)):
        for columns in slices(len(A), start=rows.start):
            if check is not None:
                check()
            tile, mirrored = A[rows, columns], A[columns, rows].T
            if rows.start == columns.start:
                tile = np.array(tile)
                np.fill_diagonal(tile, 0.0)
                mirrored = tile.T
            parts = [tile]
            if not np.array_equal(tile, mirrored):
                parts.append(mirrored)
                apart = np.abs(tile - mirrored).max(initial=0.0)
                asymmetry = float(np.maximum(asymmetry, apart))
            for part in parts:
                # Not min(): it would let go of a missing value.
                smallest = float(np.minimum(smallest, part.min(initial=0.0)))
                largest = float(np.maximum(largest, part.max(initial=0.0)))
    return smallest, largest, asymmetry
