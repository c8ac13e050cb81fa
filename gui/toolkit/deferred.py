"""Something that a view shows and that takes a while to compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Pending(Generic[T]):
    """A value made of other things, worked out again when those change.

    What is a small matter is done at once. Of the rest `work` says what is to be done, elsewhere,
    and `take` gets the outcome; until then the value is the one before.
    """

    def __init__(self, value: T) -> None:
        self.value = value
        self.work: Callable[[], T] | None = None
        self._made_of: tuple[object, ...] | None = None

    def renew(self, made_of: tuple[object, ...], work: Callable[[], T], *, at_once: bool) -> None:
        """Have it worked out, unless it is made of the very same things already."""
        before = self._made_of
        if before is not None and list(map(id, before)) == list(map(id, made_of)):
            return
        self._made_of, self.work = made_of, work
        if at_once:
            self.finish()

    def finish(self) -> None:
        """Do now what is still to be done."""
        if self.work is not None:
            self.take(self.work, self.work())

    def take(self, work: object, value: T) -> bool:
        """Take what was worked out, unless it is out of date; return whether it was taken."""
        if work is not self.work:
            return False
        self.value, self.work = value, None
        return True

    def give_up(self, work: object) -> None:
        """Stay with the value before, as the work failed."""
        if work is self.work:
            self.work = None
