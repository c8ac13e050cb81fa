"""Requests beside the runs: each goes to a free engine, and its answer to whoever asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from coterie.core.engine.client import Engine
from coterie.core.engine.messages import (
    Cancel,
    CancelledMessage,
    Certified,
    Estimated,
    Failed,
    Finished,
    Message,
    Previewed,
    PreviewedTable,
    Request,
)

ANSWERS = Certified | Estimated | Failed | Finished | Previewed | PreviewedTable | CancelledMessage


@dataclass(frozen=True)
class _Awaited:
    request: Request
    engine: Engine
    take: Callable[[Message], None]


class SideRequests:
    """What was sent and is not answered yet, by job number."""

    def __init__(self, free_engine: Callable[[], Engine], numbers: Iterator[int]) -> None:
        self._free_engine = free_engine
        self._numbers = numbers
        self._awaited: dict[int, _Awaited] = {}

    def send(self, request: Request, take: Callable[[Message], None]) -> int:
        """Send a request and return its number; `take` is called once, with the answer."""
        number = next(self._numbers)
        engine = self._free_engine()
        engine.send(replace(request, job=number))
        self._awaited[number] = _Awaited(request, engine, take)
        return number

    def is_on(self, number: int, engine: Engine) -> bool:
        """Whether a request is under way on this engine."""
        return number in self._awaited and self._awaited[number].engine is engine

    def cancel(self, number: int) -> None:
        """Have a request stopped; its answer says so."""
        if number in self._awaited:
            self._awaited[number].engine.send(Cancel(job=number))

    def withdraw(self, number: int) -> None:
        """Have a request stopped, and want no answer any more."""
        self.cancel(number)
        self._awaited.pop(number, None)

    def forget(self, kind: type[Request]) -> None:
        """Want no answer any more to requests of a kind."""
        kept = self._awaited.items()
        self._awaited = {at: one for at, one in kept if not isinstance(one.request, kind)}

    def take(self, message: Message) -> bool:
        """Hand an answer over; return whether the message was about a request that is awaited."""
        if message.job not in self._awaited:
            return False
        if isinstance(message, ANSWERS):
            self._awaited.pop(message.job).take(message)
        return True
