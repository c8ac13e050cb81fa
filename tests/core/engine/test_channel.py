"""Whole messages go both ways, from any thread; the end of one side is the end of it."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from coterie.core.api.frame import Frame
from coterie.core.engine.channel import Channel, make_pair
from coterie.core.engine.messages import FrameMessage, LogMessage, Message


@pytest.fixture
def pair() -> tuple[Channel, Channel]:
    ours, theirs = make_pair()
    return ours, Channel(theirs)


def test_messages_go_both_ways(pair: tuple[Channel, Channel]) -> None:
    here, there = pair
    here.send(LogMessage(text="hello"))
    there.send(LogMessage(text="hello yourself"))
    assert there.receive() == LogMessage(text="hello")
    assert here.receive() == LogMessage(text="hello yourself")
    here.close()
    there.close()


def test_many_threads_may_send_at_once(pair: tuple[Channel, Channel]) -> None:
    here, there = pair
    shares = np.arange(20_000.0)

    def send(job: int) -> None:
        for i in range(20):
            here.send(FrameMessage(job=job, frame=Frame(i, shares=shares)))

    threads = [threading.Thread(target=send, args=(job,)) for job in range(4)]
    for thread in threads:
        thread.start()
    got: list[Message] = [there.receive() for _ in range(80)]
    for thread in threads:
        thread.join()
    for job in range(4):
        mine = [m.frame.iteration for m in got if isinstance(m, FrameMessage) and m.job == job]
        assert mine == list(range(20))
    here.close()
    there.close()


def test_the_other_sides_end_is_noticed(pair: tuple[Channel, Channel]) -> None:
    here, there = pair
    there.close()
    with pytest.raises((EOFError, OSError)):
        here.receive()
    with pytest.raises(OSError, match=r"pipe|reset"):
        here.send(LogMessage(text="anybody?"))
    here.close()
