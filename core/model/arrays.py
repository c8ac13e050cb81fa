"""Types of the arrays that artefacts are made of, and how they are made fit to publish."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coterie.core.errors import DataError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
SparseMatrix: TypeAlias = "csr_array[Any, tuple[int, int]]"
Matrix: TypeAlias = "Floats | SparseMatrix"

# The annotations of fields that hold arrays, as they stand in the source.
ARRAY_TYPES = ("Array", "Floats", "Ints", "Matrix", "SparseMatrix")
SPARSE_TYPES = ("Matrix", "SparseMatrix")
ARRAY_MAPPING = "Mapping[str, Array]"

# What numpy raises on the damaged header of an .npy file, which it may have to tokenize.
BAD_HEADER = (ValueError, SyntaxError, tokenize.TokenError)

_NUMBERS = "biufc"
# numpy itself takes lists, expressions and records for types, and stumbles over some.
_NUMBER_TYPE = re.compile(
    r"[<>|=]?(b1|[iu][1248]|f[248]|c(8|16))|bool|u?int(8|16|32|64)|float(16|32|64)|complex(64|128)"
)
_NO_VALUES = "OV"  # objects would have to be pickled, records no other program reads


def number_type(name: object) -> np.dtype[Any]:
    """Return the type of numbers that a text from anywhere names; ValueError if it names none.

    >>> number_type("<f8"), number_type("uint16")
    (dtype('float64'), dtype('uint16'))
    """
    if not isinstance(name, str) or not _NUMBER_TYPE.fullmatch(name):
        raise ValueError(f"{name!r:.40} is not a type of numbers")
    return np.dtype(name)


def is_sparse(matrix: object) -> bool:
    """Return whether `matrix` is one of scipy's sparse matrices, without importing scipy."""
    return hasattr(matrix, "tocsr")


def check_indices(name: str, matrix: Any) -> None:
    """Refuse a compressed sparse matrix with indices beyond its arrays.

    They would not raise later, but read and write other memory. scipy's own check skips matrices
    whose last pointer is zero or negative, and takes differences that overflow.
    """
    if not hasattr(matrix, "indptr"):
        return  # scipy checks coordinates as it takes them
    sizes = [size // block for size, block in zip(matrix.shape, _blocks(matrix), strict=True)]
    major, minor = reversed(sizes) if matrix.format == "csc" else ([1, *sizes][-2:])
    pointers, stored = matrix.indptr, min(len(matrix.indices), len(matrix.data))
    fits = len(pointers) == major + 1 and pointers[0] == 0 and pointers[-1] <= stored
    fits = fits and bool((pointers[1:] >= pointers[:-1]).all())
    if fits and pointers[-1]:
        used = matrix.indices[: pointers[-1]]
        fits = used.min() >= 0 and used.max() < minor
    if not fits:
        raise DataError(
            f"The sparse matrix '{name}' is damaged: its indices do not fit its shape "
            f"{' × '.join(map(str, matrix.shape))}.",
            code="file-damaged",
        )


def _blocks(matrix: Any) -> tuple[int, ...]:
    return tuple(matrix.blocksize) if matrix.format == "bsr" else (1,) * len(matrix.shape)


def declared_type(annotation: object) -> str:
    """Return the type that a field's annotation names, leaving out that it may be None."""
    return str(annotation).removesuffix(" | None")


def read_only(array: Array) -> Array:
    """Return a view of `array` that cannot be written through."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def settle(noun: Any) -> None:
    """Bring each array of a frozen noun to the type that its field declares, read-only.

    A plugin may give a list, whole numbers where floats belong, or any of scipy's sparse matrices;
    what every store and every method gets are floats, whole numbers and clean CSR.
    """
    for part in fields(noun):
        value, declared = getattr(noun, part.name), declared_type(part.type)
        if value is None:
            continue
        if declared in ARRAY_TYPES:
            object.__setattr__(noun, part.name, _settled(part.name, declared, value))
        elif declared == ARRAY_MAPPING:
            arrays = {str(name): _plain(str(name), array) for name, array in value.items()}
            object.__setattr__(noun, part.name, arrays)


def plain_values(value: Any) -> Any:
    """Return numpy's numbers and arrays as what JSON knows; for `json.dumps(default=…)`."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _settled(name: str, declared: str, value: Any) -> Any:
    if is_sparse(value):
        if declared not in SPARSE_TYPES:
            raise DataError(
                f"'{name}' must be a dense array. Got a sparse matrix.", code="wrong-type"
            )
        return _clean_csr(name, value)
    if declared == "SparseMatrix":
        raise DataError(
            f"'{name}' must be a sparse matrix. Got {type(value).__name__}.", code="wrong-type"
        )
    array = _as_array(name, value)
    if declared == "Ints":
        return read_only(_whole_numbers(name, array))
    if declared == "Array":
        if array.dtype.kind not in _NUMBERS:
            raise DataError(f"'{name}' must hold numbers. Got {array.dtype}.", code="wrong-type")
        return read_only(array)
    return read_only(_floats(name, array))


def _as_array(name: str, value: Any) -> Array:
    try:
        return np.asarray(value)
    except ValueError as error:
        raise DataError(f"'{name}' is not an array: {error}.", code="wrong-type") from error


def _plain(name: str, value: Any) -> Array:
    array = _as_array(name, value)
    if array.dtype.kind in _NO_VALUES:
        raise DataError(
            f"'{name}' must hold numbers or text. Got {array.dtype}.", code="wrong-type"
        )
    return read_only(array)


def _floats(name: str, array: Array) -> Floats:
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        return array
    if array.dtype.kind not in "biuf":
        raise DataError(f"'{name}' must hold floats. Got {array.dtype}.", code="wrong-type")
    return array.astype(np.float64)


def _whole_numbers(name: str, array: Array) -> Ints:
    if array.dtype.kind == "i":
        return array
    if array.size == 0 and array.dtype.kind == "f":  # what numpy makes of an empty list
        return array.astype(np.int64)
    if array.dtype.kind not in "bu" or array.max(initial=0) > np.iinfo(np.int64).max:
        raise DataError(f"'{name}' must hold whole numbers. Got {array.dtype}.", code="wrong-type")
    return array.astype(np.int64)


def _clean_csr(name: str, matrix: Any) -> Any:
    """Return sorted, checked, read-only CSR of floats; the matrix given stays as it was."""
    from scipy.sparse import csr_array

    check_indices(name, matrix)
    try:
        rows = matrix.tocsr()
        parts = (_floats(name, rows.data), rows.indices, rows.indptr)
        clean: Any = csr_array(tuple(read_only(part) for part in parts), shape=rows.shape)
        clean.check_format(full_check=True)
    except (ValueError, TypeError) as error:
        raise DataError(
            f"The sparse matrix '{name}' is damaged: {error}.", code="file-damaged"
        ) from error
    if not clean.has_canonical_format:
        clean = clean.copy()
        clean.sum_duplicates()
    for part in (clean.data, clean.indices, clean.indptr):
        part.flags.writeable = False
    return clean
