"""Previews of steps: their result with other parameters, on a few items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core.engine.messages import Message, Order, Preview, Previewed, Request
from coterie.core.model.arrays import Array, Ints
from coterie.projects.jobs.newest_question import NewestQuestion


@dataclass(frozen=True, eq=False)
class StepPreview:
    """The main array of a step with parameters `params`, for the items at the positions `items`."""

    params: Mapping[str, Any]
    values: Array
    items: Ints


class StepPreviews(NewestQuestion):
    """How steps would turn out; see `NewestQuestion`."""

    answered: ClassVar[Signal] = Signal(str, object)  # step, StepPreview or a sentence

    def ask(self, step: str, order: Order, items: int) -> None:
        """Have a step worked out on at most `items` items, as soon as the last answer is there."""
        self._put(step, Preview(**{**vars(order), "items": items}))

    def _read(self, request: Request, message: Message) -> StepPreview:
        assert isinstance(request, Preview)
        assert isinstance(message, Previewed)
        return StepPreview(request.params, message.arrays["main"], message.arrays["items"])
