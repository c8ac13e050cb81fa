"""Previews of steps: how a step would turn out with other parameters, on a few items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core.engine.client import Engine
from coterie.core.engine.messages import (
    Cancel,
    Cancelled,
    Failed,
    Message,
    Order,
    Preview,
    Previewed,
)
from coterie.core.model.arrays import Array, Ints


@dataclass(frozen=True, eq=False)
class StepPreview:
    """The main array of a step with parameters `params`, for the items at the positions `items`."""

    params: Mapping[str, Any]
    values: Array
    items: Ints


class StepPreviews:
    """One preview under way at a time; of the requests that arrive in between only the newest
    waits.

    A slider moves faster than any method computes: what is answered in between is shown, as it is
    newer than what is on the screen, and nothing piles up.
    """

    answered: ClassVar[Signal] = Signal(str, object)  # step, StepPreview or a sentence

    def __init__(self, free_engine: Callable[[], Engine], numbers: Iterator[int]) -> None:
        self._free_engine = free_engine
        self._numbers = numbers
        self._under_way: tuple[str, Preview, Engine] | None = None
        self._next: tuple[str, Order, int] | None = None

    def ask(self, step: str, order: Order, items: int) -> None:
        """Have a step worked out on at most `items` items, as soon as the last answer is there."""
        self._next = (step, order, items)
        if self._under_way is None:
            self._send_next()

    def withdraw(self) -> None:
        """Want no answer any more, and get out of the way of what comes next."""
        self._next = None
        if self._under_way is not None:
            _, preview, engine = self._under_way
            self._under_way = None
            engine.send(Cancel(job=preview.job))

    def take(self, message: Message) -> bool:
        """Take in an answer; return whether it was one to the preview under way."""
        if not isinstance(message, Previewed | Failed | Cancelled) or self._under_way is None:
            return False
        step, preview, _ = self._under_way
        if message.job != preview.job:
            return False
        self._under_way = None
        wanted = self._next is None or self._next[0] == step
        self._send_next()
        if wanted and not isinstance(message, Cancelled):
            self.answered.emit(step, _answer(preview, message))
        return True

    def _send_next(self) -> None:
        if self._next is None:
            return
        (step, order, items), self._next = self._next, None
        preview = Preview(**{**vars(order), "job": next(self._numbers), "items": items})
        engine = self._free_engine()
        self._under_way = (step, preview, engine)
        engine.send(preview)


def _answer(preview: Preview, message: Previewed | Failed) -> StepPreview | str:
    if isinstance(message, Failed):
        return message.error
    return StepPreview(preview.params, message.arrays["main"], message.arrays["items"])
