"""The queue: who goes first, who waits for what, and that answers find their task by number."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest
from psygnal import Signal

from coterie.core.engine.messages import CancelledMessage, Failed, Finished, Message, Order
from coterie.core.errors import CoterieError, DataError, EngineError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.jobs.export import Export
from coterie.projects.jobs.job import EngineJob, Status
from coterie.projects.jobs.queue import FILES, STEPS, TRIALS, Needs, Queue, Task
from coterie.projects.session import Session

DONE = Finished(key="", type="file")


class Engine:
    """Takes one order at a time, and answers when it is told to."""

    told: ClassVar[Signal] = Signal(int, str, dict)
    ended: ClassVar[Signal] = Signal(EngineJob, Message)

    def __init__(self) -> None:
        self.running: EngineJob | None = None
        self.jobs: list[EngineJob] = []
        self.broken = False

    def run(self, title: str, order: Order, *, step: str = "", quiet: bool = False) -> EngineJob:
        if self.broken:
            raise EngineError("The engine could not be started.")
        self.running = job = EngineJob(len(self.jobs) + 1, step, order.use, title=title)
        self.jobs.append(job)
        return job

    def answer(self, message: Message = DONE, number: int = 0) -> None:
        job = self.jobs[number - 1] if number else self.running
        assert job is not None
        self.running = None
        self.ended.emit(job, message)


class Files:
    """Stands for the methods, the file thread and the results: all there, nothing busy."""

    busy = False

    def __init__(self) -> None:
        self.catalogue = self
        self.methods = ("some",)
        self.brought: list[tuple[str, tuple[str, ...]]] = []

    def bring(self, name: str, keys: tuple[str, ...]) -> None:
        self.brought.append((name, keys))
        self.busy = True


class Work(Task):
    """Gives what it is told to, and notes what it hears."""

    def __init__(self, title: str, *gives: Any, step: str = "", priority: int = FILES) -> None:
        self.title, self.step, self.priority = title, step, priority
        self.gives = list(gives or (Order(use="some/method"),))
        self.heard: list[Any] = []

    def next(self, results: Any) -> Order | Needs | None:
        given = self.gives.pop(0)
        if isinstance(given, CoterieError):
            raise given
        return given() if callable(given) else given  # type: ignore[no-any-return]

    def take(self, answer: Finished | Failed) -> bool:
        self.heard.append(answer)
        return bool(self.gives)

    def hear(self, event: str, details: Any) -> None:
        self.heard.append((event, details))

    def stop(self, error: CoterieError | None = None) -> None:
        self.heard.append(error or "stopped")


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture
def queue(engine: Engine, files: Files) -> Queue:
    there: Any = files
    does: Any = engine
    return Queue(does, there, there, there)


def titles(engine: Engine) -> list[str]:
    return [job.title for job in engine.jobs]


def test_answers_find_their_task_by_number_whatever_it_is_called(
    queue: Queue, engine: Engine
) -> None:
    first, second = Work("same", step="same", priority=STEPS), Work("same")
    queue.add(first, second)
    queue.advance()
    assert (engine.jobs[0].step, len(engine.jobs)) == ("same", 1)
    engine.answer()
    queue.advance()
    assert engine.jobs[1].step == ""
    failed = Failed(error="Wrong.")
    engine.told.emit(2, "tile", {"row": 1})
    engine.answer(failed)
    assert first.heard == [DONE]
    assert second.heard == [("tile", {"row": 1}), failed]
    engine.ended.emit(engine.jobs[0], DONE)  # a second answer is nobody's
    assert first.heard == [DONE]


def test_steps_go_before_files_and_files_before_the_next_trial(
    queue: Queue, engine: Engine
) -> None:
    order = Order(use="some/method")
    queue.add(Work("trial", order, order, priority=TRIALS))
    queue.advance()
    queue.add(Work("file"))
    queue.add(Work("step", step="step", priority=STEPS))
    work_through(queue, engine)
    assert titles(engine) == ["trial", "step", "file", "trial"]
    assert not queue.pending


def work_through(queue: Queue, engine: Engine) -> None:
    queue.advance()
    while engine.running is not None:
        engine.answer()
        queue.advance()


def test_what_a_task_needs_first_is_done_first_and_once(queue: Queue, engine: Engine) -> None:
    above = tuple(Work(name, step=name, priority=STEPS) for name in ("data", "near"))
    queue.add(Work("near", Needs(first=above), Order(use="a/b"), step="near", priority=STEPS))
    queue.add(Work("near", step="near", priority=STEPS))
    queue.add(Work("groups", step="groups", priority=STEPS))
    work_through(queue, engine)
    assert titles(engine) == ["data", "near", "groups"]


def test_a_task_waits_until_its_artefacts_are_fetched(
    queue: Queue, engine: Engine, files: Files
) -> None:
    order = Order(use="some/method")
    queue.add(Work("file", Needs(keys=("k",), name="groups"), order))
    queue.advance()
    assert (files.brought, engine.jobs, queue.pending) == ([("groups", ("k",))], [], True)
    files.busy = False
    queue.advance()
    assert titles(engine) == ["file"]


def test_a_task_that_cannot_go_on_hears_why_and_the_next_one_does(
    queue: Queue, engine: Engine
) -> None:
    error = DataError("It is gone.")
    wrong, nothing, right = Work("wrong", error), Work("fresh", None), Work("right")
    wrong.gives = [error]
    nothing.gives = [None]
    queue.add(wrong, nothing, right)
    queue.advance()
    assert wrong.heard == [error]
    assert nothing.heard == []
    assert titles(engine) == ["right"]


def test_an_engine_that_does_not_start_is_an_answer(queue: Queue, engine: Engine) -> None:
    engine.broken = True
    task = Work("file")
    queue.add(task)
    queue.advance()
    assert [type(heard) for heard in task.heard] == [Failed]
    assert not queue.pending


def test_what_is_cleared_stops_and_what_is_at_the_engine_is_still_answered(
    queue: Queue, engine: Engine
) -> None:
    running, waiting = Work("running"), Work("waiting")
    queue.add(running, waiting)
    queue.advance()
    queue.clear()
    assert (running.heard, waiting.heard) == (["stopped"], ["stopped"])
    engine.answer()
    assert running.heard == ["stopped", DONE]
    queue.add(again := Work("again"))
    queue.advance()
    engine.answer(CancelledMessage())
    assert again.heard == ["stopped"]


def test_what_is_forgotten_hears_nothing_more(queue: Queue, engine: Engine) -> None:
    task = Work("running")
    queue.add(task)
    queue.advance()
    queue.forget()
    engine.answer()
    assert task.heard == ["stopped"]


def test_a_task_that_is_stopped_while_it_is_asked_is_not_sent(queue: Queue, engine: Engine) -> None:
    def stopped_by_who_heard() -> Order:
        queue.clear()
        return Order(use="some/method")

    queue.add(Work("file", stopped_by_who_heard))
    queue.advance()
    assert engine.jobs == []


def test_who_hears_of_a_change_may_ask_for_more(queue: Queue, engine: Engine) -> None:
    asked: list[Any] = []

    def on_changed(tasks: tuple[Task, ...]) -> None:
        if not asked:
            asked.append(tasks)
            queue.add(Work("step", step="step", priority=STEPS))
            queue.advance()

    queue.changed.connect(on_changed)
    file = Work("fresh")
    file.gives = [None]
    queue.add(file)
    queue.advance()
    assert titles(engine) == ["step"]


def test_a_step_called_like_an_export_is_not_touched_by_it(
    session: Session, tmp_path: Path
) -> None:
    steps = (
        Step("groups", "clusterer/kmeans", ("data",), {"k": 2}),
        Step("export of groups", "metric/silhouette", ("groups",)),
    )
    session.project.load_recipe(Recipe("", (Source("data", "iris"),), steps))
    session.run("groups")
    session.wait(60)
    lines: list[str] = []
    changes: list[str] = []
    failures: list[Any] = []
    session.logged.connect(lines.append)
    session.step_changed.connect(changes.append)
    session.exports.failed.connect(failures.append)
    session.exports.add(Export("groups", tmp_path / "groups.csv"))
    session.wait(60)
    assert (tmp_path / "groups.csv").exists()
    assert session.status("export of groups") is Status.MISSING
    assert session.results.key("export of groups") is None
    session.exports.add(Export("groups", tmp_path / "no" / "such" / "folder.csv"))
    session.wait(60)
    assert [(failure.step, failure.title) for failure in failures] == [("", "export of groups")]
    assert session.failure("export of groups") is None
    assert session.status("export of groups") is Status.MISSING
    assert (lines, changes) == ([], [])
