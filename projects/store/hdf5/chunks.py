"""Unpacks the chunks of a stored array, trusting none of them.

HDF5 unpacks a chunk and copies as many bytes as a chunk should have, without looking how many there
are: a damaged or forged one makes it read foreign memory, or crash. So chunks are fetched as they
are stored, and their checksum and their length are verified here.
"""

from __future__ import annotations

import zlib
from math import prod
from typing import Any

import h5py
import numpy as np
from h5py import h5z

from coterie.core.model.arrays import Array
from coterie.projects.store.hdf5.refusals import DamagedFileError

SHUFFLE, DEFLATE, FLETCHER32 = h5z.FILTER_SHUFFLE, h5z.FILTER_DEFLATE, h5z.FILTER_FLETCHER32

_ROW = 4096  # words whose weighted sum stays far below 2⁵³


def filters(plan: Any) -> list[int]:
    """Return the numbers of a dataset's filters, in the order in which they packed it."""
    return [plan.get_filter(index)[0] for index in range(plan.get_nfilters())]


def read_chunked(dataset: h5py.Dataset, array: Array) -> None:
    """Fill `array`, of the dataset's shape and of plain numbers or bytes, chunk by chunk."""
    packed_by = filters(dataset.id.get_create_plist())
    whole = prod(dataset.chunks) * array.dtype.itemsize
    offsets: list[tuple[int, ...]] = []
    # The callback must return None: anything else ends the walk.
    dataset.id.chunk_iter(lambda stored: offsets.append(tuple(stored.chunk_offset)))
    for offset in offsets:
        mask, raw = dataset.id.read_direct_chunk(offset)
        if mask:
            raise DamagedFileError(dataset.name, "a chunk that was not compressed")
        unpacked = _unpacked(raw, packed_by, whole, array.dtype.itemsize)
        if unpacked is None:
            raise DamagedFileError(dataset.name, "a chunk whose checksum or length is wrong")
        chunk = unpacked.view(array.dtype).reshape(dataset.chunks)
        place = tuple(
            slice(start, start + step) for start, step in zip(offset, dataset.chunks, strict=True)
        )
        target = array[place]
        target[...] = chunk[tuple(slice(extent) for extent in target.shape)]


def _unpacked(raw: bytes, packed_by: list[int], whole: int, itemsize: int) -> Array | None:
    """Return the bytes of one chunk, or None when they are not what was packed."""
    if FLETCHER32 in packed_by:
        if len(raw) < 4 or fletcher32(raw[:-4]) != int.from_bytes(raw[-4:], "little"):
            return None
        raw = raw[:-4]
    if DEFLATE in packed_by:
        unpacking = zlib.decompressobj()
        try:
            raw = unpacking.decompress(raw, whole)
            if unpacking.decompress(unpacking.unconsumed_tail, 1) or not unpacking.eof:
                return None
        except zlib.error:
            return None
    if len(raw) != whole:
        return None
    unpacked = np.frombuffer(raw, dtype=np.uint8)
    if SHUFFLE in packed_by and itemsize > 1:
        unpacked = np.ascontiguousarray(unpacked.reshape(itemsize, -1).T).reshape(-1)
    return unpacked


def fletcher32(raw: bytes) -> int:
    """Return the checksum that HDF5 keeps with a chunk: sums of its words, and of these sums.

    The sums are modulo 65535, where HDF5 writes 65535 for 0 unless every word is 0.
    """
    count = (len(raw) + 1) // 2
    rows = -(-count // _ROW)
    words = np.zeros((rows, _ROW))
    even = raw if len(raw) % 2 == 0 else raw + b"\0"
    words.reshape(-1)[:count] = np.frombuffer(even, dtype=">u2")
    if not words.any():
        return 0
    # Floats, as numpy multiplies no other numbers fast; all of a row's sums are exact in them.
    sums = words.sum(axis=1).astype(np.int64)
    weighted = (words @ np.arange(_ROW, 0, -1.0)).astype(np.int64)
    following = np.arange(rows - 1, -1, -1) * _ROW
    first = int(sums.sum())
    second = int(weighted.sum()) + int(sums @ following) - (rows * _ROW - count) * first
    return (second % 65535 or 65535) << 16 | (first % 65535 or 65535)
