"""Arrays that numpy saved: loaded only when they hold what they promise, and never as pickles."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from coterie.core.errors import DataError, no_file
from coterie.core.model.arrays import BAD_HEADER, Array

_MAGIC = b"\x93NUMPY"
_ENDING = ".npy"
_DAMAGE = (
    *(*BAD_HEADER, OSError, EOFError, KeyError, OverflowError, UnicodeError),
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError),
)


def load_array(path: Path) -> Array:
    """Return the array of an .npy, or raise a clear error."""
    arrays = load_arrays(path)
    if list(arrays) != [path.stem]:
        raise DataError(
            f"'{path.name}' is not a single plain NumPy array. Save it as .npy.",
            code="file-damaged",
        )
    return arrays[path.stem]


def load_arrays(path: Path, check: Callable[[], None] = lambda: None) -> dict[str, Array]:
    """Return every array of an .npy or .npz by name; the one of an .npy is called after the file.

    Parameters
    ----------
    check : called before each array; raises when the person cancelled
    """
    try:
        with path.open("rb") as stream:
            if stream.read(len(_MAGIC)) == _MAGIC:
                return {path.stem: _array(stream, path.stat().st_size)}
            if not zipfile.is_zipfile(stream):
                raise ValueError("it neither begins as an .npy nor ends as an .npz")
            return _packed(stream, check)
    except FileNotFoundError:
        raise no_file(path) from None
    except _DAMAGE as error:
        if "allow_pickle" in str(error) or "pickled" in str(error):
            raise DataError(
                f"'{path.name}' holds pickled Python objects, which are never loaded because "
                "they can run any program. Save plain arrays of numbers.",
                code="pickled-data",
            ) from None
        why = "it has a password" if type(error) is RuntimeError else f"{error!s:.120}"
        raise DataError(
            f"'{path.name}' is not a complete NumPy file ({why}). Save it again.",
            code="file-damaged",
        ) from None


def unfolded_size(path: Path) -> int:
    """Return the bytes that the arrays of a file take when loaded; 0 if there is no file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return sum(member.file_size for member in archive.infolist())
    except _DAMAGE:
        return path.stat().st_size if path.is_file() else 0


def _packed(stream: IO[bytes], check: Callable[[], None]) -> dict[str, Array]:
    arrays = {}
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            if member.filename.endswith(_ENDING):
                check()
                with archive.open(member) as packed:
                    name = member.filename.removesuffix(_ENDING)
                    arrays[name] = _array(packed, member.file_size)
    return arrays


def _array(stream: IO[bytes], size: int) -> Array:
    """Load an array of `size` bytes, unless its header promises more."""
    form: Any = np.lib.format
    stream.seek(0)
    old = form.read_magic(stream) == (1, 0)
    shape, _, dtype = (form.read_array_header_1_0 if old else form.read_array_header_2_0)(stream)
    promised = prod(shape) * dtype.itemsize
    # Before memory is taken for what is missing.
    if not dtype.hasobject and promised > size:
        raise ValueError(f"it promises {promised} bytes and has {size}")
    stream.seek(0)
    return np.asarray(form.read_array(stream, allow_pickle=False))
