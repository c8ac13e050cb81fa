"""Remembers plugins that took the engine down while being imported, so it starts again.

Before a plugin is imported, its name is written to a locked marker file. A marker whose lock is
free but which is still there belongs to a process that died in the middle: that plugin is put in
quarantine until its code changes or a person releases it. Plugins that a person switched off are
remembered beside.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coterie.core.io.locks import FileLock


class Quarantine:
    """The plugins that are not to be imported, kept in a folder of markers and one JSON file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "quarantine.json"
        self._off_file = folder / "switched-off.json"
        self._marking = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True)

    def collect(self) -> None:
        """Turn the markers of processes that died while importing into quarantine."""
        for path in self._folder.glob("importing-*"):
            lock = FileLock(path)
            text = lock.inherit()
            if text is None:
                continue
            # It may have died before it had written all of it.
            with contextlib.suppress(ValueError, TypeError):
                name, stamp = json.loads(text)
                self._write({**self.entries(), str(name): str(stamp)})
            lock.release()

    def entries(self) -> dict[str, str]:
        """Return the stamp that each plugin in quarantine had when it failed."""
        try:
            entries = json.loads(self._file.read_text(encoding="utf-8"))
            return {str(name): str(stamp) for name, stamp in entries.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def holds(self, name: str, stamp: str) -> bool:
        """Return whether the plugin is in quarantine and has not changed since."""
        return self.entries().get(name) == stamp

    def release(self, name: str) -> None:
        """Give a plugin another chance."""
        self._write({other: s for other, s in self.entries().items() if other != name})

    def switched_off(self) -> frozenset[str]:
        """Return the names of the plugins that a person switched off."""
        try:
            return frozenset(map(str, json.loads(self._off_file.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            return frozenset()

    def switch(self, name: str, *, on: bool) -> None:
        """Switch a plugin off for all starts to come, or on, which gives it another chance too."""
        off = self.switched_off() - {name} if on else self.switched_off() | {name}
        _replace(self._off_file, json.dumps(sorted(off)))
        if on:
            self.release(name)

    @contextmanager
    def watching(self, name: str, stamp: str) -> Iterator[None]:
        """Import a plugin inside this, so a death in the middle is noticed."""
        lock = FileLock(marker(self._folder, os.getpid()))
        with self._marking:
            lock.acquire(json.dumps([name, stamp]))
        try:
            yield
        finally:
            lock.release()

    def forgive(self, pid: int) -> None:
        """Forget that process `pid` was importing: it was ended on purpose."""
        marker(self._folder, pid).unlink(missing_ok=True)

    def stand_down(self) -> None:
        """Forget what this process imports, and all it will: it is about to end itself."""
        self._marking.acquire()  # never given back, so no marker appears after this one went
        self.forgive(os.getpid())

    def _write(self, entries: dict[str, str]) -> None:
        _replace(self._file, json.dumps(entries))


def _replace(file: Path, text: str) -> None:
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(file)


def marker(folder: Path, pid: int) -> Path:
    """Return the marker file of process `pid`."""
    return folder / f"importing-{pid}"
