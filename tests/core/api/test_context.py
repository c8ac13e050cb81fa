"""A person holds, steps, slows and stops a run; the run tells how far it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from coterie.core.api.context import FRAMES_PER_SECOND, Context, Control, Frame
from coterie.core.api.frame import MOST_ROWS_SENT
from coterie.core.errors import Cancelled

LONG = 20.0  # only ever waited for when something is wrong


class Ear:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.progressed: list[float] = []
        self.frames: list[int] = []
        self.pictures: list[Frame] = []
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.heard = threading.Condition()

    def progress(self, done: float, total: float, message: str) -> None:
        self.progressed.append(done)

    def frame(self, frame: Frame) -> None:
        with self.heard:
            self.frames.append(frame.iteration)
            self.pictures.append(frame)
            self.heard.notify_all()

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        self.events.append((name, dict(details)))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self.heard:
            assert self.heard.wait_for(condition, LONG)


@contextmanager
def running(control: Control, ear: Ear, most: int = 10**9) -> Iterator[threading.Thread]:
    """A run of up to `most` iterations in another thread, cancelled at the end."""

    def iterate() -> None:
        context = Context(listener=ear, control=control)
        try:
            for i in range(most):
                context.check()
                context.frame(i)
                time.sleep(0)
        except Cancelled:
            pass

    thread = threading.Thread(target=iterate)
    thread.start()
    try:
        yield thread
    finally:
        control.cancel()
        thread.join(LONG)
        assert not thread.is_alive()


def test_a_cancelled_run_stops_at_its_next_check() -> None:
    control = Control()
    context = Context(control=control)
    context.check()
    control.cancel()
    for step in (context.check, lambda: context.frame(1), lambda: context.progress(1, 2)):
        with pytest.raises(Cancelled):
            step()


def test_a_cancel_ends_a_pause() -> None:
    control, ear = Control(), Ear()
    control.pause()
    with running(control, ear) as thread:
        control.cancel()
        thread.join(LONG)
        assert not thread.is_alive()
    assert ear.frames == []


def test_a_step_lets_exactly_one_iteration_pass() -> None:
    control, ear = Control(), Ear()
    control.pause()
    with running(control, ear):
        for count in range(1, 4):
            control.step_once()
            ear.wait_for(lambda count=count: len(ear.frames) == count)  # type: ignore[misc]
            time.sleep(0.05)  # room for an iteration too many
            assert ear.frames == list(range(count))


def test_a_resumed_run_goes_on_by_itself() -> None:
    control, ear = Control(), Ear()
    control.pause()
    with running(control, ear, most=3) as thread:
        control.step_once()
        ear.wait_for(lambda: len(ear.frames) == 1)
        control.resume()
        thread.join(LONG)
        assert not thread.is_alive()


def test_a_held_run_uses_no_processor() -> None:
    control, ear = Control(), Ear()
    used = []

    def hold() -> None:
        began = time.thread_time()
        with pytest.raises(Cancelled):
            Context(listener=ear, control=control).check()
        used.append(time.thread_time() - began)

    control.pause()
    thread = threading.Thread(target=hold)
    thread.start()
    time.sleep(0.3)
    control.cancel()
    thread.join(LONG)
    assert used[0] < 0.1


def test_every_iteration_of_a_slowed_run_is_shown() -> None:
    control, ear = Control(), Ear()
    control.set_speed(1000)
    with running(control, ear):
        ear.wait_for(lambda: len(ear.frames) >= 5)
    assert ear.frames[:5] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("change", ["speed", "step", "cancel"])
def test_no_change_has_to_wait_for_a_very_slow_run(change: str) -> None:
    control, ear = Control(), Ear()
    control.set_speed(1 / 3600)
    with running(control, ear, most=3) as thread:
        ear.wait_for(lambda: len(ear.frames) == 1)
        if change == "speed":
            control.set_speed(0)
        elif change == "step":
            control.step_once()
            control.step_once()
            control.step_once()
        else:
            control.cancel()
        thread.join(LONG)
        assert not thread.is_alive()


def test_an_unwatched_run_shows_few_frames_but_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("coterie.core.io.clock.seconds", lambda: now[0])
    ear = Ear()
    context = Context(listener=ear)
    for i in range(1000):
        context.frame(i)
        now[0] += 0.001
    assert ear.frames[0] == 0
    assert 29 <= len(ear.frames) <= 31  # 30 a second, for one second


def test_progress_never_goes_backwards_nor_beyond_its_end() -> None:
    ear = Ear()
    context = Context(listener=ear)
    for done, total in [(1, 10), (5, 10), (3, 10), (20, 10), (0, 0), (1, 2), (float("nan"), 1)]:
        context.progress(done, total)
    assert ear.progressed == sorted(ear.progressed)
    assert ear.progressed[-1] == 1.0


def test_an_event_is_plain_whatever_numpy_is_in_it() -> None:
    ear = Ear()
    context = Context(listener=ear)
    context.frame(3)
    context.event("peeled", size=np.int64(4), members=np.array([1, 2]))
    assert ear.events == [("peeled", {"iteration": 3, "size": 4, "members": [1, 2]})]
    trace = context.trace()
    assert trace is not None
    assert trace.marks[0]["members"] == [1, 2]


def test_a_picture_carries_every_iteration_since_the_last_one() -> None:
    ear = Ear()
    context = Context(listener=ear)
    for i in range(400):
        context.frame(i, objective=2.0 * i)
    time.sleep(1.5 / FRAMES_PER_SECOND)
    context.frame(400, objective=800.0)
    for name, times in (("iteration", 1), ("objective", 2)):
        column = np.concatenate([frame.rows[name] for frame in ear.pictures])
        assert column.tolist() == [times * i for i in range(401)]


def test_a_picture_of_very_many_iterations_is_thinned_and_keeps_the_newest() -> None:
    ear = Ear()
    context = Context(listener=ear)
    context.frame(0)
    control_free = 20 * MOST_ROWS_SENT
    for i in range(1, control_free):
        context.frame(i)
    time.sleep(1.5 / FRAMES_PER_SECOND)
    context.frame(control_free)
    for frame in ear.pictures:
        assert frame.since is not None
        assert len(frame.since["iteration"]) <= MOST_ROWS_SENT
        assert frame.since["iteration"][-1] == frame.iteration


def test_an_event_that_is_not_json_fails_where_it_was_made() -> None:
    with pytest.raises(TypeError, match="not JSON"):
        Context().event("odd", thing=object())


def test_the_same_seed_draws_the_same_numbers() -> None:
    assert Context(seed=5).rng.random() == Context(seed=5).rng.random()
    assert Context(seed=5).rng.random() != Context(seed=6).rng.random()


@pytest.mark.parametrize("workers", [1, 3])
def test_map_keeps_the_order(workers: int) -> None:
    assert Context(workers=workers).map(lambda x: x * x, range(20)) == [x * x for x in range(20)]


@pytest.mark.parametrize("workers", [1, 3])
def test_map_passes_on_what_was_raised(workers: int) -> None:
    def fail(x: int) -> int:
        if x == 3:
            raise ZeroDivisionError
        return x

    with pytest.raises(ZeroDivisionError):
        Context(workers=workers).map(fail, range(8))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_cancelled_map_stops(workers: int) -> None:
    control = Control()
    done = []

    def work(x: int) -> int:
        done.append(x)
        control.cancel()
        return x

    with pytest.raises(Cancelled):
        Context(workers=workers, control=control).map(work, range(10_000))
    assert len(done) < 10_000
