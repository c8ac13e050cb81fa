"""Matrices out of files that hold several arrays: which one, which way round, and what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.formats.files.tabular import FileColumn, classes_of, title_of
from coterie.core.model.arrays import Array, check_indices, is_sparse
from coterie.core.model.dataset import Dataset

ItemsIn = Literal["rows", "columns"]
_SHOWN = 12  # arrays that a message lists


class SeveralArraysError(DataError):
    """A file holds several arrays, and it was not said which one to read.

    Parameters
    ----------
    parameter : of the reader, by which one is named
    arrays : the arrays, each with its size in words
    """

    code = "ambiguous-array"

    def __init__(self, message: str, *, parameter: str, arrays: Mapping[str, str]) -> None:
        super().__init__(message)
        self.parameter, self.arrays = parameter, dict(arrays)


def choose_matrix(
    path: Path, shapes: Mapping[str, tuple[int, ...]], wanted: str, parameter: str
) -> str:
    """Return the array to read: the wanted one, or the only matrix there is.

    One that is as large as the pictures of a cube beside it is rather a mask of those.

    Parameters
    ----------
    shapes : the arrays of numbers in the file, by name
    parameter : what the person calls the choice, for messages: "array", "variable"
    """
    listed = [f"{name} ({_size(shape)})" for name, shape in shapes.items()]
    shown = ", ".join(listed[:_SHOWN]) + (", …" if len(listed) > _SHOWN else "")
    if wanted:
        if wanted not in shapes:
            raise DataError(
                f"'{path.name}' has no array of numbers '{wanted}'. It has: {shown or 'none'}.",
                code="unknown-array",
            )
        return wanted
    cubes = [shape for shape in shapes.values() if len(shape) == 3]
    planes = {side for cube in cubes for side in (cube[:2], cube[1:])}
    matrices = [
        name
        for name, shape in shapes.items()
        if len(shape) == 2 and min(shape) > 1 and shape not in planes
    ]
    matrices = matrices or list(shapes)
    if len(matrices) == 1:
        return matrices[0]
    if not matrices:
        raise DataError(
            f"'{path.name}' holds no array of numbers. Open another file.", code="no-numbers"
        )
    raise SeveralArraysError(
        f"'{path.name}' holds several arrays: {shown}. Name the one to read as '{parameter}'.",
        parameter=parameter,
        arrays={name: _size(shape) for name, shape in shapes.items()},
    )


def matrix_dataset(
    path: Path,
    matrix: Any,
    *,
    items_in: ItemsIn = "rows",
    truth: Sequence[str] | None = None,
    truth_column: str = "",
    items: Sequence[str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> Dataset:
    """Return a matrix, dense or sparse, as a table, or say why it is not one."""
    said: list[str] = []
    if getattr(matrix, "ndim", 2) == 1:
        matrix = matrix[:, None]
        said.append("One row of numbers was taken as one column.")
    check_indices(path.name, matrix)
    features = _floats(path, matrix)
    if features.ndim != 2:
        raise DataError(
            f"'{path.name}' must hold items × columns. Got {_size(features.shape)}. "
            f"Choose another array; a scene is opened by {well_known.READER_RASTER}, "
            f"pictures by {well_known.READER_IMAGES}.",
            code="wrong-shape",
        )
    if items_in == "columns":
        features = features.T.tocsr() if is_sparse(features) else np.ascontiguousarray(features.T)
    n = features.shape[0]
    if 0 in features.shape:
        raise DataError(
            f"The matrix in '{path.name}' is empty ({_size(features.shape)}).", code="empty-data"
        )
    values = features.data if is_sparse(features) else features
    if missing := int(np.isnan(values).sum()):
        said.append(f"{missing} {'value is' if missing == 1 else 'values are'} missing.")
    for role, words in (("truth", truth), ("items", items)):
        if words is not None and len(words) != n:
            turned = " Are the items in the columns?" if len(words) == features.shape[1] else ""
            raise DataError(
                f"The array for '{role}' in '{path.name}' has {len(words)} entries, "
                f"but there are {n} items.{turned}",
                code="items-mismatch",
            )
    classes, class_names = (None, ()) if truth is None else classes_of(truth)
    return Dataset(
        title=title_of(path),
        features=features,
        items=() if items is None else tuple(items),
        truth=classes,
        truth_names=class_names,
        truth_column=truth_column if truth is not None else "",
        notes=tuple(said),
        details=dict(details or {}),
    )


def words_of(path: Path, name: str, array: Array) -> list[str]:
    """Return the entries of a list of classes or names as text; "" for missing numbers."""
    flat = np.asarray(array)
    if flat.size != max(flat.shape, default=1):
        raise DataError(
            f"'{name}' in '{path.name}' must be one list of classes or names. "
            f"Got {_size(flat.shape)}.",
            code="wrong-shape",
        )
    flat = flat.reshape(-1)
    if flat.dtype.kind in "biuf":
        return FileColumn(name, flat.astype(np.float64)).words()
    if flat.dtype.kind == "S":
        return [bytes(word).decode("utf-8", "replace").strip() for word in flat]
    if flat.dtype.kind == "U":
        return [str(word).strip() for word in flat]
    raise DataError(
        f"'{name}' in '{path.name}' must hold numbers or text. Got {flat.dtype}.", code="wrong-type"
    )


def _floats(path: Path, matrix: Any) -> Any:
    kind = matrix.dtype.kind
    if kind == "c":
        raise DataError(
            f"'{path.name}' holds complex numbers. Save their real parts or magnitudes instead.",
            code="complex-numbers",
        )
    if kind not in "biuf":
        raise DataError(f"'{path.name}' must hold numbers. Got {matrix.dtype}.", code="wrong-type")
    if is_sparse(matrix):
        return matrix.tocsr().astype(np.float64)
    plain = kind == "f" and matrix.dtype.itemsize in (4, 8) and matrix.dtype.isnative
    return np.asarray(matrix) if plain else np.asarray(matrix, dtype=np.float64)


def _size(shape: Sequence[int]) -> str:
    return " × ".join(map(str, shape)) or "one number"
