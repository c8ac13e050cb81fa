"""Read a matrix that numpy saved: .npy, or one of the arrays of an .npz."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Array, Context, Cost, DataError, Dataset, Field, Reader
from coterie.core.formats.files.matrices import ItemsIn, choose_matrix, matrix_dataset, words_of
from coterie.core.formats.files.saved_arrays import load_arrays, unfolded_size
from coterie.core.formats.files.tabular import FileColumn, table_dataset


class Numpy(Reader):
    """A matrix saved by numpy, one item per row: .npy, or an array of an .npz.

    Arrays of named fields are read as tables. Pickled objects are never loaded: they could run any
    program.
    """

    id, title = "numpy", "NumPy array"
    extensions = (".npy", ".npz")

    class Params(Reader.Params):
        """Which arrays of an .npz, and which way round."""

        array: str = Field(
            "", description="Name of the array in an .npz; empty: the only matrix in it."
        )
        items_in: ItemsIn = Field("rows", description="Whether rows or columns are the items.")
        truth: str = Field(
            "", description="Array (or field) that holds the known class of each item."
        )
        items: str = Field("", description="Array (or field) that holds the name of each item.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the matrix in the file at `path`."""
        path = Path(path)
        context.check()
        arrays = load_arrays(path, context.check)
        context.check()
        if len(arrays) == 1 and not params.array:
            [only] = arrays.values()
            if only.dtype.names:
                return _records(path, only, params)
        shapes = {name: a.shape for name, a in arrays.items() if a.dtype.kind in "biufc"}
        roles = {params.truth, params.items} - {""}
        for name in roles - set(arrays):
            raise DataError(
                f"'{path.name}' has no array '{name}'. It has: {', '.join(arrays) or 'none'}.",
                code="unknown-array",
            )
        left = {name: shape for name, shape in shapes.items() if name not in roles}
        chosen = choose_matrix(path, left, params.array, "array")
        truth, items = (
            words_of(path, name, arrays[name]) if name else None
            for name in (params.truth, params.items)
        )
        return matrix_dataset(
            path,
            arrays[chosen],
            items_in=params.items_in,
            truth=truth,
            truth_column=params.truth,
            items=items,
            details={} if path.suffix == ".npy" else {"array": chosen},
        )

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """A few times the arrays, which may be packed a thousandfold."""
        size = unfolded_size(Path(args[0]))
        return Cost(bytes=3 * size + (8 << 20), seconds=size / 1e8)


def _records(path: Path, array: Array, params: Numpy.Params) -> Dataset:
    """A table of named fields."""
    columns = []
    for name in array.dtype.names or ():
        values = array[name].reshape(-1)
        if values.dtype.kind in "biuf":
            columns.append(FileColumn(name, values.astype(np.float64)))
        else:
            words = words_of(path, name, values)
            columns.append(FileColumn(name, None, words, "it holds text"))
    return table_dataset(path, columns, truth=params.truth, items=params.items)
