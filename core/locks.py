"""Advisory locks that vanish with the process that holds them, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO


class FileLock:
    """A lock on a file, held until `release` or the end of the process.

    The holder's text (such as its process number) stands in the file, for messages.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] | None = None

    def acquire(self, text: str = "") -> bool:
        """Take the lock without waiting; return whether that worked."""
        file = self.path.open("a+", encoding="utf-8")
        if not _lock(file):
            file.close()
            return False
        file.seek(0)
        file.truncate()
        file.write(text or str(os.getpid()))
        file.flush()
        self._file = file
        return True

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    def holder(self) -> str:
        """Return the text that the holder left, or what is left of it."""
        try:
            return self.path.read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""

    def release(self, *, remove: bool = True) -> None:
        """Give the lock back, and by default remove its file."""
        if self._file is None:
            return
        if remove:
            # While the lock is still held, so that nobody's fresh lock file is removed.
            self.path.unlink(missing_ok=True)
        self._file.close()
        self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> bool:
        # A byte far behind the text, because a locked region cannot be read by others.
        os.lseek(file.fileno(), 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        # The file may have been removed by its last holder between opening and locking.
        try:
            return os.path.samestat(os.fstat(file.fileno()), Path(file.name).stat())
        except OSError:
            return False
