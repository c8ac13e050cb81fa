"""Advisory locks that vanish with the process that holds them, however it ends."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from coterie.core.io.platform.file_locks import try_lock
from coterie.core.io.platform.open_files import CLOSE_BEFORE_MOVING, NO_FOLLOW

_LONGEST_TEXT = 1 << 16


def is_same_file(handle: int, path: Path) -> bool:
    """Return whether `path` still names the file that `handle` has open."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def leave_text(handle: int, text: str) -> None:
    """Write who holds a lock into its file; on a full disk the lock holds without it."""
    with contextlib.suppress(OSError):
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, text.encode())


class FileLock:
    """A lock on a file, held until `release` or the end of the process.

    The holder's text (such as its process number) stands in the file, for messages.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def acquire(self, text: str = "") -> bool:
        """Take the lock without waiting, leaving `text`; return whether that worked."""
        if not self._take(os.O_RDWR | os.O_CREAT, without=True):
            return False
        assert self._handle is not None
        leave_text(self._handle, text or str(os.getpid()))
        return True

    def inherit(self) -> str | None:
        """Take a lock whose holder is gone; return the text it left, or None when it is not so."""
        if not self._take(os.O_RDWR, without=False):
            return None
        return self.holder()

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._handle is not None

    def holder(self) -> str:
        """Return the text that the holder left, or what is left of it."""
        try:
            with self.path.open("rb") as file:
                return file.read(_LONGEST_TEXT).decode(errors="replace").strip()
        except OSError:
            return ""

    def release(self, *, remove: bool = True) -> None:
        """Give the lock back, and by default remove its file."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        if CLOSE_BEFORE_MOVING:
            os.close(handle)
        if remove:
            # Elsewhere while still held, so nobody locks a file that is about to go.
            self.path.unlink(missing_ok=True)
        if not CLOSE_BEFORE_MOVING:
            os.close(handle)

    def _take(self, flags: int, *, without: bool) -> bool:
        while self._handle is None:
            try:
                # It is emptied: a link put in its place must not lead that to another file.
                handle = os.open(self.path, flags | NO_FOLLOW, 0o666)
            except FileNotFoundError:
                if flags & os.O_CREAT:
                    raise
                return False
            try:
                locked = try_lock(handle, without=without)
            except OSError:
                os.close(handle)
                raise
            if not locked:
                os.close(handle)
                return False
            # Its last holder may have removed the file between our opening and locking it.
            if is_same_file(handle, self.path):
                self._handle = handle
                return True
            os.close(handle)
        return False
