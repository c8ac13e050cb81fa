"""Sends the engine's messages from a thread of their own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from coterie.core.engine.channel import Channel
from coterie.core.engine.mailbox import Mailbox
from coterie.core.engine.messages import ANSWERS, Failed, LogMessage, Message, Started

# How long a job waits for the news of its start to be out. A job may end this process at once,
# and then the window must know which one it was.
_PATIENCE = 1.0
# Tries when memory is short: the job that took it is about to fail and give it back.
_TRIES = 50
_BETWEEN_TRIES = 0.1


@dataclass(frozen=True, kw_only=True)
class _Mark(Message):
    """Never sent: marks that everything before it was."""

    reached: threading.Event = field(default_factory=threading.Event)


class Sender:
    """A window that is slow to read gets the newest picture only, and never holds up the work.

    `broken` is called when nothing can be sent any more: a mute engine is worse than none.
    """

    def __init__(self, channel: Channel, broken: Callable[[], None]) -> None:
        self._channel = channel
        self._broken = broken
        self._outbox = Mailbox()
        self._thread = threading.Thread(target=self._send_all, name="sender", daemon=True)
        self._thread.start()

    def put(self, message: Message) -> None:
        """Have a message sent."""
        self._outbox.put(message)
        if isinstance(message, Started):
            mark = _Mark()
            self._outbox.put(mark)
            mark.reached.wait(_PATIENCE)

    def close(self) -> None:
        """Send what is left and end."""
        self._outbox.close()
        self._thread.join(_PATIENCE)

    def _send_all(self) -> None:
        try:
            while (message := self._outbox.take()) is not None:
                if isinstance(message, _Mark):
                    message.reached.set()
                else:
                    self._send(message)
        except BaseException:
            self._broken()

    def _send(self, message: Message) -> None:
        for _ in range(_TRIES):
            try:
                return self._channel.send(message)
            except (TypeError, ValueError) as error:  # a plugin put something strange into it
                message = _replacement(message, error)
            except MemoryError:
                time.sleep(_BETWEEN_TRIES)
        raise MemoryError


def _replacement(message: Message, error: Exception) -> Message:
    text = f"{type(message).__name__} could not be sent: {error}."
    if isinstance(message, ANSWERS):
        return Failed(job=message.job, error=text, code="invalid-message")
    return LogMessage(text=text)
