"""The folders of workspaces: their owners, and the state for crash recovery.

Each session has one. What a crash leaves has no owner any more, and is offered for restoring.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.core.errors import WorkspaceError
from coterie.core.io.locks import FileLock
from coterie.core.io.platform import durable

STATE = "session.json"
LOCK = "owner.lock"
CHECKSUM = "checksum"
ADOPTED = "adopted"


class WorkFolder:
    """A new folder for the workspace of a session, which owns it until it is closed."""

    def __init__(self, root: Path) -> None:
        try:
            self.path, self._owner = _new_folder(root)
        except OSError as error:
            raise WorkspaceError(
                f"Coterie cannot store its work in '{root}': {error.strerror or error}. "
                "Free some disk space, or check the folder's permissions.",
                code="workspace-unusable",
            ) from error
        self.adopted: tuple[str, ...] = ()  # names of the folders whose work is in this one
        self.held: list[FileLock] = []  # of work that is being taken over
        self.taken: dict[Path, frozenset[str]] = {}  # the keys of its results, by its folder

    @property
    def spared(self) -> frozenset[str]:
        """The keys of results that are here already, and that no step names yet."""
        # All at once: work is taken over on another thread.
        return frozenset().union(*tuple(self.taken.values()))

    def keep_state(self, state: Mapping[str, Any]) -> None:
        """Write what is needed to restore the session after a crash.

        It names the workspaces whose work is in this one: a crash may have left them too, and
        they are older than anything done here.
        """
        state = {**state, ADOPTED: list(self.adopted)}
        kept = {**state, CHECKSUM: _checksum(state)}
        temporary, present = self.path / f"{STATE}.tmp", self.path / STATE
        try:
            with temporary.open("w", encoding="utf-8") as stream:
                json.dump(kept, stream)
                stream.flush()
                # Not every file system writes a file before its new name: XFS may leave it empty.
                durable.sync(stream.fileno())
            # The one before stays, in case a failing disk damages this one.
            if present.exists():
                before = self.path / f"{STATE}.before"
                before.unlink(missing_ok=True)
                with contextlib.suppress(OSError):
                    os.link(present, before)
            temporary.replace(present)
        except OSError as error:
            raise WorkspaceError(
                f"The autosave could not be written: {error.strerror}. Free some disk space.",
                code="workspace-unusable",
            ) from error

    def close(self, *, remove: bool) -> None:
        """Give the folder up; `remove` deletes it."""
        for lock in self.held:
            lock.release()
        if remove:
            remove_workspace(self.path)  # while it is ours: half of it cannot be restored
        self._owner.release()
        if remove:
            shutil.rmtree(self.path, ignore_errors=True)  # Windows kept the lock till now


def remove_workspace(folder: Path) -> None:
    """Delete a workspace, its state first: what a crash leaves of it is not taken for work."""
    for name in (f"{STATE}.before", STATE):
        with contextlib.suppress(OSError):
            (folder / name).unlink()
    shutil.rmtree(folder, ignore_errors=True)


def adopted_by(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the workspaces whose work a state has taken over."""
    names = state.get(ADOPTED, ())
    names = names if isinstance(names, list) else ()
    # A name, and no way to another folder.
    return tuple(n for n in names if isinstance(n, str) and _is_workspace(n))


def _is_workspace(name: str) -> bool:
    return name.startswith("workspace-") and Path(name).name == name


def read_state(folder: Path) -> dict[str, Any]:
    """Return the state that was kept last in a workspace, or the one before when it is damaged."""
    try:
        return _state(folder / STATE)
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            return _state(folder / f"{STATE}.before")
        raise


def _state(file: Path) -> dict[str, Any]:
    try:
        state = json.loads(file.read_text(encoding="utf-8"))
    except RecursionError:
        state = None
    if not isinstance(state, dict):
        raise ValueError("its state is not valid")
    if CHECKSUM in state and state.pop(CHECKSUM) != _checksum(state):
        raise ValueError("its state was changed")
    return state


def _checksum(state: Mapping[str, Any]) -> int:
    plain = json.loads(json.dumps(dict(state)))
    return zlib.crc32(json.dumps(plain, sort_keys=True).encode())


def _new_folder(root: Path) -> tuple[Path, FileLock]:
    """Return a new workspace's folder, and the lock that says it has an owner."""
    # Under another name until it is locked, so no other window takes it for an orphan.
    starting = Path(tempfile.mkdtemp(prefix="starting-", dir=root))
    folder = root / starting.name.replace("starting-", "workspace-")
    owner = FileLock(starting / LOCK)
    owner.acquire()
    starting.rename(folder)
    owner.path = folder / LOCK
    return folder, owner
