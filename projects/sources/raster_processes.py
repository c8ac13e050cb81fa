"""The processes that read scenes, maps and regions for the window, each confined to its files."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from coterie.core.io.confined.process import ConfinedProcess
from coterie.core.io.confined.wire import Parcel
from coterie.projects.confined_services import RASTERS

MOST_PROCESSES = 3  # that wait for the next question


class Answerer(Protocol):
    """Whoever answers: this process, or a confined one."""

    def call(self, method: str, *, patience: float, **values: Any) -> Parcel: ...


class _ThisProcess:
    """Answers in this process."""

    def __init__(self) -> None:
        from coterie.projects.sources.raster_service import RasterService

        self._service = RasterService(lambda _done, _text: None)

    def call(self, method: str, *, patience: float, **values: Any) -> Parcel:
        del patience
        arrays = values.pop("arrays", None) or {}
        found = getattr(self._service, method)(**values, **arrays)
        return found if isinstance(found, Parcel) else Parcel(found)


class _ConfinedReaders:
    """Confined processes, each for the files of one scene; a few are kept for the next question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[tuple[Any, ...], ConfinedProcess] = {}
        self._users: Counter[tuple[Any, ...]] = Counter()

    @contextlib.contextmanager
    def reader(self, about: str, read: Iterable[Path], write: Iterable[Path]) -> Iterator[Answerer]:
        key = (tuple(sorted(set(read))), tuple(sorted(set(write))))
        with self._lock:
            if key == ((), ()):  # whoever is there already, and may change no file, can do sums
                able = (k for k, p in self._running.items() if p.alive and not k[1])
                key = next(able, key)
            process = self._running.pop(key, None)
            if process is not None and not process.alive:
                process.close()
                process = None
            if process is None:
                process = ConfinedProcess(RASTERS, about, read=key[0], write=key[1])
            self._running[key] = process
            self._users[key] += 1
        try:
            yield process
        finally:
            with self._lock:
                self._users[key] -= 1
                idle = [k for k in self._running if not self._users[k]]
                for old in idle[: max(0, len(self._running) - MOST_PROCESSES)]:
                    self._running.pop(old).close()

    def close(self) -> None:
        with self._lock:
            for process in self._running.values():
                process.close()
            self._running.clear()


_pool: _ConfinedReaders | None = None


def keep_apart() -> None:
    """Have other processes read from now on."""
    global _pool
    _pool = _pool or _ConfinedReaders()


def keep_here() -> None:
    """Have this process read again; those that did so end."""
    global _pool
    if _pool is not None:
        _pool.close()
    _pool = None


@contextlib.contextmanager
def reader(about: str, read: Iterable[Path] = (), write: Iterable[Path] = ()) -> Iterator[Answerer]:
    """Yield who may read and write these files, and nothing else; `about` is what errors name."""
    if _pool is None:
        yield _ThisProcess()
        return
    with _pool.reader(about, read, write) as process:
        yield process


def are_apart() -> bool:
    """Whether other processes read."""
    return _pool is not None
