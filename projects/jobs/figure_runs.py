"""Runs plots beside the steps, for the window to show: on whichever engine is free."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from psygnal import Signal

from coterie.core.engine.client import Engine
from coterie.core.engine.messages import Failed, Finished, Message, Order, Run
from coterie.core.errors import EngineError
from coterie.projects.jobs.side_requests import SideRequests


class FigureRuns:
    """One plot under way at a time; of those asked for in between only the newest waits.

    A plot in the way of a step is cancelled and drawn by the second engine instead.
    """

    answered: ClassVar[Signal] = Signal(Order, object)  # the order, Finished or a sentence

    def __init__(self, requests: SideRequests) -> None:
        self._requests = requests
        self._under_way: tuple[int, Order] | None = None
        self._next: Order | None = None

    def ask(self, order: Order) -> None:
        """Have a figure published under the key of its order, as soon as the last is answered."""
        if self._under_way is None:
            self._send(order)
            return
        number, now = self._under_way
        self._next = None if now == order else order
        if now != order:
            self._requests.cancel(number)  # nobody looks at it any more

    def make_way(self, engine: Engine) -> None:
        """Let a step have this engine; a plot under way on it is asked for again."""
        if self._under_way is not None and self._requests.is_on(self._under_way[0], engine):
            number, now = self._under_way
            self._next = self._next or now
            self._requests.cancel(number)

    def forget(self) -> None:
        """Want no answer any more."""
        self._next = None
        if self._under_way is not None:
            self._requests.withdraw(self._under_way[0])
            self._under_way = None

    def _send(self, order: Order) -> None:
        try:
            number = self._requests.send(Run(**vars(order)), partial(self._on_answer, order))
        except EngineError as error:
            self.answered.emit(order, str(error))
            return
        self._under_way = number, order

    def _on_answer(self, order: Order, message: Message) -> None:
        self._under_way = None
        following, self._next = self._next, None
        if following is not None:
            self._send(following)
        if isinstance(message, Finished):
            self.answered.emit(order, message)
        elif isinstance(message, Failed):
            self.answered.emit(order, message.error)
