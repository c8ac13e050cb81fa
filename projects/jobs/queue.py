"""The one queue of work for the engine: tasks wait in it, and answers find them by job number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core.engine.messages import CancelledMessage, Failed, Finished, Request
from coterie.core.errors import CoterieError, EngineError
from coterie.projects.jobs.background import BackgroundThread
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.job import EngineJob, Failure
from coterie.projects.jobs.scheduler import Scheduler
from coterie.projects.store.results import Results

STEPS, FILES, TRIALS = range(3)  # priorities: what a person waits for goes first


@dataclass(frozen=True)
class Needs:
    """What a task cannot go on without: other tasks, or artefacts in the workspace.

    Attributes
    ----------
    first : tasks to be done before it
    keys : artefacts to copy from the project file
    name : the step they belong to; it loses its result if they cannot be copied
    """

    first: tuple[Task, ...] = ()
    keys: tuple[str, ...] = ()
    name: str = ""


class Task(ABC):
    """Work for the engine: one order, or several after each other.

    Attributes
    ----------
    title : what the list of jobs calls it
    step : the step of the recipe that it computes; empty for other work
    priority : tasks of a lower one go first
    quiet : whether it runs at full speed, however slow a person watches others
    """

    title: str
    step: str = ""
    priority: int = FILES
    quiet: bool = False

    @abstractmethod
    def next(self, results: Results) -> Request | Needs | None:
        """Return what the engine is to do now; None when there is nothing to do.

        An error that is raised ends the task.
        """

    @abstractmethod
    def take(self, answer: Finished | Failed) -> bool:
        """Take in what became of the order; return whether there is more to do."""

    def hear(self, event: str, details: Mapping[str, Any]) -> None:
        """Take in what happens while the engine is at work."""
        return  # nothing, for most

    @abstractmethod
    def stop(self, error: CoterieError | None = None) -> None:
        """Take in that it is cancelled, or the error that ended it.

        An order that is at the engine may still be answered.
        """


class FileTask(Task):
    """A task of one order, which writes a file; `_failed` hears why there will be none."""

    def __init__(self, title: str, failed: Callable[[Failure], None], component: str) -> None:
        self.title = title
        self._failed, self._component = failed, component

    @abstractmethod
    def written(self, answer: Finished) -> None:
        """Take in that the file is there."""

    def take(self, answer: Finished | Failed) -> bool:
        """Report the file, or why there is none."""
        if isinstance(answer, Finished):
            self.written(answer)
        else:
            self._fail(answer.error, answer.code, answer.traceback)
        return False

    def stop(self, error: CoterieError | None = None) -> None:
        """Report why there will be no file; nothing when it is cancelled."""
        if error is not None:
            self._fail(str(error), error.code)

    def _fail(self, error: str, code: str, traceback: str = "") -> None:
        failure = Failure("", error, traceback, self._component, title=self.title, code=code)
        self._failed(failure)


class Queue:
    """The tasks that wait, and those at the engine.

    `changed` is emitted with the tasks that were added, sent, answered or taken out.
    """

    changed: ClassVar[Signal] = Signal(tuple)

    def __init__(
        self,
        scheduler: Scheduler,
        results: Results,
        background: BackgroundThread,
        plugins: LoadedPlugins,
    ) -> None:
        self._scheduler, self._results = scheduler, results
        self._background, self._plugins = background, plugins
        self._waiting: list[Task] = []
        self._at_engine: dict[int, Task] = {}
        self._advancing = False
        scheduler.ended.connect(self._on_ended)
        scheduler.told.connect(self._on_told)

    @property
    def pending(self) -> bool:
        """Whether tasks wait."""
        return bool(self._waiting)

    def holds_step(self, name: str) -> bool:
        """Return whether a step waits to be computed."""
        return any(task.step == name for task in self._waiting)

    def add(self, *tasks: Task) -> None:
        """Have tasks wait for their turn; a step that waits already is not added again."""
        new = [task for task in tasks if not task.step or not self.holds_step(task.step)]
        self._waiting = sorted([*self._waiting, *new], key=lambda task: task.priority)
        self.changed.emit(tasks)

    def drop(self, task: Task) -> None:
        """Stop one task."""
        if task in self._waiting:
            self._waiting.remove(task)
        task.stop()
        self.changed.emit((task,))

    def drop_steps(self, names: Collection[str]) -> tuple[str, ...]:
        """Take steps out, and return the names of those that were waiting."""
        held = tuple(task.step for task in self._waiting if task.step in names)
        self._waiting = [task for task in self._waiting if task.step not in held]
        return held

    def clear(self) -> None:
        """Stop all tasks; what is at the engine is still answered."""
        tasks, self._waiting = (*self._waiting, *self._at_engine.values()), []
        for task in tasks:
            task.stop()
        self.changed.emit(tasks)

    def forget(self) -> None:
        """Stop all tasks, whatever the engine may answer: their project is no longer open."""
        self.clear()
        self._at_engine.clear()

    def advance(self) -> None:
        """Send the next order, if the engine is free, its methods are known and no file is busy."""
        if self._advancing:
            return  # somebody who hears of a change asks for more: the loop below finds it
        self._advancing = True
        try:
            while self._waiting and self._is_free():
                self._go_on(self._waiting[0])
        finally:
            self._advancing = False

    def _is_free(self) -> bool:
        idle = self._scheduler.running is None and not self._background.busy
        return idle and bool(self._plugins.catalogue.methods)

    def _go_on(self, task: Task) -> None:
        try:
            wanted = task.next(self._results)
        except CoterieError as error:
            self._remove(task)
            task.stop(error)
            self.changed.emit((task,))
            return
        if task not in self._waiting:
            return  # it was stopped by somebody who heard of it
        match wanted:
            case Request():
                self._remove(task)
                self._send(task, wanted)
            case Needs(first=(_, *_)):
                steps = {other.step for other in wanted.first if other.step}
                others = [other for other in self._waiting if other.step not in steps]
                self._waiting = [*wanted.first, *others]
                self.changed.emit(wanted.first)
            case Needs():
                self._results.bring(wanted.name, wanted.keys)
            case None:
                self._remove(task)
                self.changed.emit((task,))

    def _send(self, task: Task, order: Request) -> None:
        try:
            job = self._scheduler.run(task.title, order, step=task.step, quiet=task.quiet)
        except EngineError as error:
            self._answer(task, Failed(error=str(error), code=error.code))
            return
        self._at_engine[job.number] = task
        self.changed.emit((task,))

    def _on_ended(self, job: EngineJob, message: Finished | Failed | CancelledMessage) -> None:
        if (task := self._at_engine.get(job.number)) is not None:
            self._answer(task, message)
            self._at_engine.pop(job.number, None)

    def _answer(self, task: Task, message: Finished | Failed | CancelledMessage) -> None:
        if isinstance(message, CancelledMessage):
            task.stop()
        elif task.take(message):
            self._waiting = sorted([task, *self._waiting], key=lambda task: task.priority)
        self.changed.emit((task,))

    def _on_told(self, number: int, event: str, details: Mapping[str, Any]) -> None:
        if (task := self._at_engine.get(number)) is not None:
            task.hear(event, details)

    def _remove(self, task: Task) -> None:
        if task in self._waiting:
            self._waiting.remove(task)
