"""An engine in a thread of this process: for debugging and tests, not for strangers' plugins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from coterie.core.engine.mailbox import Mailbox
from coterie.core.engine.messages import CatalogueMessage, EngineState, Message
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.worker import Worker
from coterie.core.io.workspace import Workspace


class InProcessEngine:
    """The same as `ProcessEngine`, except that a crash or a hang is this process's own."""

    def __init__(
        self,
        workspace: Path,
        options: EngineOptions | None = None,
        notify: Callable[[], None] | None = None,
    ) -> None:
        self.inbox = Mailbox(notify)
        self._worker = Worker(Workspace(workspace), options or EngineOptions(), self._put)
        self._thread = threading.Thread(target=self._worker.work, name="engine", daemon=True)
        self._started = False
        self._ready = False

    def start(self) -> None:
        """Start the thread; the catalogue comes as the first message."""
        if not self._started:
            self._started = True
            self.inbox.put(EngineState(state="starting"))
            self._thread.start()

    def send(self, message: Message) -> None:
        """Give an order, or control a job."""
        if not self.inbox.closed:
            self.start()
            self._worker.give(message)

    def close(self) -> None:
        """Cancel what runs and wait for it."""
        self._worker.stop()
        if self._thread.is_alive():
            self._thread.join(timeout=10)
        self.inbox.close()

    def _put(self, message: Message) -> None:
        if isinstance(message, CatalogueMessage) and not self._ready:
            self._ready = True
            self.inbox.put(EngineState(state="ready"))
        self.inbox.put(message)
