"""What a stored dataset may be made of, and how much it may promise."""

from __future__ import annotations

from math import ceil, prod
from typing import Any

import numpy as np
from h5py import h5d, h5s, h5t

from coterie.projects.store.hdf5.chunks import DEFLATE, FLETCHER32, SHUFFLE, filters
from coterie.projects.store.hdf5.refusals import DamagedFileError, UnsafeFileError

# Deflate packs at most 1032 bytes into one. What claims more was not packed by it.
MOST_PACKING = 1100
# Holes in small datasets cost nothing; HDF5 needs some bytes for any chunk at all.
SMALL = 1 << 20
# A chunk is unpacked whole, however little of it is wanted. We write 1 MiB.
MOST_CHUNK_BYTES = 16 << 20
MOST_CHUNKS = 1 << 20
# A text is decoded, and mostly parsed, in one piece.
MOST_TEXT_BYTES = 64 << 20

_FILTERS = (SHUFFLE, DEFLATE, FLETCHER32)  # in the order of packing
_REFUSED_CLASSES = {
    h5t.REFERENCE: "references to other objects",
    h5t.OPAQUE: "raw bytes of an unnamed type, as used for pickled objects",
    h5t.VLEN: "lists of varying length, as used for object arrays",
    h5t.ARRAY: "arrays within array entries",
    h5t.BITFIELD: "bit fields",
    h5t.TIME: "HDF5 times",
    h5t.COMPOUND: "compound entries",
    h5t.ENUM: "an enumeration",
    h5t.INTEGER: "whole numbers of an unusual kind",
    h5t.FLOAT: "numbers of an unusual kind",
}
_NUMPY_KINDS = {h5t.INTEGER: "iu", h5t.FLOAT: "f", h5t.ENUM: "b", h5t.COMPOUND: "c"}


class Types:
    """The types of data that a file may hold, each looked at once: most are the same few."""

    def __init__(self) -> None:
        self._known: dict[bytes, np.dtype[Any]] = {}

    def check(self, stored: Any, where: str) -> np.dtype[Any]:
        """Return the numpy type of numbers, truth values or text; refuse any other."""
        code = stored.encode()
        if code not in self._known:
            self._known[code] = _numpy_type(stored, where)
        return self._known[code]


def _numpy_type(stored: Any, where: str) -> np.dtype[Any]:
    kind = stored.get_class()
    if kind == h5t.STRING:
        if stored.is_variable_str():  # see `texts` for what is wrong with them
            raise UnsafeFileError(where, "text of varying length")
        if stored.get_size() > MOST_TEXT_BYTES:
            raise UnsafeFileError(where, f"texts of {stored.get_size()} bytes each")
        return np.dtype(f"S{stored.get_size()}")
    try:
        numpy_type: np.dtype[Any] = stored.dtype
        # Bit for bit what numpy has, so no conversion is needed. h5py keeps truth values as
        # an enumeration, and complex numbers as a compound of two floats.
        same = h5t.py_create(numpy_type, logical=True).equal(stored)
    except (TypeError, ValueError, RuntimeError):
        same = False
    if not same or numpy_type.kind not in _NUMPY_KINDS.get(kind, ""):
        raise UnsafeFileError(where, _REFUSED_CLASSES.get(kind, "an unknown type of data"))
    return numpy_type


def measure(
    dataset: Any, path: str, size: int, types: Types
) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Return type, shape and bytes stored of a dataset; refuse what is unsafe or cannot be true.

    A dataset must be stored whole, in a file of `size` bytes: as many bytes as its shape says, or,
    when in chunks, every chunk, and no more than `MOST_PACKING` times the bytes that it takes.
    """
    where = f"/{path}"
    plan = dataset.get_create_plist()
    _check_storage(plan, where)
    kind = types.check(dataset.get_type(), where)
    space = dataset.get_space()
    if space.get_simple_extent_type() == h5s.NULL:
        raise UnsafeFileError(where, "a dataset without a value")
    shape = space.get_simple_extent_dims()
    if plan.get_layout() == h5d.CHUNKED:
        chunk = plan.get_chunk()
        promised, stored = _measure_chunks(
            dataset, where, shape, chunk, kind.itemsize, size, packed=bool(filters(plan))
        )
        believable = max(SMALL, MOST_PACKING * stored)
    else:
        promised, stored = prod(shape) * kind.itemsize, int(dataset.get_storage_size())
        believable = stored
    if promised > believable:
        raise UnsafeFileError(
            where, f"a shape that promises {promised} bytes where {stored} are stored"
        )
    return kind, shape, stored


def _check_storage(plan: Any, where: str) -> None:
    """Refuse a dataset whose content is stored elsewhere or needs a plugin to unpack."""
    if plan.get_layout() == h5d.VIRTUAL:
        raise UnsafeFileError(where, "a virtual dataset, made of other files")
    if plan.get_external_count():
        raise UnsafeFileError(where, "a dataset stored in another file")
    used = filters(plan)
    if not set(used) <= set(_FILTERS):
        raise UnsafeFileError(where, "a filter that needs a plugin")
    if used != [number for number in _FILTERS if number in used]:
        raise UnsafeFileError(where, "filters in an unusual order")


def _measure_chunks(
    dataset: Any,
    where: str,
    shape: tuple[int, ...],
    chunk: tuple[int, ...],
    itemsize: int,
    size: int,
    *,
    packed: bool,
) -> tuple[int, int]:
    """Return the bytes of all chunks unpacked and as stored, having looked where each one is."""
    if prod(chunk) * itemsize > MOST_CHUNK_BYTES:
        raise UnsafeFileError(where, f"chunks of {prod(chunk) * itemsize} bytes")
    needed = prod(ceil(extent / step) for extent, step in zip(shape, chunk, strict=True))
    promised = needed * prod(chunk) * itemsize
    stored: list[tuple[tuple[int, ...], int]] = []

    def note(found: Any) -> bool | None:
        inside = 0 < found.size <= size and 0 <= found.byte_offset <= size - found.size
        stored.append((found.chunk_offset, found.size if inside and not found.filter_mask else 0))
        return True if len(stored) > MOST_CHUNKS else None  # anything but None ends the walk

    if needed:
        dataset.chunk_iter(note)
    if not packed and any(bytes_ != prod(chunk) * itemsize for _, bytes_ in stored):
        # The library would make room for the one, and read the other.
        raise UnsafeFileError(where, "a chunk of another size than its entries")
    total = sum(bytes_ for _, bytes_ in stored)
    if len(stored) < needed and promised > max(SMALL, MOST_PACKING * total):
        return promised, total
    if len(stored) != needed or len({offset for offset, _ in stored}) != needed:
        raise DamagedFileError(where, f"{len(stored)} chunks instead of {needed}")
    if not all(bytes_ for _, bytes_ in stored):
        raise DamagedFileError(where, "a chunk that is outside the file or was not compressed")
    return promised, total
