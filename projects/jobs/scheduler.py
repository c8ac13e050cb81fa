"""Runs steps on an engine, one after the other, and keeps track of their jobs.

Lives on the session's thread: the engine's messages wait in its inbox until `pump` is called.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal

from psygnal import Signal

from coterie.core.api.components import Cost
from coterie.core.api.frame import Frame
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.engine.client import Engine, ProcessEngine
from coterie.core.engine.inprocess import InProcessEngine
from coterie.core.engine.messages import (
    Cancel,
    CancelledMessage,
    CatalogueMessage,
    EngineState,
    Estimate,
    Estimated,
    Event,
    Failed,
    Finished,
    FrameMessage,
    LogMessage,
    Message,
    Order,
    Pause,
    Preview,
    PreviewedTable,
    Progress,
    Request,
    Resume,
    Run,
    Speed,
    Started,
    StepOnce,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import EngineError
from coterie.core.formats.files.tabular import TablePreview
from coterie.core.io import clock
from coterie.projects.jobs.certifying import Certifying
from coterie.projects.jobs.figure_runs import FigureRuns
from coterie.projects.jobs.job import EngineJob
from coterie.projects.jobs.side_requests import SideRequests
from coterie.projects.jobs.step_previews import StepPreviews

# Where the work is done: in a process or a thread of its own, or in an engine made to order.
NewEngine = Callable[[Path, EngineOptions, Callable[[], None]], Engine]
EngineKind = Literal["process", "inprocess"] | NewEngine

MOST_JOBS_KEPT = 200


class Scheduler:
    """One engine for the work and, while that is busy, a second one for questions."""

    catalogue_came: ClassVar[Signal] = Signal(Catalogue)
    engine_changed: ClassVar[Signal] = Signal(str)
    logged: ClassVar[Signal] = Signal(str)
    job_changed: ClassVar[Signal] = Signal(EngineJob)
    framed: ClassVar[Signal] = Signal(str, Frame)
    happened: ClassVar[Signal] = Signal(str, str, dict)
    told: ClassVar[Signal] = Signal(int, str, dict)  # what happened in a job that is not a step
    ended: ClassVar[Signal] = Signal(EngineJob, Message)  # Finished, Failed or Cancelled
    estimated: ClassVar[Signal] = Signal(str, object)
    previewed: ClassVar[Signal] = Signal(int, object)

    def __init__(self, workspace: Path, kind: EngineKind, options: EngineOptions) -> None:
        self._workspace = workspace
        self._kind = kind
        self._options = options
        self._notify: Callable[[], None] | None = None
        self._numbers = itertools.count(1)
        self._clerk: Engine | None = None
        self._preview = 0
        self._speed = 0.0
        self._disowned: int | None = None
        self.jobs: dict[int, EngineJob] = {}
        self.running: EngineJob | None = None
        self._engine = self._new_engine()
        self._side_requests = SideRequests(self._free_engine, self._numbers)
        self.step_previews = StepPreviews(self._side_requests)
        self.certifying = Certifying(self._side_requests)
        self.figure_runs = FigureRuns(self._side_requests)

    def start(self, notify: Callable[[], None] | None = None) -> None:
        """Start the engine; `notify` is called from another thread when `pump` has work."""
        self._notify = notify
        self._engine.start()

    def run(self, title: str, order: Request, *, step: str = "", quiet: bool = False) -> EngineJob:
        """Give the engine an order; only one at a time.

        The answer comes by `ended`, with the job that is returned here.

        Parameters
        ----------
        title : what the list of jobs calls it
        step : the step of the recipe that it computes; empty for other work
        quiet : whether it runs at full speed, however slow a person watches others
        """
        self._withdraw_questions()
        self.figure_runs.make_way(self._engine)
        number = next(self._numbers)
        job = EngineJob(number, step, order.use, started=clock.seconds(), title=title)
        self.running = job
        self._keep(job)
        speed = 0.0 if quiet else self._speed
        try:
            if isinstance(order, Order):
                order = Run(**{**vars(order), "frames_per_second": speed})
            self._engine.send(replace(order, job=number))
        except EngineError as error:
            self.running = None
            self._keep(replace(job, state="failed", message=str(error)))
            raise
        return job

    def estimate(self, step: str, order: Order) -> None:
        """Ask what a step would take, without disturbing what runs."""

        def take(message: Message) -> None:
            if isinstance(message, Estimated | Failed):
                self.estimated.emit(step, _answer(message))

        try:
            self._side_requests.send(Estimate(**vars(order)), take)
        except EngineError as error:
            self.estimated.emit(step, str(error))

    def preview(self, order: Order) -> int:
        """Ask for the first lines of a file; an earlier question of that sort is withdrawn.

        The answer comes by `previewed`, with the number that is returned here.
        """

        def take(message: Message) -> None:
            if isinstance(message, PreviewedTable | Failed):
                self.previewed.emit(message.job, _first_lines(message))

        self._side_requests.withdraw(self._preview)
        self._preview = self._side_requests.send(Preview(**vars(order)), take)
        return self._preview

    def cancel(self) -> None:
        """Stop the running job, by force if it does not obey."""
        if self.running is not None:
            self._engine.send(Cancel(job=self.running.number))

    def disown(self) -> None:
        """Stop the running job, and pass nothing of it on: its project is no longer open.

        It may have finished already, with the news of it still in the inbox.
        """
        self._withdraw_asides()
        if self.running is not None:
            self._disowned = self.running.number
            self.cancel()

    def pause(self) -> None:
        """Hold the running job."""
        self._control(Pause, "paused")

    def resume(self) -> None:
        """Let the running job go on."""
        self._control(Resume, "running")

    def step_once(self) -> None:
        """Let the held job do one iteration."""
        self._control(StepOnce, "paused")

    def set_speed(self, frames_per_second: float) -> None:
        """Slow the running job, and those to come, down; 0 is full speed."""
        self._speed = frames_per_second
        if self.running is not None:
            self._engine.send(Speed(job=self.running.number, frames_per_second=frames_per_second))

    def pump(self) -> None:
        """Take in all that the engines have sent."""
        for message in self._engine.inbox.take_all():
            self._take(message)
        if self._clerk is not None:
            for message in self._clerk.inbox.take_all():
                self._side_requests.take(message)

    def close(self) -> None:
        """End both engines."""
        self._engine.close()
        if self._clerk is not None:
            self._clerk.close()

    def renew(self, options: EngineOptions) -> None:
        """Restart the engines, which reload the plugins; nothing may be running."""
        if self.running is not None:
            raise EngineError(
                f"'{self.running.title}' is running. Wait for it or cancel it before "
                "restarting the engine.",
                code="engine-busy",
            )
        self._withdraw_asides()
        self._side_requests.withdraw(self._preview)
        self.close()
        self._clerk, self._options = None, options
        self._engine = self._new_engine()
        self._engine.start()

    def _new_engine(self) -> Engine:
        kinds: dict[object, NewEngine] = {"process": ProcessEngine, "inprocess": InProcessEngine}
        make = self._kind if callable(self._kind) else kinds[self._kind]
        return make(self._workspace, self._options, self._call_notify)

    def _second_engine(self) -> Engine:
        if self._clerk is None:
            self._clerk = self._new_engine()
            self._clerk.start()
        return self._clerk

    def _free_engine(self) -> Engine:
        return self._engine if self.running is None else self._second_engine()

    def _withdraw_questions(self) -> None:
        self.step_previews.withdraw()
        self.certifying.withdraw()

    def _withdraw_asides(self) -> None:
        self._withdraw_questions()
        self.figure_runs.forget()
        self._side_requests.forget(Estimate)

    def _call_notify(self) -> None:
        if self._notify is not None:
            self._notify()

    def _control(self, kind: type[Message], state: Literal["running", "paused"]) -> None:
        if self.running is not None:
            self._engine.send(kind(job=self.running.number))
            self._keep(replace(self.running, state=state))

    def _take(self, message: Message) -> None:
        if self._side_requests.take(message):
            return
        match message:
            case Finished() | Failed() | CancelledMessage():
                self._end(message)
            case CatalogueMessage():
                self.catalogue_came.emit(Catalogue.from_json(message.catalogue))
            case EngineState():
                if message.reason:
                    self.logged.emit(message.reason)
                self.engine_changed.emit(message.state)
            case LogMessage():
                self.logged.emit(message.text)
            case Progress() | FrameMessage() | Event() | Started():
                self._report(message)

    def _report(self, message: Message) -> None:
        job = self.running
        if job is None or job.number != message.job or job.number == self._disowned:
            return
        match message:
            case Progress():
                self._keep(replace(job, done=message.done, message=message.message))
            case FrameMessage() if not job.step:
                pass  # of a trial: its step shows what the recipe says
            case FrameMessage():
                self.framed.emit(job.step, message.frame)
            case Event() if job.step:
                self.happened.emit(job.step, message.name, message.details)
            case Event():
                self.told.emit(job.number, message.name, message.details)

    def _end(self, message: Finished | Failed | CancelledMessage) -> None:
        job = self.jobs.get(message.job)
        if job is None or not job.active:
            return
        self.running = None
        seconds = clock.seconds() - job.started
        if job.number == self._disowned:
            self._keep(replace(job, state="cancelled", seconds=seconds))
            return
        match message:
            case Finished():
                ended = replace(job, state="finished", done=1.0, cached=message.cached)
            case Failed():
                ended = replace(job, state="failed", message=message.error)
            case CancelledMessage():
                ended = replace(job, state="cancelled")
        ended = replace(ended, seconds=seconds)
        self._keep(ended)
        self.ended.emit(ended, message)

    def _keep(self, job: EngineJob) -> None:
        self.jobs[job.number] = job
        if len(self.jobs) > MOST_JOBS_KEPT:
            del self.jobs[min(self.jobs)]
        if job.active:
            self.running = job
        self.job_changed.emit(job)


def _answer(message: Estimated | Failed) -> Cost | str:
    if isinstance(message, Failed):
        return message.error
    return Cost(message.bytes, message.seconds, tuple(message.alternatives))


def _first_lines(message: PreviewedTable | Failed) -> TablePreview | str:
    if isinstance(message, Failed):
        return message.error
    try:
        return TablePreview.from_json(message.table)
    except (KeyError, TypeError, ValueError) as error:
        return f"The reader sent an invalid preview: {error!r}."
