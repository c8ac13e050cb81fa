"""The newest picture replaces the one not yet taken; what must not be missed never is."""

from __future__ import annotations

import threading
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from coterie.core.api.frame import Frame
from coterie.core.engine.mailbox import MOST_LINES, Mailbox
from coterie.core.engine.messages import (
    NEWEST_WINS,
    Event,
    Finished,
    FrameMessage,
    Log,
    Message,
    Progress,
)


@cache
def frame(iteration: int, job: int = 1) -> FrameMessage:
    """The same message for the same numbers: frames, which hold arrays, are not compared."""
    return FrameMessage(job=job, frame=Frame(iteration))


messages = st.one_of(
    st.builds(frame, st.integers(0, 9), st.integers(1, 2)),
    st.builds(Progress, job=st.integers(1, 2), done=st.floats(0, 1)),
    st.builds(Event, job=st.integers(1, 2), name=st.text(max_size=3)),
    st.builds(Log, text=st.text(max_size=3)),
)


def test_a_newer_picture_replaces_the_older() -> None:
    box = Mailbox()
    for i in range(1000):
        box.put(frame(i))
        box.put(Progress(job=1, done=i / 1000))
    assert box.take_all() == [frame(999), Progress(job=1, done=0.999)]


def test_pictures_of_another_job_stay() -> None:
    box = Mailbox()
    box.put(frame(1, job=1))
    box.put(frame(2, job=2))
    assert box.take_all() == [frame(1, job=1), frame(2, job=2)]


def test_a_picture_never_overtakes_an_event() -> None:
    box = Mailbox()
    for message in (frame(1), Event(job=1, name="peeled"), frame(2), frame(3)):
        box.put(message)
    assert box.take_all() == [frame(1), Event(job=1, name="peeled"), frame(3)]


@given(st.lists(messages, max_size=30))
def test_what_must_not_be_missed_comes_whole_and_in_order(given_messages: list[Message]) -> None:
    box = Mailbox()
    for message in given_messages:
        box.put(message)
    taken = box.take_all()
    kept = [m for m in taken if not isinstance(m, NEWEST_WINS)]
    assert kept == [m for m in given_messages if not isinstance(m, NEWEST_WINS)]
    for kind in NEWEST_WINS:
        for job in (1, 2):
            sent = [m for m in given_messages if isinstance(m, kind) and m.job == job]
            got = [m for m in taken if isinstance(m, kind) and m.job == job]
            assert got[-1:] == sent[-1:]  # the newest is always there
            assert len(got) <= len(sent)


def test_a_flood_of_lines_is_bounded_and_keeps_the_newest_and_all_else() -> None:
    box = Mailbox()
    for i in range(5 * MOST_LINES):
        box.put(Log(text=f"line {i}"))
        box.put(frame(i))
        if i % MOST_LINES == 0:
            box.put(Event(job=1, name=str(i)))
    taken = box.take_all()
    lines = [m.text for m in taken if isinstance(m, Log)]
    assert len(taken) < 2 * MOST_LINES
    assert lines[-1] == f"line {5 * MOST_LINES - 1}"
    assert any("left out" in line for line in lines)
    assert len([m for m in taken if isinstance(m, Event)]) == 5


def test_taking_waits_for_what_comes() -> None:
    box = Mailbox()
    threading.Timer(0.05, box.put, [Log(text="hello")]).start()
    assert box.take(30) == Log(text="hello")
    assert box.take(0.01) is None
    assert not box.wait(0.01)


def test_a_closed_box_takes_nothing_and_wakes_who_waits() -> None:
    box = Mailbox()
    threading.Timer(0.05, box.close).start()
    assert box.take(30) is None
    box.put(Log(text="late"))
    assert box.take_all() == []
    assert box.closed


def test_what_came_before_closing_can_still_be_taken() -> None:
    box = Mailbox()
    box.put(Finished(job=1, key="", type=""))
    box.close()
    assert isinstance(box.take(), Finished)
    assert box.take() is None


def test_each_message_is_notified() -> None:
    count = []
    box = Mailbox(lambda: count.append(1))
    box.put(frame(1))
    box.put(frame(2))
    assert len(count) == 2
