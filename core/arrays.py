"""Types of the arrays that artefacts are made of, and how they are made read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
SparseMatrix: TypeAlias = "csr_array[Any, tuple[int, int]]"
Matrix: TypeAlias = "Floats | SparseMatrix"


def is_sparse(matrix: object) -> bool:
    """Return whether `matrix` is a compressed sparse row matrix, without importing scipy."""
    return hasattr(matrix, "indptr")


def read_only(array: Array) -> Array:
    """Return a view of `array` that cannot be written through."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def freeze(matrix: Any) -> Any:
    """Make a dense array, or the three arrays of a sparse matrix, read-only."""
    if is_sparse(matrix):
        for part in (matrix.data, matrix.indices, matrix.indptr):
            part.flags.writeable = False
        return matrix
    return read_only(np.asarray(matrix))
