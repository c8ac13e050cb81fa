"""Keeps what is needed to restore a session after a crash, without holding up its owner."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from coterie.core.errors import WorkspaceError
from coterie.projects.backstage import Backstage
from coterie.projects.kept import Kept
from coterie.projects.storage import Storage


class Autosave:
    """Writes the states of a session, in their order, on the thread for file work.

    Parameters
    ----------
    failed : called on the owner's thread with a sentence when a state could not be written
    """

    def __init__(
        self, storage: Storage, backstage: Backstage, failed: Callable[[str], object]
    ) -> None:
        self._storage, self._backstage, self._failed = storage, backstage, failed
        self._newest: Future[None] | None = None

    def keep(self, kept: Kept) -> None:
        """Have a state written soon."""
        self._newest = self._backstage.do_quietly(lambda: self._write(kept))

    def settle(self) -> None:
        """Wait until what was to be kept is on disk; for scripts and tests."""
        if self._newest is not None:
            self._newest.result()

    def _write(self, kept: Kept) -> None:
        try:
            self._storage.keep_state(kept.for_state())
        except WorkspaceError as error:
            said = str(error)
            self._backstage.tell(lambda: self._failed(said))
