"""Read a matrix that numpy saved: .npy, or one of the arrays of an .npz."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from coterie.core import Array, Context, DataError, Dataset, Field, Reader, hookimpl
from coterie.core.files.matrices import ItemsIn, choose_matrix, matrix_dataset, words_of
from coterie.core.files.tabular import Column, table_dataset


class Numpy(Reader):
    """A matrix saved by numpy, one item a row: .npy, or an array of an .npz.

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
        arrays = _arrays(path)
        context.check()
        if len(arrays) == 1 and not params.array:
            [only] = arrays.values()
            if only.dtype.names:
                return _records(path, only, params)
        shapes = {name: a.shape for name, a in arrays.items() if a.dtype.kind in "biufc"}
        roles = {params.truth, params.items} - {""}
        for name in roles - set(arrays):
            raise DataError(
                f"'{path.name}' has no array '{name}'. It has: {', '.join(arrays) or 'none'}."
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


def _arrays(path: Path) -> dict[str, Array]:
    """Every array of the file by name; the one of an .npy is called after the file."""
    try:
        with path.open("rb") as stream:
            _require_whole(stream, path.stat().st_size)
            loaded: Any = np.load(stream, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return {path.stem: loaded}
            return {name: loaded[name] for name in loaded.files}
    except FileNotFoundError:
        raise DataError(f"There is no file '{path}'. Check its name and place.") from None
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, SyntaxError, KeyError) as error:
        if "allow_pickle" in str(error) or "pickled" in str(error):
            raise DataError(
                f"'{path.name}' holds pickled Python objects, which are never loaded: they could "
                "run any program. Save the numbers as a plain array."
            ) from None
        raise DataError(
            f"'{path.name}' is not a whole file of numpy ({error!s:.120}). Save it again."
        ) from None


def _require_whole(stream: BinaryIO, size: int) -> None:
    """Refuse an .npy that promises more than it holds, before memory is taken for that."""
    if stream.read(6) == b"\x93NUMPY":
        stream.seek(0)
        old = np.lib.format.read_magic(stream) == (1, 0)
        form = np.lib.format
        shape, _, dtype = (form.read_array_header_1_0 if old else form.read_array_header_2_0)(
            stream
        )
        promised = prod(shape) * dtype.itemsize
        if not dtype.hasobject and promised > size:
            raise ValueError(f"it promises {promised} bytes and has {size}")
    stream.seek(0)


def _records(path: Path, array: Array, params: Numpy.Params) -> Dataset:
    """A table of named fields."""
    columns = []
    for name in array.dtype.names or ():
        values = array[name].reshape(-1)
        if values.dtype.kind in "biuf":
            columns.append(Column(name, values.astype(np.float64)))
        else:
            words = words_of(path, name, values)
            columns.append(Column(name, None, words, "it holds text"))
    return table_dataset(path, columns, truth=params.truth, items=params.items)


@hookimpl
def coterie_readers() -> Sequence[type[Reader]]:
    """Offer the reader of numpy's files."""
    return [Numpy]
