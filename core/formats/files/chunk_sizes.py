"""How many bytes a chunk of an HDF5 file may be stored in.

HDF5 believes the size that a file states for a chunk. Where no filter changes the size, it makes
room for a whole chunk and then reads as many bytes as the file says: more of them overwrite
memory, fewer leave foreign memory in the result.
"""

from __future__ import annotations

from collections.abc import Sequence

DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3  # the numbers that HDF5 gives its filters

_CHECKSUM = 4  # bytes that Fletcher-32 adds
_KNOWN = {DEFLATE, SHUFFLE, FLETCHER32}


def size_problem(size: int, nbytes: int, filters: Sequence[int], mask: int = 0) -> str:
    """Return what is wrong with the stored size of a chunk, or "" when it may be true.

    Parameters
    ----------
    size : bytes that the chunk takes in the file, as the file says
    nbytes : bytes of a chunk once unpacked
    filters : numbers of the dataset's filters, in their order
    mask : a bit for each filter that was skipped for this chunk, as the file says
    """
    applied = {number for place, number in enumerate(filters) if not mask >> place & 1}
    if not applied <= _KNOWN:
        return "" if size > 0 else "a chunk stored in no bytes"
    whole = nbytes + (_CHECKSUM if FLETCHER32 in applied else 0)
    if DEFLATE not in applied:
        return "" if size == whole else f"a chunk stored in {size} bytes instead of {whole}"
    # Deflate adds an eighth at worst, and a few bytes to any chunk.
    most = whole + nbytes // 8 + 64
    return "" if 0 < size <= most else f"a chunk stored in {size} bytes (at most {most})"
