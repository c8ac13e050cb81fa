"""A queue of messages in which a newer picture or progress replaces an older one not yet taken."""

from __future__ import annotations

import threading
from collections.abc import Callable

from coterie.core.engine.messages import NEWEST_WINS, Message


class Mailbox:
    """Safe between threads. What must not be missed never is; what is soon outdated may be."""

    def __init__(self, notify: Callable[[], None] | None = None) -> None:
        self._messages: list[Message] = []
        self._arrived = threading.Condition()
        self._closed = False
        self._notify = notify

    def put(self, message: Message) -> None:
        """Add a message, in the place of the outdated one of its kind if there is one.

        An outdated one is replaced only while nothing else came between, so that a picture is
        never shown before the event that it follows.
        """
        with self._arrived:
            if self._closed:
                return
            replaced = self._outdated_by(message)
            if replaced is None:
                self._messages.append(message)
            else:
                self._messages[replaced] = message
            self._arrived.notify_all()
        if self._notify is not None:
            self._notify()

    def take_all(self) -> list[Message]:
        """Return what has come, without waiting."""
        with self._arrived:
            messages, self._messages = self._messages, []
            return messages

    def take(self, timeout: float | None = None) -> Message | None:
        """Wait for the next message; None when time is up, or when closed and empty."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._messages or self._closed, timeout)
            return self._messages.pop(0) if self._messages else None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until there is something to take."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._messages or self._closed, timeout)
            return bool(self._messages)

    def close(self) -> None:
        """Take no more messages and wake up who waits."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    @property
    def closed(self) -> bool:
        """Whether the mailbox takes no more messages."""
        return self._closed

    def _outdated_by(self, message: Message) -> int | None:
        if not isinstance(message, NEWEST_WINS):
            return None
        for index in range(len(self._messages) - 1, -1, -1):
            other = self._messages[index]
            if type(other) is type(message) and other.job == message.job:
                return index
            if not isinstance(other, NEWEST_WINS):
                return None
        return None
