"""Runs plots beside the steps, for the window to show: on whichever engine is free."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from psygnal import Signal

from coterie.core.engine.client import Engine
from coterie.core.engine.messages import (
    Cancel,
    CancelledMessage,
    Failed,
    Finished,
    Message,
    Order,
    Run,
)
from coterie.core.errors import EngineError


@dataclass(frozen=True)
class _UnderWay:
    job: int
    order: Order
    engine: Engine


class FigureRuns:
    """One plot under way at a time; of those asked for in between only the newest waits.

    A plot in the way of a step is cancelled and drawn by the second engine instead.
    """

    answered: ClassVar[Signal] = Signal(Order, object)  # the order, Finished or a sentence

    def __init__(self, free_engine: Callable[[], Engine], numbers: Iterator[int]) -> None:
        self._free_engine = free_engine
        self._numbers = numbers
        self._under_way: _UnderWay | None = None
        self._next: Order | None = None

    @property
    def busy(self) -> bool:
        """Whether a plot is under way or waits."""
        return self._under_way is not None or self._next is not None

    def ask(self, order: Order) -> None:
        """Have a figure published under the key of its order, as soon as the last is answered."""
        now = self._under_way
        if now is not None and now.order == order:
            self._next = None
            return
        self._next = order
        if now is None:
            self._send_next()
        else:
            now.engine.send(Cancel(job=now.job))  # nobody looks at it any more

    def make_way(self, engine: Engine) -> None:
        """Let a step have this engine; a plot under way on it is asked for again."""
        now = self._under_way
        if now is not None and now.engine is engine:
            self._next = self._next or now.order
            now.engine.send(Cancel(job=now.job))

    def forget(self) -> None:
        """Want no answer any more."""
        self._next = None
        if self._under_way is not None:
            now, self._under_way = self._under_way, None
            now.engine.send(Cancel(job=now.job))

    def take(self, message: Message) -> bool:
        """Take in an answer; return whether it was one to the plot under way."""
        now = self._under_way
        if now is None or message.job != now.job or not message.job:
            return False
        if not isinstance(message, Finished | Failed | CancelledMessage):
            return True  # how far it is
        self._under_way = None
        self._send_next()
        if isinstance(message, Finished):
            self.answered.emit(now.order, message)
        elif isinstance(message, Failed):
            self.answered.emit(now.order, message.error)
        return True

    def _send_next(self) -> None:
        if self._next is None:
            return
        order, self._next = self._next, None
        number = next(self._numbers)
        try:
            engine = self._free_engine()
            engine.send(Run(**{**vars(order), "job": number}))
        except EngineError as error:
            self.answered.emit(order, str(error))
            return
        self._under_way = _UnderWay(number, order, engine)
