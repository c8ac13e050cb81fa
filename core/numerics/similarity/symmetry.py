"""Whether a matrix is symmetric, and how to make it so, dense or sparse, in bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Matrix, is_sparse
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
    n = len(dense)
    most = max(abs(float(dense.max(initial=0.0))), abs(float(dense.min(initial=0.0))))
    for rows in slices(n):
        for columns in slices(n, start=rows.start):
            if check is not None:
                check()
            apart = np.abs(dense[rows, columns] - dense[columns, rows].T)
            if not apart.max(initial=0.0) <= tolerance * most:
                return False
    return True
