"""Questions to the engine of which only the newest matters, such as those that follow the mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar

from psygnal import Signal

from coterie.core.engine.client import Engine
from coterie.core.engine.messages import Cancel, CancelledMessage, Failed, Message, Request


class NewestQuestion:
    """One question under way at a time; of those that arrive in between only the newest waits.

    A slider moves faster than any method computes: what is answered in between is shown, as it is
    newer than what is on the screen, and nothing piles up.
    """

    answered: ClassVar[Signal] = Signal(str, object)  # step, answer or a sentence
    answer: ClassVar[type[Message]]

    def __init__(self, free_engine: Callable[[], Engine], numbers: Iterator[int]) -> None:
        self._free_engine = free_engine
        self._numbers = numbers
        self._under_way: tuple[str, Request, Engine] | None = None
        self._next: tuple[str, Request] | None = None

    def withdraw(self) -> None:
        """Want no answer any more, and get out of the way of what comes next."""
        self._next = None
        if self._under_way is not None:
            _, request, engine = self._under_way
            self._under_way = None
            engine.send(Cancel(job=request.job))

    def take(self, message: Message) -> bool:
        """Take in an answer; return whether it was one to the question under way."""
        if (
            not isinstance(message, (self.answer, Failed, CancelledMessage))
            or self._under_way is None
        ):
            return False
        step, request, _ = self._under_way
        if message.job != request.job:
            return False
        self._under_way = None
        wanted = self._next is None or self._next[0] == step
        self._send_next()
        if wanted and isinstance(message, Failed):
            self.answered.emit(step, message.error)
        elif wanted and not isinstance(message, CancelledMessage):
            self.answered.emit(step, self._read(request, message))
        return True

    def _put(self, step: str, request: Request) -> None:
        self._next = (step, request)
        if self._under_way is None:
            self._send_next()

    def _read(self, request: Request, message: Message) -> object:
        raise NotImplementedError

    def _send_next(self) -> None:
        if self._next is None:
            return
        (step, request), self._next = self._next, None
        request = replace(request, job=next(self._numbers))
        engine = self._free_engine()
        self._under_way = (step, request, engine)
        engine.send(request)
