"""What a stored dataset may be made of, and how much it may promise."""

from __future__ import annotations

from math import ceil, prod
from typing import Any

import numpy as np
from h5py import h5d, h5s, h5t, h5z

from coterie.projects.file.refusals import DamagedFileError, UnsafeFileError

# Deflate packs at most 1032 bytes into one. What claims more was not packed by it.
MOST_PACKING = 1100
# Holes in small datasets cost nothing; HDF5 needs some bytes for any chunk at all.
SMALL = 1 << 20
# A chunk is unpacked whole, however little of it is wanted. We write 1 MiB.
MOST_CHUNK_BYTES = 256 << 20
# A text is decoded, and mostly parsed, in one piece.
MOST_TEXT_BYTES = 64 << 20

_FILTERS = frozenset({h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32})
_REFUSED_CLASSES = {
    h5t.REFERENCE: "references to other objects",
    h5t.OPAQUE: "raw bytes of an unnamed type, as pickled objects are kept",
    h5t.VLEN: "lists of varying length, as object arrays are kept",
    h5t.ARRAY: "arrays within array entries",
    h5t.BITFIELD: "bit fields",
    h5t.TIME: "HDF5 times",
    h5t.COMPOUND: "compound entries",
    h5t.ENUM: "an enumeration",
}


def check_type(stored: Any, where: str) -> bool:
    """Refuse a stored type other than numbers, truth values and text; return whether it is text."""
    kind = stored.get_class()
    if kind == h5t.STRING:
        if stored.is_variable_str():  # see `texts` for what is wrong with them
            raise UnsafeFileError(where, "text of varying length")
        if stored.get_size() > MOST_TEXT_BYTES:
            raise UnsafeFileError(where, f"texts of {stored.get_size()} bytes each")
        return True
    if kind in (h5t.INTEGER, h5t.FLOAT):
        if stored.get_size() > 16:
            raise UnsafeFileError(where, f"numbers of {stored.get_size()} bytes each")
        return False
    # h5py keeps truth values as an enumeration and complex numbers as a compound of two floats.
    if kind == h5t.ENUM and _is_bool(stored):
        return False
    if kind == h5t.COMPOUND and _is_complex(stored):
        return False
    raise UnsafeFileError(where, _REFUSED_CLASSES.get(kind, "an unknown type of data"))


def _is_bool(stored: Any) -> bool:
    if stored.get_size() != 1 or stored.get_nmembers() != 2:
        return False
    return {stored.get_member_name(i): stored.get_member_value(i) for i in (0, 1)} == {
        b"FALSE": 0,
        b"TRUE": 1,
    }


def _is_complex(stored: Any) -> bool:
    if stored.get_nmembers() != 2 or stored.get_size() > 32:
        return False
    names = [stored.get_member_name(i) for i in (0, 1)]
    classes = {stored.get_member_class(i) for i in (0, 1)}
    return names == [b"r", b"i"] and classes == {h5t.FLOAT}


def check_storage(dataset: Any, path: str) -> None:
    """Refuse a dataset whose content lies elsewhere or needs a plugin to unpack."""
    where = f"/{path}"
    plan = dataset.get_create_plist()
    if plan.get_layout() == h5d.VIRTUAL:
        raise UnsafeFileError(where, "a virtual dataset, made of other files")
    if plan.get_external_count():
        raise UnsafeFileError(where, "a dataset kept in another file")
    for index in range(plan.get_nfilters()):
        number, _, _, name = plan.get_filter(index)
        if number not in _FILTERS:
            shown = name.decode(errors="replace") or str(number)
            raise UnsafeFileError(where, f"a packing that needs a plugin ({shown})")


def measure(dataset: Any, path: str) -> tuple[tuple[int, ...], int, int]:
    """Return shape, bytes once unpacked, and bytes stored; refuse what cannot be true.

    A dataset must be stored whole: as many bytes as its shape says, or, when in chunks, every
    chunk, and no more than `MOST_PACKING` times the bytes that it takes in the file.
    """
    where = f"/{path}"
    space = dataset.get_space()
    if space.get_simple_extent_type() == h5s.NULL:
        raise UnsafeFileError(where, "a dataset without a value")
    shape = tuple(int(extent) for extent in space.shape)
    itemsize = int(dataset.get_type().get_size())
    nbytes = prod(shape) * itemsize
    stored = int(dataset.get_storage_size())
    plan = dataset.get_create_plist()
    if plan.get_layout() != h5d.CHUNKED:
        if stored != nbytes:
            raise UnsafeFileError(
                where, f"a shape that promises {nbytes} bytes where {stored} are stored"
            )
        return shape, nbytes, stored
    chunk = plan.get_chunk()
    promised = prod(chunk) * itemsize
    if promised > MOST_CHUNK_BYTES:
        raise UnsafeFileError(where, f"chunks of {promised} bytes")
    needed = prod(ceil(extent / step) for extent, step in zip(shape, chunk, strict=True))
    promised *= needed
    if promised > SMALL and promised > MOST_PACKING * stored:
        raise UnsafeFileError(
            where, f"a shape that promises {promised} bytes where {stored} are stored"
        )
    if needed and dataset.get_num_chunks() != needed:
        raise DamagedFileError(where, f"{dataset.get_num_chunks()} of {needed} chunks")
    return shape, nbytes, stored


def attribute_value(attribute: Any) -> bytes | bool | int | float:
    """Return the value of a scalar attribute: a text as its bytes, a number as Python knows it."""
    value = np.zeros((), dtype=attribute.dtype)
    attribute.read(value)
    plain: Any = value[()]
    number: bytes | bool | int | float = plain.item() if isinstance(plain, np.generic) else plain
    return number
