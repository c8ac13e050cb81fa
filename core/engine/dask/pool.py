"""Work done on the Dask cluster that a person connected to."""

from __future__ import annotations

import sys
import time
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from coterie.core.api.executor import ThreadExecutor
from coterie.core.catalogue.sent_modules import drop_in_sources
from coterie.core.engine.dask.connect import Connection, Future, examine, leave, reach
from coterie.core.engine.dask.tasks import (
    RemoteTask,
    carry_out,
    packed,
    run_task_once,
    unpacked,
)
from coterie.core.errors import CoterieError, EngineError
from coterie.core.io import clock

T = TypeVar("T")
R = TypeVar("R")

# How long a cluster may be without any worker, as when they are being replaced.
WORKERLESS_SECONDS = 30.0
_BETWEEN_LOOKS = 0.01
_BETWEEN_COUNTS = 1.0
_INSTEAD = "work without it (no --engine; or clear its address in the Preferences)"


class DaskExecutor:
    """Does the pieces of a run on the workers of a Dask cluster; an `Executor`.

    It connects when there is first something to do. Use it in a `with` statement.

    Parameters
    ----------
    workers : threads to use here, for what cannot be sent
    """

    away = True

    def __init__(self, address: str, workers: int = 1) -> None:
        self.address = address
        self._here = ThreadExecutor(workers)
        self._connection: Connection | None = None
        self._threads = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            leave(self._connection)
            self._connection = None

    def each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        """Yield the function of each value, in order, as soon as each is there.

        A worker that dies costs nothing but time: others do its pieces. What cannot be sent is done
        here.
        """
        try:
            task = RemoteTask(packed(function), drop_in_sources())
        except Exception as error:  # pickling may fail with anything
            print(f"Done on this machine, as it cannot be sent: {error!s:.200}", file=sys.stderr)
            yield from self._here.each(function, values, check)
            return
        begun: deque[Future] = deque()
        try:
            # A task like others: should its worker die, the scheduler has it done again.
            shared = self._submit(RemoteTask, *task.parts)
            for value in values:
                check()
                begun.append(self._submit(carry_out, shared, packed(value)))
                if len(begun) > 2 * self._threads:  # enough to keep all busy; more would pile up
                    yield self._result(begun.popleft(), check)
            while begun:
                yield self._result(begun.popleft(), check)
        finally:
            self._withdraw(list(begun))

    def everywhere(self, function: Callable[[], R], check: Callable[[], None]) -> list[R]:
        """Return what a function gives on each worker."""
        task = RemoteTask(packed(function), drop_in_sources())
        with self._noticing_loss():
            workers: list[str] = list(self._client.nthreads())
        begun = [self._submit(run_task_once, task, workers=[worker]) for worker in workers]
        try:
            return [self._result(future, check) for future in begun]
        finally:
            self._withdraw(begun)

    @property
    def _client(self) -> Connection:
        if self._connection is None:
            self._connection = reach(self.address, _INSTEAD)
            with self._noticing_loss():
                answer = examine(self._connection, self.address, _INSTEAD)
            self._threads = answer.threads
            for remark in answer.remarks:
                print(remark, file=sys.stderr)  # into the Log
        return self._connection

    def _submit(
        self, function: Callable[..., Any], *given: Any, workers: list[str] | None = None
    ) -> Future:
        client = self._client
        with self._noticing_loss():
            # Not "pure": the same piece is not looked up among earlier ones, which are gone.
            return client.submit(function, *given, pure=False, workers=workers)

    def _result(self, future: Future, check: Callable[[], None]) -> Any:
        """Wait for a piece of work, and watch the cluster while waiting."""
        counted = seen = clock.seconds()
        while not future.done():
            check()
            time.sleep(_BETWEEN_LOOKS)
            now = clock.seconds()
            if now - counted > _BETWEEN_COUNTS:
                counted = now
                with self._noticing_loss():
                    seen = now if self._client.nthreads() else seen
                if now - seen > WORKERLESS_SECONDS:
                    raise self._connection_lost("It has no workers left")
        check()
        if future.status == "error":
            raise self._explain(future.exception())
        with self._noticing_loss():
            found = future.result()
        return unpacked(found)

    def _withdraw(self, begun: list[Future]) -> None:
        """Drop what waits; what has begun learns of it at its next check."""
        client = self._connection
        if begun and client is not None and client.status == "running":
            with suppress(Exception):  # it was lost just now, and the pieces with it
                client.cancel(begun, force=True)

    def _explain(self, error: BaseException) -> BaseException:
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            return EngineError(
                "Several workers died over the same piece of work on the Dask cluster at "
                f"{self.address}, perhaps because memory ran out. Give them more, or {_INSTEAD}.",
                code="dask-lost",
            )
        return error

    @contextmanager
    def _noticing_loss(self) -> Iterator[None]:
        """Say in a sentence that the cluster is gone, whatever Dask or the system calls that."""
        try:
            yield
        except CoterieError:
            raise
        except (Exception, CancelledError) as error:
            raise self._connection_lost("It no longer answers") from error

    def _connection_lost(self, how: str) -> EngineError:
        return EngineError(
            f"The Dask cluster at {self.address} was lost during the work. {how}. Finished work "
            f"is kept: run it again when the cluster is back, or {_INSTEAD}.",
            code="dask-lost",
        )
