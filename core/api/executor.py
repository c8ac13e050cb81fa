"""Where the pieces of a run are computed: in threads of this process, or on a cluster of computers.

`Context.map` and `Context.each` hand their work to an executor: threads by default; the engine has
another that sends the work to a Dask cluster (`coterie.core.engine.dask.pool`).
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_BETWEEN_CHECKS = 0.05
_here = threading.local()


class Executor(Protocol):
    """Applies a function to many values, in threads or on other machines."""

    @property
    def away(self) -> bool:
        """Whether the work is done in other processes, so what it needs must be sent."""

    def each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        """Yield the function of each value, in order, as soon as each is there.

        `check` is called at least every 50 ms while waiting; what it raises ends the work.
        """

    def everywhere(self, function: Callable[[], R], check: Callable[[], None]) -> list[R]:
        """Return what a function gives in each process that does the work."""


class ThreadExecutor:
    """Threads of this process: the heavy work is in BLAS and numpy, which release the interpreter.

    Only a few values are begun ahead of those taken: as many as keep the threads busy, so
    results do not pile up.
    """

    away = False

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        """Yield the function of each value, in order, as soon as each is there."""
        if self._workers <= 1:
            for value in values:
                check()
                yield function(value)
            return
        begun: deque[Future[R]] = deque()
        pool = ThreadPoolExecutor(self._workers)
        try:
            for value in values:
                begun.append(pool.submit(function, value))
                if len(begun) > 2 * self._workers:
                    yield _result(begun.popleft(), check)
            while begun:
                yield _result(begun.popleft(), check)
        finally:
            pool.shutdown(cancel_futures=True)

    def everywhere(self, function: Callable[[], R], check: Callable[[], None]) -> list[R]:
        """Return what a function gives here."""
        check()
        return [function()]


def _result(future: Future[R], check: Callable[[], None]) -> R:
    while not future.done():
        check()
        wait([future], timeout=_BETWEEN_CHECKS)
    check()
    return future.result()


@contextmanager
def remote_task(withdrawn: Callable[[], bool]) -> Iterator[None]:
    """Let the code in this thread check, by `is_cancelled_remotely`, whether it is wanted."""
    _here.withdrawn = withdrawn
    try:
        yield
    finally:
        del _here.withdrawn


def is_cancelled_remotely() -> bool:
    """Return whether the piece of work in this thread has been cancelled where it came from."""
    withdrawn: Callable[[], bool] | None = getattr(_here, "withdrawn", None)
    return withdrawn is not None and withdrawn()
