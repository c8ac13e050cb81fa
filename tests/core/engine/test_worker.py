"""Orders are worked on one at a time; each gets exactly one answer, whatever a plugin throws."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from coterie.core.engine.inprocess import InProcessEngine
from coterie.core.engine.messages import (
    Cancel,
    CancelledMessage,
    CatalogueMessage,
    Estimated,
    Event,
    Failed,
    Finished,
    FrameMessage,
    LogMessage,
    Order,
    Pause,
    Preview,
    Previewed,
    Progress,
    Resume,
    Speed,
    Started,
    StepOnce,
)
from coterie.core.engine.worker import failure
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array

from .acting import Driver, acting_folder, filled_workspace, options, order

WAIT = "import time\nwhile True:\n    context.check()\n    time.sleep(0.001)"
FRAMES = "import itertools\nfor i in itertools.count():\n    context.frame(i)"


def shares_of(message: FrameMessage) -> Array:
    assert message.frame.shares is not None
    return message.frame.shares


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Driver]:
    filled_workspace(tmp_path / "work")
    plugins = acting_folder(tmp_path / "plugins")
    engine = InProcessEngine(tmp_path / "work", options(plugins))
    engine.start()
    yield Driver(engine)
    engine.close()


def test_the_catalogue_comes_before_any_work(driver: Driver) -> None:
    job = driver.run("pass")
    driver.answer(job)
    before = itertools.takewhile(lambda message: message.job != job, driver.heard)
    (sent,) = [message for message in before if isinstance(message, CatalogueMessage)]
    assert "act" in str(sent.catalogue)


def test_a_job_is_told_from_start_to_end(driver: Driver) -> None:
    job = driver.run(
        "context.progress(1, 2, 'half')\n"
        "context.frame(4, shares=np.ones(n))\n"
        "context.event('peeled', size=2)"
    )
    driver.answer(job)
    told = [type(m) for m in driver.heard if m.job == job]
    assert told[0] is Started
    assert told[-1] is Finished
    assert driver.wait(Progress).done == 0.5
    assert shares_of(driver.wait(FrameMessage)).tolist() == [1] * 5
    assert driver.wait(Event).details == {"iteration": 4, "size": 2}


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("1 / 0", "ZeroDivisionError", "kernel/local:act failed with ZeroDivisionError"),
        ("raise SystemExit(3)", "SystemExit", "failed with SystemExit: 3"),
        ("import sys; sys.exit()", "SystemExit", "failed with SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", "failed with KeyboardInterrupt"),
        ("raise GeneratorExit", "GeneratorExit", "failed with GeneratorExit"),
        ("raise MemoryError", "MemoryError", "kernel/local:act ran out of memory"),
        ("raise Exception", "Exception", "failed with Exception. The details"),
        ("raise ValueError('a\\nb')", "ValueError", "failed with ValueError: a."),
        ("context.event('odd', x=object())", "TypeError", "not JSON"),
        ("context.frame(0, objective='high')", "DataError", "could not convert"),
        (
            "from coterie.core import DataError; raise DataError('It is empty.')",
            "DataError",
            "It is empty.",
        ),
    ],
)
def test_whatever_is_thrown_becomes_a_failure(
    driver: Driver, code: str, kind: str, words: str
) -> None:
    failed = driver.answer(driver.run(code))
    assert isinstance(failed, Failed)
    assert failed.kind == kind
    assert words in failed.error
    assert "\n" not in failed.error
    assert "Traceback" in failed.traceback
    driver.works()


def test_an_error_that_cannot_be_printed_is_a_failure_too(driver: Driver) -> None:
    code = "class Mute(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise Mute"
    failed = driver.answer(driver.run(code))
    assert isinstance(failed, Failed)
    assert "failed with Mute" in failed.error
    driver.works()


def test_a_running_job_is_cancelled_politely(driver: Driver) -> None:
    job = driver.run(WAIT)
    driver.wait(Started)
    driver.cancel(job)
    assert driver.answer(job) == CancelledMessage(job=job)
    driver.works()


def test_a_waiting_order_is_withdrawn_at_once_and_the_running_one_goes_on(driver: Driver) -> None:
    running = driver.run(WAIT)
    driver.wait(Started)
    waiting = driver.run("raise AssertionError('never begun')")
    driver.cancel(waiting)
    assert driver.answer(waiting) == CancelledMessage(job=waiting)
    assert driver.answers(running) == []
    driver.cancel(running)
    driver.answer(running)
    driver.works()
    assert len(driver.answers(waiting)) == 1


def test_controls_of_jobs_that_ended_do_nothing(driver: Driver) -> None:
    job = driver.run()
    driver.answer(job)
    for kind in (Cancel, Pause, Resume, StepOnce, Speed):
        driver.engine.send(kind(job=job))
        driver.engine.send(kind(job=99))
    driver.works()
    assert len(driver.answers(job)) == 1


def test_a_job_is_stepped_frame_by_frame(driver: Driver) -> None:
    job = driver.run(FRAMES)
    driver.engine.send(Pause(job=job))
    driver.wait(Started)
    driver.engine.send(StepOnce(job=job))
    first = driver.wait(FrameMessage).frame.iteration
    driver.heard.clear()
    driver.engine.send(StepOnce(job=job))
    later = driver.wait(FrameMessage, lambda m: m.frame.iteration > first)
    assert later.frame.iteration > first
    driver.cancel(job)
    driver.answer(job)


def test_an_estimate_and_a_preview_are_answered_without_a_start(driver: Driver) -> None:
    job = driver.estimate("cost = Cost(bytes=1000)")
    answer = driver.answer(job)
    assert isinstance(answer, Estimated)
    assert (answer.bytes, answer.fits) == (1000, True)
    driver.engine.send(order(Preview, 50, items=2))
    shown = driver.answer(50)
    assert isinstance(shown, Previewed)
    assert shown.arrays["main"].shape == (2, 2)
    assert not any(isinstance(m, Started) for m in driver.heard)


def test_a_message_that_makes_no_sense_is_logged(driver: Driver) -> None:
    driver.engine.send(Started(job=1))
    assert "does not know Started" in driver.wait(LogMessage).text
    driver.works()


def test_many_items_are_not_all_shown(driver: Driver) -> None:
    job = driver.run("context.frame(0, shares=np.zeros(50_000), labels=None)")
    assert len(shares_of(driver.wait(FrameMessage))) == 20_000
    driver.answer(job)


def test_similarities_on_their_way_are_sent_small(driver: Driver) -> None:
    job = driver.run(
        "from coterie.core import Glimpse\n"
        "context.frame(0, glimpse=Glimpse(np.full((2, 2), 0.5), np.array([0, 4]), 5))"
    )
    glimpse = driver.wait(FrameMessage).frame.glimpse
    assert glimpse is not None
    assert glimpse.n == 5
    assert glimpse.values.dtype == "float32"
    assert glimpse.values.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert glimpse.items.tolist() == [0, 4]
    driver.answer(job)


def test_closing_cancels_what_runs_and_forgets_what_waits(tmp_path: Path) -> None:
    filled_workspace(tmp_path / "work")
    trace = tmp_path / "ran"
    engine = InProcessEngine(tmp_path / "work", options(acting_folder(tmp_path / "plugins")))
    driver = Driver(engine)
    driver.run(WAIT)
    driver.run(f"open({str(trace)!r}, 'w').close()")
    driver.wait(Started)
    engine.close()
    assert not trace.exists()
    assert not any(t.name == "engine" for t in threading.enumerate())
    driver.run()  # does nothing any more
    engine.close()
    engine.start()


def test_our_own_errors_speak_for_themselves() -> None:
    failed = failure(Order(job=1, use="kernel/x"), DataError("The table is empty."))
    assert failed.error == "The table is empty."


def test_memory_is_given_back_before_its_shortage_is_told() -> None:
    class Big:
        alive = True

        def __del__(self) -> None:
            Big.alive = False

    def hog() -> None:
        big = Big()
        raise MemoryError(big is None)

    try:
        hog()
    except MemoryError as error:
        failed = failure(Order(job=1, use="kernel/x"), error)
        assert not Big.alive
    assert "in hog" in failed.traceback
