"""The file that a save is written to, beside the project, until it takes its place."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path

from coterie.core.io.locks import is_same_file
from coterie.core.io.platform.file_locks import try_lock
from coterie.core.io.platform.open_files import CLOSE_BEFORE_MOVING, NO_FOLLOW

_ENDING = ".saving"


def temporary_path(target: Path) -> Path:
    """Return a name beside `target` that nobody else uses and `remove_stale` knows."""
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}{_ENDING}")


class TemporaryFile:
    """A new empty file beside `target`, marked as being in use for as long as it is open.

    The mark is a lock, which ends with the process: what a killed save left behind can be
    distinguished from what another process is writing now, whatever its number and on whichever
    machine.
    """

    def __init__(self, target: Path) -> None:
        """Create the file; raises OSError when the folder does not allow it."""
        while True:
            self.path = temporary_path(target)
            self._handle: int | None = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            try_lock(self._handle, without=True)
            if is_same_file(self._handle, self.path):  # nobody cleaned it away before the lock
                return
            os.close(self._handle)

    @property
    def handle(self) -> int:
        """The open file."""
        assert self._handle is not None
        return self._handle

    def take_place_of(self, target: Path) -> None:
        """Become `target`, in one instant."""
        if CLOSE_BEFORE_MOVING:
            self.close()
        self.path.replace(target)
        self.close()

    def close(self) -> None:
        """End the mark."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def discard(self) -> None:
        """Remove the file."""
        if CLOSE_BEFORE_MOVING:
            self.close()
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.close()


def remove_stale(target: Path) -> None:
    """Remove what killed saves of `target` left behind; what is being written is let alone."""
    ours = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}{re.escape(_ENDING)}")
    with contextlib.suppress(OSError):  # whatever is wrong with the folder, saving says it better
        for path in list(target.parent.iterdir()):
            if ours.fullmatch(path.name):
                _remove_unless_in_use(path)


def _remove_unless_in_use(path: Path) -> None:
    with contextlib.suppress(OSError):  # in use, or not ours to remove: it does no harm
        handle = os.open(path, os.O_RDWR | NO_FOLLOW)
        try:
            if try_lock(handle, without=False):
                if CLOSE_BEFORE_MOVING:
                    os.close(handle)
                    handle = -1
                path.unlink()
        finally:
            if handle >= 0:
                os.close(handle)
