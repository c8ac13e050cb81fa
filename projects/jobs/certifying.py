"""Certificates of chosen items: whether they are a dominant set, worked out by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core.engine.messages import Certified, Certify, Message, Request
from coterie.core.model.arrays import Ints
from coterie.projects.jobs.newest_question import NewestQuestion


class Certifying(NewestQuestion):
    """What holds of the items that a person selects; see `NewestQuestion`."""

    answered: ClassVar[Signal] = Signal(str, object)  # step, `SetCertificate` as JSON or a sentence

    def ask(self, step: str, affinity: str, items: Ints, stated: Mapping[str, Any]) -> None:
        """Have items certified against the similarities under a key, or as a result states them."""
        self._put(step, Certify(affinity=affinity, items=items.tolist(), **stated))

    def _read(self, request: Request, message: Message) -> dict[str, Any]:
        assert isinstance(message, Certified)
        return message.certificate
