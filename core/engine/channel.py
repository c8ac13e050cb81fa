"""A private two-way connection between two processes, carrying messages."""

from __future__ import annotations

import threading
from multiprocessing import Pipe
from typing import Any

from coterie.core.engine.message_bytes import from_bytes, to_bytes
from coterie.core.engine.messages import Message
from coterie.core.io.platform.connections import inherited_connection

# The last line an engine prints when it ends because its channel is closed: the signal by which it
# ends itself and its workers reports nothing, and the channel carries no more.
FAREWELL = "The channel to the window is closed: the engine ends."


class Channel:
    """Sends and receives whole messages; sending is safe from any thread."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._sending = threading.Lock()

    def send(self, message: Message) -> None:
        """Send a message; raises OSError when the other side is gone."""
        data = to_bytes(message)
        with self._sending:
            self._connection.send_bytes(data)

    def receive(self) -> Message:
        """Wait for a message; raises EOFError or OSError when the other side is gone."""
        return from_bytes(self._connection.recv_bytes())

    def close(self) -> None:
        """Close this side."""
        self._connection.close()


def make_pair() -> tuple[Channel, Any]:
    """Return this side's channel and the other side's raw connection, to hand to a new process."""
    ours, theirs = Pipe(duplex=True)
    return Channel(ours), theirs


def inherited(handle: int) -> Channel:
    """Return the channel that the parent process left open under `handle`."""
    return Channel(inherited_connection(handle))
