"""Keeps two windows from working on one project, by a lock that ends with its process."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from coterie.core.errors import ProjectFileError
from coterie.core.io.clock import timestamp
from coterie.core.io.locks import is_same_file, leave_text, try_lock
from coterie.projects.store.hdf5.refusals import unsaved
from coterie.projects.store.hdf5.temporary import remove_stale

# The lock file is emptied: a link put in its place must not lead that to another file.
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


class ProjectInUseError(ProjectFileError):
    """Another window has the project open."""

    code = "project-in-use"

    def __init__(self, path: Path, owner: dict[str, Any]) -> None:
        process, host = owner.get("process"), owner.get("host")
        who = f" (process {process}" if isinstance(process, int) else ""
        if who and isinstance(host, str) and host != socket.gethostname():
            who += f" on {host:.60}"
        super().__init__(
            f"'{path.name}' is open in another window{who and who + ')'}. "
            "Close it there, or open it read-only."
        )
        self.process = process if isinstance(process, int) else None


class ProjectLock:
    """The right to save a project, held from opening until closing.

    The lock is in a hidden file beside the project, because saving replaces the project itself.
    """

    def __init__(self, path: Path, lock_path: Path, handle: int) -> None:
        """Take over a locked file; `acquire` is what callers want."""
        self.path = path
        self._lock_path = lock_path
        self._handle: int | None = handle

    @classmethod
    def acquire(cls, path: str | os.PathLike[str]) -> ProjectLock:
        """Lock the project at `path`, which need not exist yet.

        Raises
        ------
        ProjectInUseError
            when another window, or another project of this one, holds it
        """
        path = Path(os.path.realpath(path))
        lock_path = path.with_name(f".{path.name}.lock")
        while True:
            try:
                handle = os.open(lock_path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o666)
            except OSError as error:
                raise ProjectFileError(
                    unsaved(path, error).replace("was not saved", "cannot be opened for editing"),
                    code="file-access",
                ) from error
            if not try_lock(handle, without=True):
                owner = _owner(handle)
                os.close(handle)
                raise ProjectInUseError(path, owner)
            # Its last holder may have removed the file between our opening and locking it.
            if is_same_file(handle, lock_path):
                break
            os.close(handle)
        record = {"process": os.getpid(), "host": socket.gethostname(), "since": timestamp()}
        leave_text(handle, json.dumps(record))
        remove_stale(path)
        return cls(path, lock_path, handle)

    def release(self) -> None:
        """Give the project free; a second call does nothing."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        if sys.platform == "win32":
            os.close(handle)  # Windows removes no file that is open
            self._lock_path.unlink(missing_ok=True)
            return
        # Removed while still held, so nobody locks a file that is about to go.
        self._lock_path.unlink(missing_ok=True)
        os.close(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


def _owner(handle: int) -> dict[str, Any]:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        record = json.loads(os.read(handle, 4096))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
