"""Keeps two windows from working on one project, by a lock that ends with its process."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from coterie.core.errors import ProjectFileError
from coterie.core.io.clock import timestamp
from coterie.core.io.locks import FileLock
from coterie.projects.store.hdf5.refusals import unsaved
from coterie.projects.store.hdf5.temporary import remove_stale


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

    def __init__(self, path: Path, lock: FileLock) -> None:
        """Take over a lock that is held; `acquire` is what callers want."""
        self.path = path
        self._lock = lock

    @classmethod
    def acquire(cls, path: str | os.PathLike[str]) -> ProjectLock:
        """Lock the project at `path`, which need not exist yet.

        Raises
        ------
        ProjectInUseError
            when another window, or another project of this one, holds it
        """
        path = Path(os.path.realpath(path))
        lock = FileLock(path.with_name(f".{path.name}.lock"))
        record = {"process": os.getpid(), "host": socket.gethostname(), "since": timestamp()}
        try:
            held = lock.acquire(json.dumps(record))
        except OSError as error:
            raise ProjectFileError(
                unsaved(path, error).replace("was not saved", "cannot be opened for editing"),
                code="file-access",
            ) from error
        if not held:
            raise ProjectInUseError(path, _owner(lock.holder()))
        remove_stale(path)
        return cls(path, lock)

    def release(self) -> None:
        """Give the project free; a second call does nothing."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


def _owner(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
