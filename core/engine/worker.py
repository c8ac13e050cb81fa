"""The part of an engine that works through orders, one at a time, and reports.

The process engine and the in-process engine both have one; they differ only in how messages
reach it.
"""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from coterie.core import errors, well_known
from coterie.core.api.context import Control, Frame
from coterie.core.api.executor import Executor
from coterie.core.catalogue.built_ins import BuiltIns
from coterie.core.catalogue.quarantine import Quarantine
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.messages import (
    Cancel,
    CancelledMessage,
    CatalogueMessage,
    Certify,
    Classify,
    Estimate,
    Event,
    Failed,
    FrameMessage,
    Judge,
    Label,
    LogMessage,
    Message,
    Pause,
    Preview,
    Progress,
    Request,
    Resume,
    Run,
    Speed,
    Started,
    StepOnce,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.runner import Runner
from coterie.core.io.workspace import Workspace
from coterie.core.optional_parts import missing_part

Send = Callable[[Message], None]


class Worker:
    """Takes orders from any thread, works on its own, and sends what comes of it."""

    def __init__(self, workspace: Workspace, options: EngineOptions, send: Send) -> None:
        self.quarantine = Quarantine(options.quarantine_folder)
        self._workspace = workspace
        self._options = options
        self._send = send
        self._orders: queue.Queue[Message | None] = queue.Queue()
        self._lock = threading.Lock()
        self._waiting: set[int] = set()
        self._controls: dict[int, Control] = {}
        self._registry: Registry | None = None

    def give(self, message: Message) -> None:
        """Take an order, or apply a control to the job it names at once."""
        match message:
            case Request():
                with self._lock:
                    self._waiting.add(message.job)
                    self._controls[message.job] = control = Control()
                if isinstance(message, Run):
                    control.set_speed(message.frames_per_second)
                self._orders.put(message)
            case Cancel() if self._withdraw(message.job):
                self._send(CancelledMessage(job=message.job))
            case Cancel() | Pause() | Resume() | StepOnce() | Speed():
                self._control(message)
            case _:
                self._orders.put(message)

    def stop(self) -> None:
        """Forget what waits, cancel what runs, and end `work` when that is done."""
        with self._lock:
            self._waiting.clear()
            for control in self._controls.values():
                control.cancel()
        self._orders.put(None)

    def work(self) -> None:
        """Work through orders until stopped; the plugins are loaded first, if they are not yet."""
        if self._registry is None:
            self.load()
        while (message := self._orders.get()) is not None:
            match message:
                case Request():
                    self._work_on(message)
                case _:
                    self._send(
                        LogMessage(text=f"The engine does not know {type(message).__name__}.")
                    )

    def load(self) -> None:
        """Load the plugins and send the catalogue."""
        options = self._options
        self.quarantine.collect()
        self._registry = Registry.load(
            options.plugin_folders,
            safe_mode=options.safe_mode,
            quarantine=self.quarantine,
            # Safe mode is for when something is wrong: then nothing is taken as known.
            built_ins=None if options.safe_mode else BuiltIns(options.built_ins_file),
        )
        # Plugins are loaded once: after a reload the key of a result would name their new source
        # while the old code, which Python keeps, computes it. A fresh engine has the new code.
        self._send(CatalogueMessage(catalogue=self._registry.catalogue.as_json()))

    def _work_on(self, order: Request) -> None:
        with self._lock:
            if order.job not in self._waiting:
                return  # withdrawn
            self._waiting.discard(order.job)
            control = self._controls[order.job]
        try:
            self._send(self._answer(order, control))
        except errors.Cancelled:
            self._send(CancelledMessage(job=order.job))
        except BaseException as error:  # whatever a plugin throws, even SystemExit
            self._send(failure(order, error))
        finally:
            with self._lock:
                self._controls.pop(order.job, None)

    def _answer(self, order: Request, control: Control) -> Message:
        if self._registry is None:
            raise errors.EngineError(
                "The engine has not loaded its methods yet.", code="engine-not-ready"
            )
        if isinstance(order, Run | Classify | Judge | Label):
            self._send(Started(job=order.job))
            with self._executor() as crew:
                runner = self._runner(self._registry, crew)
                return runner.run(order, _Reporter(order.job, self._send), control)
        runner = self._runner(self._registry)
        match order:
            case Estimate():
                return runner.estimate(order, control)
            case Certify():
                return runner.certify(order, control)
            case Preview() if order.path:
                return runner.preview_file(order, control)
            case Preview():
                return runner.preview(order, order.items, control)
        raise errors.EngineError(
            f"The engine does not know the message {type(order).__name__}.", code="invalid-message"
        )

    def _runner(self, registry: Registry, crew: Executor | None = None) -> Runner:
        options = self._options
        return Runner(registry, self._workspace, options.memory, options.workers, crew)

    @contextmanager
    def _executor(self) -> Iterator[Executor | None]:
        """The cluster, if there is one; each order that needs it connects again."""
        if not self._options.cluster:
            yield None
            return
        from coterie.core.engine.dask.pool import DaskExecutor

        with DaskExecutor(self._options.cluster, self._options.workers) as cluster:
            yield cluster

    def _withdraw(self, job: int) -> bool:
        """Take an order back that has not begun; return whether there was one."""
        with self._lock:
            if job not in self._waiting:
                return False
            self._waiting.discard(job)
            self._controls.pop(job, None)
            return True

    def _control(self, message: Message) -> None:
        with self._lock:
            control = self._controls.get(message.job)
        if control is None:
            return  # the job has ended already
        match message:
            case Cancel():
                control.cancel()
            case Pause():
                control.pause()
            case Resume():
                control.resume()
            case StepOnce():
                control.step_once()
            case Speed():
                control.set_speed(message.frames_per_second)


class _Reporter:
    """Hears of a run and passes it on as messages."""

    def __init__(self, job: int, send: Send) -> None:
        self._job = job
        self._send = send

    def progress(self, done: float, total: float, message: str) -> None:
        self._send(Progress(job=self._job, done=done / total, message=message))

    def frame(self, frame: Frame) -> None:
        self._send(FrameMessage(job=self._job, frame=frame))

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        self._send(Event(job=self._job, name=name, details=dict(details)))


def failure(order: Request, error: BaseException) -> Failed:
    """Say what went wrong: our own errors speak for themselves, others name the method."""
    error = missing_part(error) or error
    sentence = errors.in_words(error)
    offer: tuple[str, ...] = ()
    if isinstance(error, errors.CoterieError):
        offer = error.offer
    elif isinstance(error, MemoryError):
        # Free what the method had taken first: reporting the error needs some memory too.
        traceback.clear_frames(error.__traceback__)
        sentence = (
            f"{order.use} ran out of memory. Use fewer items, a sparse graph, "
            "or close other programs."
        )
        offer = (well_known.TRANSFORM_SAMPLE,)
    else:
        sentence = f"{order.use} failed with {sentence.rstrip('.')}. The details say where."
    details = "".join(traceback.format_exception(error))
    return Failed(
        job=order.job,
        error=sentence,
        traceback=details,
        kind=type(error).__name__,
        code=code if (code := errors.code_of(error)) != "internal" else "method-failed",
        offer=[str(use) for use in offer],
    )
