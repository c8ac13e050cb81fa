"""Restores the work of a session that ended without closing.

Its results are given a place in the workspace of the session that goes on; where the disk has no
hard links they are copied, which takes a while and is done in the background. Only the state that
names them is kept on the session's own thread, as every autosave is.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from coterie.core.errors import WorkspaceError
from coterie.core.io.locks import FileLock
from coterie.core.io.workspace import Workspace
from coterie.projects.store.work_folder import (
    LOCK,
    WorkFolder,
    adopted_by,
    read_state,
    remove_workspace,
)

T = TypeVar("T")


class Adoption(Generic[T]):
    """Another, ownerless folder, whose work is taken over in three steps.

    Nothing is taken away before all of it, and the state that names it, is here: a crash on the
    way leaves the work where it was. Until then it is locked, so no other window takes it.

    Parameters
    ----------
    understand : says what a state means; work whose state is not understood stays where it is
    """

    meaning: T

    def __init__(
        self, home: WorkFolder, folder: Path, understand: Callable[[Mapping[str, Any]], T]
    ) -> None:
        self._home = home
        self._folder = folder
        self._understand = understand
        self._owner = FileLock(folder / LOCK)
        self._state: dict[str, Any] = {}

    def take(self) -> None:
        """First, in the background: give all artefacts a second place."""
        try:
            if not self._owner.acquire():
                raise WorkspaceError(
                    "This work is open in another running Coterie.", code="work-in-use"
                )
        except FileNotFoundError as error:
            raise WorkspaceError(
                "This work was already restored in another window.", code="work-in-use"
            ) from error
        self._home.held.append(self._owner)
        try:
            self._state = read_state(self._folder)
            self.meaning = self._understand(self._state)
            keys = frozenset(Workspace(self._folder).keys())
            self._home.taken[self._folder] = keys  # first: none is let go once it is here
            for key in keys:
                _take_over(self._folder / "artefacts" / key, self._home.path / "artefacts")
        except BaseException as error:
            self.leave()
            if isinstance(error, OSError | ValueError):
                raise WorkspaceError(
                    f"This work cannot be restored: {error}.", code="file-damaged"
                ) from error
            raise

    def keep(self) -> None:
        """Second, on the session's thread: keep the state, which says whose work this was."""
        self._home.adopted = (*adopted_by(self._state), self._folder.name)
        self._home.keep_state(self._state)

    def leave(self) -> None:
        """Leave the work where it is, for another time."""
        self._home.taken.pop(self._folder, None)
        self._owner.release()

    def clear(self) -> None:
        """Last, in the background: remove what is here now.

        Whatever was to be let go in the name of the project before was asked for earlier, and is
        done: from now on the steps that name the results keep them.
        """
        self._home.taken.pop(self._folder, None)
        self._owner.release()
        remove_workspace(self._folder)
        for name in adopted_by(self._state):  # what an earlier crash left of the same work
            _remove_ownerless(self._folder.parent / name)


def _take_over(source: Path, artefacts: Path) -> None:
    """Give an artefact of another workspace a place in this one, whole or not at all."""
    target = artefacts / source.name
    if target.exists():
        return
    prefix = f"writing-{os.getpid()}-"
    temporary = Path(tempfile.mkdtemp(prefix=prefix, dir=artefacts))
    for file in source.iterdir():
        try:
            os.link(file, temporary / file.name)
        except OSError:  # a disk without hard links, or another disk
            shutil.copy2(file, temporary / file.name)
    temporary.rename(target)


def _remove_ownerless(folder: Path) -> None:
    """Delete a workspace unless it is gone, or somebody works with it."""
    owner = FileLock(folder / LOCK)
    with contextlib.suppress(OSError):
        if owner.acquire():
            owner.release()
            remove_workspace(folder)
