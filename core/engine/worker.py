"""The part of an engine that works through orders, one at a time, and reports.

The process engine and the in-process engine both have one; they differ only in how messages
reach it.
"""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from coterie.core import errors
from coterie.core.context import Control, Frame
from coterie.core.engine.messages import (
    Cancel,
    Cancelled,
    CatalogueMessage,
    Describe,
    Estimate,
    Event,
    Failed,
    FrameMessage,
    Log,
    Message,
    Order,
    Pause,
    Preview,
    Progress,
    Resume,
    Run,
    Speed,
    Started,
    StepOnce,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.runner import Runner
from coterie.core.quarantine import Quarantine
from coterie.core.registry import Registry
from coterie.core.workspace import Workspace

Send = Callable[[Message], None]

# Items whose shares are sent in a live picture; more would not be told apart on a screen.
MOST_ITEMS_SHOWN = 20_000


class Worker:
    """Takes orders from any thread, works on its own, and sends what comes of it."""

    def __init__(self, workspace: Workspace, options: EngineOptions, send: Send) -> None:
        self._workspace = workspace
        self._options = options
        self._send = send
        self._orders: queue.Queue[Message | None] = queue.Queue()
        self._controls: dict[int, Control] = {}
        self._lock = threading.Lock()
        self._registry: Registry | None = None

    def give(self, message: Message) -> None:
        """Take an order, or apply a control to the job it names at once."""
        control = self._control(message.job)
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
            case _:
                self._orders.put(message)

    def stop(self) -> None:
        """Cancel what runs and end `work` when it is done."""
        with self._lock:
            for control in self._controls.values():
                control.cancel()
        self._orders.put(None)

    def work(self) -> None:
        """Load the plugins, then work through orders until stopped."""
        self._load()
        while (message := self._orders.get()) is not None:
            match message:
                case Describe():
                    self._load()
                case Order():
                    self._work_on(message)
                case _:
                    self._send(Log(text=f"The engine does not know {type(message).__name__}."))

    def _load(self) -> None:
        quarantine = Quarantine(self._options.quarantine_folder)
        quarantine.collect()
        self._registry = Registry.load(
            self._options.plugin_folders,
            safe_mode=self._options.safe_mode,
            quarantine=quarantine,
        )
        self._send(CatalogueMessage(catalogue=self._registry.catalogue.as_json()))

    def _work_on(self, order: Order) -> None:
        control = self._control(order.job)
        try:
            self._send(self._answer(order, control))
        except errors.Cancelled:
            self._send(Cancelled(job=order.job))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a plugin throws, even SystemExit
            self._send(failure(order, error))
        finally:
            with self._lock:
                self._controls.pop(order.job, None)

    def _answer(self, order: Order, control: Control) -> Message:
        if self._registry is None:
            raise errors.EngineError("The engine has not loaded its methods yet.")
        runner = Runner(
            self._registry, self._workspace, self._options.memory, self._options.workers
        )
        match order:
            case Run():
                self._send(Started(job=order.job))
                return runner.run(order, _Reporter(order.job, self._send), control)
            case Estimate():
                return runner.estimate(order, control)
            case Preview():
                return runner.preview(order, order.items, control)
        raise errors.EngineError(f"The engine cannot answer {type(order).__name__}.")

    def _control(self, job: int) -> Control:
        with self._lock:
            return self._controls.setdefault(job, Control())


class _Reporter:
    """Hears of a run and passes it on as messages."""

    def __init__(self, job: int, send: Send) -> None:
        self._job = job
        self._send = send

    def progress(self, done: float, total: float, message: str) -> None:
        self._send(Progress(job=self._job, done=done / total, message=message))

    def frame(self, frame: Frame) -> None:
        arrays = {}
        if frame.shares is not None:
            arrays["shares"] = np.array(frame.shares[:MOST_ITEMS_SHOWN], dtype=np.float32)
        if frame.labels is not None:
            arrays["labels"] = np.array(frame.labels[:MOST_ITEMS_SHOWN], dtype=np.int32)
        self._send(
            FrameMessage(
                job=self._job,
                iteration=int(frame.iteration),
                objective=float(frame.objective),
                residual=float(frame.residual),
                support=int(frame.support),
                phase=frame.phase,
                arrays=arrays,
            )
        )

    def event(self, name: str, details: Mapping[str, Any]) -> None:
        self._send(Event(job=self._job, name=name, details=dict(details)))


def failure(order: Order, error: BaseException) -> Failed:
    """Say what went wrong: our own errors speak for themselves, others name the method."""
    text = "".join(traceback.format_exception(error))
    if isinstance(error, errors.CoterieError):
        sentence = str(error)
    elif isinstance(error, MemoryError):
        sentence = (
            f"{order.use} ran out of memory. Use fewer items, a sparse graph, "
            "or close other programs."
        )
    else:
        reason = f"{type(error).__name__}: {error}".strip().rstrip(".:")
        sentence = f"{order.use} failed with {reason}. The details say where."
    return Failed(job=order.job, error=sentence, traceback=text, kind=type(error).__name__)
