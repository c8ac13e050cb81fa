"""The disk as HDF5 may see it while a project is written: one that never fails.

A write that fails (a full disk, a share that went away) leaves the HDF5 library with data it cannot
get rid of; it then crashes, at the latest when the process ends. So failures are kept from it.
"""

from __future__ import annotations

import io
import os
from typing import Any


class Disk(io.RawIOBase):
    """An open file whose writes always succeed; `error` is the first that did not.

    What could not be written is kept in memory and read from there, so HDF5 finds what it
    wrote. That is little, when the one who writes looks at `error` now and then and gives up.
    """

    def __init__(self, handle: int) -> None:
        """Write to the open file `handle`, which stays open."""
        super().__init__()
        self.error: OSError | None = None
        self._handle = handle
        self._at = 0
        self._end = os.fstat(handle).st_size
        self._kept: list[tuple[int, bytes]] = []

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        if self.error is not None:
            raise self.error

    def write(self, data: Any) -> int:
        """Write at the present place, or remember why not."""
        view = memoryview(data).cast("B")
        written = 0
        try:
            while self.error is None and written < len(view):
                written += self._write(view[written:], self._at + written)
        except OSError as error:
            self.error = error
        if written < len(view):
            self._kept.append((self._at + written, bytes(view[written:])))
        self._at += len(view)
        self._end = max(self._end, self._at)
        return len(view)

    def readinto(self, buffer: Any) -> int:
        """Read at the present place what was written there."""
        view = memoryview(buffer).cast("B")
        size = max(0, min(len(view), self._end - self._at))
        view[:size] = self._read(size, self._at).ljust(size, b"\0")
        for start, kept in self._kept:
            first, last = max(start, self._at), min(start + len(kept), self._at + size)
            if first < last:
                view[first - self._at : last - self._at] = kept[first - start : last - start]
        self._at += size
        return size

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        self._at = origin + offset
        return self._at

    def tell(self) -> int:
        """Return the present place."""
        return self._at

    def truncate(self, size: int | None = None) -> int:
        """Set the length of the file."""
        self._end = self._at if size is None else size
        try:
            if self.error is None:
                os.ftruncate(self._handle, self._end)
        except OSError as error:
            self.error = error
        return self._end

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def seekable(self) -> bool:
        """Return that it has places to go to."""
        return True

    def _write(self, data: memoryview, offset: int) -> int:
        os.lseek(self._handle, offset, os.SEEK_SET)
        return os.write(self._handle, data)

    def _read(self, size: int, offset: int) -> bytes:
        try:
            os.lseek(self._handle, offset, os.SEEK_SET)
            return os.read(self._handle, size)
        except OSError as error:
            self.error = self.error or error
            return b""
