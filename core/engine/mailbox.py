"""A queue of messages in which a newer picture or progress replaces an older one not yet taken."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from coterie.core.engine.messages import NEWEST_WINS, FrameMessage, LogMessage, Message

# Printed lines that wait; a plugin that prints in a loop must not fill the memory.
MOST_LINES = 1000


class Mailbox:
    """Safe between threads. What must not be missed never is; what is soon outdated may be."""

    def __init__(self, notify: Callable[[], None] | None = None) -> None:
        self._messages: list[Message] = []
        self._lines = 0
        self._arrived = threading.Condition()
        self._closed = False
        self._notify = notify

    def put(self, message: Message) -> None:
        """Add a message, in the place of the outdated one of its kind if there is one.

        An outdated one is replaced only while nothing but printed lines came between, so a
        picture is never shown before the event that it follows. The newer picture takes over the
        rows of the older, so a curve has no gaps.
        """
        with self._arrived:
            if self._closed:
                return
            if isinstance(message, LogMessage):
                self._drop_oldest_line()
            replaced = self._outdated_by(message)
            if replaced is None:
                self._messages.append(message)
            else:
                self._messages[replaced] = _with_rows_of(self._messages[replaced], message)
            self._arrived.notify_all()
        if self._notify is not None:
            self._notify()

    def take_all(self) -> list[Message]:
        """Return what has come, without waiting."""
        with self._arrived:
            messages, self._messages, self._lines = self._messages, [], 0
            return messages

    def take(self, timeout: float | None = None) -> Message | None:
        """Wait for the next message; None when time is up, or when closed and empty."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._messages or self._closed, timeout)
            if not self._messages:
                return None
            self._lines -= isinstance(self._messages[0], LogMessage)
            return self._messages.pop(0)

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

    def _drop_oldest_line(self) -> None:
        """Drop the older half of the lines when there are too many."""
        self._lines += 1
        if self._lines <= MOST_LINES:
            return
        doomed = self._lines // 2
        kept: list[Message] = [LogMessage(text=f"({doomed} lines left out)")]
        for message in self._messages:
            if isinstance(message, LogMessage) and doomed:
                doomed -= 1
            else:
                kept.append(message)
        self._messages = kept
        self._lines = sum(isinstance(message, LogMessage) for message in kept) + 1

    def _outdated_by(self, message: Message) -> int | None:
        if not isinstance(message, NEWEST_WINS):
            return None
        for index in range(len(self._messages) - 1, -1, -1):
            other = self._messages[index]
            if type(other) is type(message) and other.job == message.job:
                return index
            if not isinstance(other, (*NEWEST_WINS, LogMessage)):
                return None
        return None


def _with_rows_of(older: Message, newer: Message) -> Message:
    """Return the newer message; of a picture, with the rows of the older one before its own."""
    if isinstance(older, FrameMessage) and isinstance(newer, FrameMessage):
        return replace(newer, frame=newer.frame.following(older.frame))
    return newer
