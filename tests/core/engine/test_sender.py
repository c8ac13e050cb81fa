"""A slow window never holds up the work nor fills the memory, and the engine never falls silent."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest

from coterie.core.api.frame import Frame
from coterie.core.engine import sender as module
from coterie.core.engine.channel import Channel, make_pair
from coterie.core.engine.messages import (
    Estimated,
    Event,
    Failed,
    Finished,
    FrameMessage,
    LogMessage,
    Message,
    Started,
)
from coterie.core.engine.sender import Sender

DONE = Finished(job=1, key="", type="")


def receive_until(there: Channel, kind: type[Message]) -> list[Message]:
    got = [there.receive()]
    while not isinstance(got[-1], kind):
        got.append(there.receive())
    return got


def test_a_flood_of_pictures_waits_in_little_room_and_the_newest_arrives() -> None:
    here, theirs = make_pair()
    there = Channel(theirs)
    sender = Sender(here, broken=lambda: None)
    for i in range(3000):  # far more than any pipe holds
        shares = np.full(5000, float(i), dtype=np.float32)
        sender.put(FrameMessage(job=1, frame=Frame(i, shares=shares)))
    assert len(sender._outbox._messages) <= 1
    sender.put(DONE)
    frames = [m for m in receive_until(there, Finished) if isinstance(m, FrameMessage)]
    assert len(frames) < 1000
    assert frames[-1].frame.iteration == 2999
    sender.close()
    here.close()
    there.close()


def test_the_news_of_a_start_is_out_before_the_work_begins() -> None:
    here, theirs = make_pair()
    there = Channel(theirs)
    sender = Sender(here, broken=lambda: None)
    sender.put(LogMessage(text="before"))
    sender.put(Started(job=7))
    assert theirs.poll()  # without waiting
    assert receive_until(there, Started)[-1] == Started(job=7)
    sender.close()
    here.close()
    there.close()


@pytest.mark.parametrize(
    ("message", "instead"),
    [
        (Estimated(job=3, bytes=object(), seconds=0, fits=True), Failed),  # type: ignore[arg-type]
        (Event(job=3, name="odd", details={"thing": object()}), LogMessage),
    ],
)
def test_what_cannot_be_written_is_told_instead(message: Message, instead: type[Message]) -> None:
    here, theirs = make_pair()
    there = Channel(theirs)
    sender = Sender(here, broken=lambda: None)
    sender.put(message)
    sender.put(DONE)
    got = there.receive()
    assert isinstance(got, instead)
    assert "could not be sent" in getattr(got, "error", "") + getattr(got, "text", "")
    assert there.receive() == DONE
    sender.close()
    here.close()
    there.close()


def test_a_short_shortage_of_memory_is_waited_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BETWEEN_TRIES", 0.001)
    tries: list[Message] = []

    class Short:
        def send(self, message: Message) -> None:
            tries.append(message)
            if len(tries) < 5:
                raise MemoryError

    channel: Any = Short()
    sender = Sender(channel, broken=lambda: None)
    sender.put(DONE)
    until = time.monotonic() + 30
    while len(tries) < 5:
        assert time.monotonic() < until
        time.sleep(0.001)
    sender.close()
    assert tries == [DONE] * 5


def test_when_nothing_can_be_sent_any_more_it_is_said() -> None:
    here, theirs = make_pair()
    theirs.close()
    broken = threading.Event()
    sender = Sender(here, broken=broken.set)
    sender.put(DONE)
    assert broken.wait(30)
    sender.close()
    here.close()
