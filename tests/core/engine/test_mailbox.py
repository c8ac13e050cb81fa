"""The newest picture replaces the one not yet taken; what must not be missed never is."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.api.frame import MOST_ROWS_SENT, Frame
from coterie.core.engine.mailbox import MOST_LINES, Mailbox
from coterie.core.engine.messages import (
    NEWEST_WINS,
    Event,
    Finished,
    FrameMessage,
    LogMessage,
    Message,
    Progress,
)
from coterie.core.model.arrays import Array


@cache
def frame(iteration: int, job: int = 1) -> FrameMessage:
    """The same message for the same numbers: frames, which hold arrays, are not compared."""
    return FrameMessage(job=job, frame=Frame(iteration))


messages = st.one_of(
    st.builds(frame, st.integers(0, 9), st.integers(1, 2)),
    st.builds(Progress, job=st.integers(1, 2), done=st.floats(0, 1)),
    st.builds(Event, job=st.integers(1, 2), name=st.text(max_size=3)),
    st.builds(LogMessage, text=st.text(max_size=3)),
)


def test_a_newer_picture_replaces_the_older() -> None:
    box = Mailbox()
    for i in range(1000):
        box.put(frame(i))
        box.put(Progress(job=1, done=i / 1000))
    assert box.take_all() == [frame(999), Progress(job=1, done=0.999)]


def sent(iterations: range, **values: float) -> FrameMessage:
    """A frame as the engine sends it, with a row for each iteration since the one before."""
    rows = [(i, values) for i in iterations]
    return FrameMessage(job=1, frame=Frame(iterations[-1], values).to_send(rows))


def rows_left(*messages: FrameMessage) -> dict[str, Array]:
    """The rows of the one frame that is left of several."""
    box = Mailbox()
    for message in messages:
        box.put(message)
    (left,) = box.take_all()
    assert isinstance(left, FrameMessage)
    assert left.frame.iteration == messages[-1].frame.iteration
    return dict(left.frame.rows)


def test_the_rows_of_replaced_pictures_are_kept_in_order() -> None:
    rows = rows_left(sent(range(3), a=1.0), sent(range(3, 5), a=2.0), sent(range(5, 6), a=3.0))
    assert rows["iteration"].tolist() == [0, 1, 2, 3, 4, 5]
    assert rows["a"].tolist() == [1, 1, 1, 2, 2, 3]


def test_a_value_that_only_one_picture_has_is_not_a_number_in_the_others() -> None:
    rows = rows_left(sent(range(2), a=1.0), sent(range(2, 4), b=2.0))
    np.testing.assert_array_equal(rows["a"], [1, 1, np.nan, np.nan])
    np.testing.assert_array_equal(rows["b"], [np.nan, np.nan, 2, 2])


def test_rows_that_nobody_takes_are_thinned_and_end_with_the_newest() -> None:
    rows = rows_left(*(sent(range(i, i + 100), a=float(i)) for i in range(0, 10_000, 100)))
    at = rows["iteration"]
    assert len(at) <= MOST_ROWS_SENT
    assert at[-1] == 9999
    assert (np.diff(at) > 0).all()
    assert at[0] == 0
    # The first rows of two stretches are less than two of these apart, and half as long ones
    # would have been too many.
    assert np.diff(at).max() <= 4 * 9999 / (MOST_ROWS_SENT - 1)


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
        box.put(LogMessage(text=f"line {i}"))
        box.put(frame(i))
        if i % MOST_LINES == 0:
            box.put(Event(job=1, name=str(i)))
    taken = box.take_all()
    lines = [m.text for m in taken if isinstance(m, LogMessage)]
    assert len(taken) < 2 * MOST_LINES
    assert lines[-1] == f"line {5 * MOST_LINES - 1}"
    assert any("left out" in line for line in lines)
    assert len([m for m in taken if isinstance(m, Event)]) == 5


def test_taking_waits_for_what_comes() -> None:
    box = Mailbox()
    threading.Timer(0.05, box.put, [LogMessage(text="hello")]).start()
    assert box.take(30) == LogMessage(text="hello")
    assert box.take(0.01) is None
    assert not box.wait(0.01)


def test_a_closed_box_takes_nothing_and_wakes_who_waits() -> None:
    box = Mailbox()
    threading.Timer(0.05, box.close).start()
    assert box.take(30) is None
    box.put(LogMessage(text="late"))
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
