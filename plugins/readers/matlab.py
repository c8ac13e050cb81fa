"""Read a matrix that MATLAB or Octave saved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from coterie.core import Array, Context, DataError, Dataset, Field, Reader
from coterie.core.errors import no_file
from coterie.core.formats.files.matlab5 import HEADER, is_version_5, read_variables
from coterie.core.formats.files.matrices import ItemsIn, choose_matrix, matrix_dataset, words_of
from coterie.plugins.readers.hdf5 import MOST_PACKING, SMALL, find, open_plain, read_array


class Matlab(Reader):
    """A matrix variable of a .mat file, full or sparse, one item per row.

    Files of version 4 to 7.2 and of version 7.3 (which are HDF5) are read.
    """

    id, title = "matlab", "MATLAB matrix"
    extensions = (".mat",)

    class Params(Reader.Params):
        """Which variables, and which way round."""

        variable: str = Field(
            "", description="Name of the matrix; empty: the only matrix in the file."
        )
        items_in: ItemsIn = Field("rows", description="Whether rows or columns are the items.")
        truth: str = Field("", description="Variable that holds the known class of each item.")
        items: str = Field("", description="Variable that holds the name of each item.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the matrix in the file at `path`."""
        path = Path(path)
        context.check()
        if not path.is_file():
            raise no_file(path)
        variables = _hdf5_variables(path) if h5py.is_hdf5(path) else _variables(path)
        context.check()
        roles = [name for name in (params.truth, params.items) if name]
        for name in roles:
            if name not in variables:
                known = ", ".join(variables) or "none"
                raise DataError(
                    f"'{path.name}' has no variable '{name}'. It has: {known}.",
                    code="unknown-array",
                )
        shapes = {
            name: tuple(value.shape)
            for name, value in variables.items()
            if value.dtype.kind in "biufc" and (name not in roles or name == params.variable)
        }
        chosen = choose_matrix(path, shapes, params.variable, "variable")
        truth, items = (
            _words(path, name, variables[name]) if name else None
            for name in (params.truth, params.items)
        )
        return matrix_dataset(
            path,
            variables[chosen],
            items_in=params.items_in,
            truth=truth,
            truth_column=params.truth,
            items=items,
            details={"variable": chosen},
        )


def _variables(path: Path) -> dict[str, Any]:
    """The arrays of a file up to version 7.2."""
    from scipy.io import loadmat, whosmat
    from scipy.io.matlab import MatReadError

    most = max(SMALL, MOST_PACKING * path.stat().st_size)
    found: Mapping[str, Any]
    try:
        with path.open("rb") as file:
            head = file.read(HEADER)
        if is_version_5(head):
            found = read_variables(path.read_bytes(), most)
        elif 0 not in head[:4]:
            raise ValueError("it does not begin as one does")
        else:
            for name, shape, _ in whosmat(path):
                if max(shape, default=0) > most:
                    raise ValueError(f"'{name:.40}' promises {max(shape)} rows or columns")
            found = loadmat(path, chars_as_strings=True)
    except MemoryError:
        raise DataError(
            f"'{path.name}' claims more numbers than memory can hold. It may be damaged; save "
            "fewer, or save it again.",
            code="file-too-large",
        ) from None
    except (MatReadError, ValueError, TypeError, OSError, IndexError, NotImplementedError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a MATLAB file ({error!s:.120}). Save it again.",
            code="file-damaged",
        ) from None
    return {name: value for name, value in found.items() if name and not name.startswith("__")}


def _hdf5_variables(path: Path) -> dict[str, Any]:
    """The arrays of a file of version 7.3. It keeps matrices column by column: turned round."""
    from scipy.sparse import csc_array

    variables: dict[str, Any] = {}
    with open_plain(path) as file:
        for name in file:
            link = file.get(name, getlink=True)
            if name.startswith("#") or not isinstance(link, h5py.HardLink):
                continue  # where MATLAB keeps what cells and objects refer to
            value: Any = file[name]
            if isinstance(value, h5py.Group) and "MATLAB_sparse" in value.attrs:
                rows = int(value.attrs["MATLAB_sparse"])
                data, index, starts = (
                    read_array(path, find(path, file, f"{name}/{part}"))
                    for part in ("data", "ir", "jc")
                )
                parts = (data, index.astype(np.int64), starts.astype(np.int64))
                variables[name] = csc_array(parts, shape=(rows, len(starts) - 1))
            elif isinstance(value, h5py.Dataset) and value.dtype.kind in "biuf":
                array = read_array(path, value).T
                is_text = value.attrs.get("MATLAB_class", b"") == b"char"
                variables[name] = _characters(array) if is_text else array
    return variables


def _characters(codes: Array) -> Array:
    """A text for each row of a matrix of characters."""
    return np.array(["".join(map(chr, row)).rstrip() for row in np.atleast_2d(codes)])


def _words(path: Path, name: str, value: Any) -> list[str]:
    """Classes or names: numbers, rows of characters, or a cell array of texts."""
    if value.dtype.kind == "O":
        cells = [np.asarray(cell) for cell in value.reshape(-1)]
        if any(cell.dtype.kind not in "Ubiuf" or cell.size > 1 for cell in cells):
            raise DataError(
                f"'{name}' in '{path.name}' must be a list of texts or numbers.", code="wrong-type"
            )
        return [_word(cell.reshape(-1)[0]) if cell.size else "" for cell in cells]
    return words_of(path, name, value)


def _word(value: Any) -> str:
    return f"{value:.0f}" if value.dtype.kind == "f" and value.is_integer() else str(value).strip()
