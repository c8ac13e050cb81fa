"""Has results on the disk some seconds after they were computed, whatever the file system.

A system may keep what was written in memory for half a minute; a power cut loses that. Waiting for
the disk at each result would slow work down, so it is done a little later, on another thread.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable
from pathlib import Path

from coterie.core.io.platform import durable
from coterie.core.io.workspace import artefact_folder

DELAY = 4.0  # seconds; what is older than ten is on the disk, if it can write that fast


class Flushing:
    """Waits for the disk, for the results in the workspace `folder`, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._one_at_a_time = threading.Lock()
        self._waiting: set[str] = set()
        self._seen: set[str] = set()
        self._timer: threading.Timer | None = None
        self._closed = False

    def note(self, keys: Iterable[str]) -> None:
        """Take note of results that a state names, and that the state itself was written."""
        with self._one_at_a_time:
            new = set(keys) - self._seen
            self._seen |= new
            self._waiting |= new
            if self._timer is None and not self._closed:
                self._timer = threading.Timer(DELAY, self._flush)
                self._timer.name, self._timer.daemon = "coterie-flush", True
                self._timer.start()

    def close(self) -> None:
        """Wait for nothing any more."""
        with self._one_at_a_time:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()

    def _flush(self) -> None:
        with self._one_at_a_time:
            keys, self._waiting, self._timer = self._waiting, set(), None
        for key in sorted(keys):
            folder = artefact_folder(self._folder, key)
            # It may be gone by now, or only in the project file; the disk may fail, which
            # checksums find out when the result is read.
            with contextlib.suppress(OSError):
                for file in folder.iterdir():
                    durable.sync_path(file)
                durable.sync_folder(folder)
        with contextlib.suppress(OSError):
            durable.sync_folder(artefact_folder(self._folder))
            durable.sync_folder(self._folder)  # the name of the state
