"""Looks at the bytes of an object's header before the HDF5 library does.

Since HDF5 1.8 a header has a checksum, and a group keeps its links within it or in indexes that
have checksums, too. What came before has none, and leads the library astray; Coterie never wrote
it.
https://docs.hdfgroup.org/hdf5/v1_14/_f_m_t3.html
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from coterie.projects.store.hdf5.refusals import DamagedFileError, UnsafeFileError

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_OLDEST = 2  # the first superblock with a checksum
_ROOT_AT = 36
_CONTINUED, _SYMBOL_TABLE = 0x10, 0x11
_LONGEST_PREFIX = 34
_MOST_PIECES = 64
_MOST_BYTES = 1 << 20


class Headers:
    """The headers of the objects in a file of `size` bytes, open as `stream`."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._size = size

    def root(self) -> int:
        """Return where the header of the root is; refuse a file that does not begin as ours do."""
        start = self._read(0, _ROOT_AT + 8, "/")
        # The version, and eight bytes for addresses and for lengths.
        if not start.startswith(_SIGNATURE) or start[8] < _OLDEST or start[9:11] != b"\x08\x08":
            raise UnsafeFileError("/", "the format before HDF5 1.8")
        base, root = struct.unpack_from("<Q", start, 12)[0], struct.unpack_from("<Q", start, 36)[0]
        if base:
            raise UnsafeFileError("/", "another file before its beginning")
        return int(root)

    def check(self, address: int, where: str) -> None:
        """Refuse an object whose header, at `address`, is not of the kind that Coterie writes."""
        for kind in self._messages(address, where):
            if kind == _SYMBOL_TABLE:
                raise UnsafeFileError(where, "a group in the format before HDF5 1.8")

    def _messages(self, address: int, where: str) -> Iterator[int]:
        """Yield the kinds of all messages of a header."""
        prefix = self._read(address, _LONGEST_PREFIX, where, short=True)
        if not prefix.startswith(b"OHDR\x02"):
            raise UnsafeFileError(where, "an object in the format before HDF5 1.8")
        flags = prefix[5]
        at = 6 + 16 * bool(flags & 0x20) + 4 * bool(flags & 0x10)
        width = 1 << (flags & 3)
        length = int.from_bytes(prefix[at : at + width], "little")
        pieces = [(address + at + width, length)]
        for count, (start, extent) in enumerate(pieces):
            if count == _MOST_PIECES:
                raise UnsafeFileError(where, f"a header in more than {_MOST_PIECES} pieces")
            data = self._read(start, extent, where)
            for kind, content in _split(data, 4 + 2 * bool(flags & 4)):
                if kind == _CONTINUED and len(content) >= 16:
                    after, more = struct.unpack_from("<QQ", content)
                    if more < 8 or self._read(after, 4, where) != b"OCHK":
                        raise DamagedFileError(where, "a header without its end")
                    pieces.append((after + 4, more - 8))  # its name and its checksum
                yield kind

    def _read(self, start: int, count: int, where: str, *, short: bool = False) -> bytes:
        if start + (0 if short else count) > self._size or count > _MOST_BYTES:
            raise DamagedFileError(where, "a header outside the file")
        self._stream.seek(start)
        return self._stream.read(count)


def _split(data: bytes, head: int) -> Iterator[tuple[int, bytes]]:
    """Yield the messages of one piece: the kind, and what it says."""
    at = 0
    while at + head <= len(data):
        size = int.from_bytes(data[at + 1 : at + 3], "little")
        yield data[at], data[at + head : at + head + size]
        at += head + size
