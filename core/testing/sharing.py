"""Whether the work that a component hands to `context.map` can be done in another process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from coterie.core.api.executor import ThreadExecutor
from coterie.core.engine.dask.tasks import packed, unpacked

T = TypeVar("T")
R = TypeVar("R")


class RecordingExecutor(ThreadExecutor):
    """Does the work here, and notes whether there was any."""

    def __init__(self) -> None:
        super().__init__(1)
        self.used = False

    def each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        """Yield the function of each value."""
        self.used = True
        return super().each(function, values, check)


class PicklingExecutor(ThreadExecutor):
    """Does the work here, on copies: what a function changes is lost, as it is on a cluster."""

    def __init__(self) -> None:
        super().__init__(1)

    def each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        """Yield the function of each value, all of it sent and received."""
        try:
            sent = packed(function)
        except Exception:  # a cluster does here what cannot be sent, and so does this
            return super().each(function, values, check)
        return self._each(unpacked(sent), values, check)

    def _each(
        self, function: Callable[[T], R], values: Iterable[T], check: Callable[[], None]
    ) -> Generator[R, None, None]:
        for value in values:
            check()
            result: R = unpacked(packed(function(unpacked(packed(value)))))
            yield result
