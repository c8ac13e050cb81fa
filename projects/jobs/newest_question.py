"""Questions to the engine of which only the newest matters, such as those that follow the mouse."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from psygnal import Signal

from coterie.core.engine.messages import CancelledMessage, Failed, Message, Request
from coterie.projects.jobs.side_requests import SideRequests


class NewestQuestion:
    """One question under way at a time; of those that arrive in between only the newest waits.

    A slider moves faster than any method computes: what is answered in between is shown, as it is
    newer than what is on the screen, and nothing piles up.
    """

    answered: ClassVar[Signal] = Signal(str, object)  # step, answer or a sentence

    def __init__(self, requests: SideRequests) -> None:
        self._requests = requests
        self._under_way: int | None = None
        self._next: tuple[str, Request] | None = None

    def withdraw(self) -> None:
        """Want no answer any more, and get out of the way of what comes next."""
        self._next = None
        if self._under_way is not None:
            self._requests.withdraw(self._under_way)
            self._under_way = None

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
        self._under_way = self._requests.send(request, partial(self._on_answer, step, request))

    def _on_answer(self, step: str, request: Request, message: Message) -> None:
        self._under_way = None
        wanted = self._next is None or self._next[0] == step
        self._send_next()
        if wanted and isinstance(message, Failed):
            self.answered.emit(step, message.error)
        elif wanted and not isinstance(message, CancelledMessage):
            self.answered.emit(step, self._read(request, message))
