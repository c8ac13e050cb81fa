"""The window's side: starts the engine process, gives it orders, and replaces it when it dies."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from coterie.core.catalogue.quarantine import Quarantine, marker
from coterie.core.engine.mailbox import Mailbox
from coterie.core.engine.messages import (
    ANSWERS,
    Cancel,
    CancelledMessage,
    CatalogueMessage,
    EngineState,
    Failed,
    LogMessage,
    Message,
    Request,
    Started,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.engine.process import KILLED, EngineProcess
from coterie.core.errors import EngineError, WorkspaceError
from coterie.core.io import clock
from coterie.core.io.workspace import Workspace

# How long a cancelled job may take to stop by itself before its process is killed.
PATIENCE = 2.0
# How long the plugins may take to load before the process is killed, and the plugin at fault left
# out of the next one.
START_PATIENCE = 60.0
# Deaths of an engine that nobody had asked anything, in a row, after which it stays dead.
MOST_FALSE_STARTS = 3
# An engine that lived longer than this did start.
SHORT_LIFE = 10.0
# Last lines an engine printed that are shown when it dies: the traceback of a crash is among them.
LAST_LINES = 60


class Engine(Protocol):
    """What a session needs of an engine, be it a process or a thread."""

    inbox: Mailbox

    def start(self) -> None:
        """Begin; the catalogue comes as the first message."""

    def send(self, message: Message) -> None:
        """Give an order, or control a job."""

    def close(self) -> None:
        """End it, with all that runs in it."""


class ProcessEngine:
    """An engine in a process of its own, which may crash, hang or be killed without harm here.

    Messages from it arrive in `inbox`; `notify` is called, from another thread, when one has.
    """

    def __init__(
        self,
        workspace: Path,
        options: EngineOptions | None = None,
        notify: Callable[[], None] | None = None,
    ) -> None:
        self.inbox = Mailbox(notify)
        self._workspace = workspace
        self._options = options or EngineOptions()
        self._lock = threading.RLock()
        self._process: EngineProcess | None = None
        self._timers: dict[str, threading.Timer] = {}
        self._orders: dict[int, Request] = {}
        self._begun: set[int] = set()
        self._sent_again: set[int] = set()
        self._cancelling: set[int] = set()
        self._last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self._false_starts = 0
        self._born = 0.0
        self._ready = False
        self._closing = False

    @property
    def pid(self) -> int | None:
        """Process number of the present engine."""
        process = self._process
        return None if process is None else process.pid

    def start(self) -> None:
        """Start the process; returns at once."""
        with self._lock:
            if self._process is None and not self._closing:
                self._spawn()

    def send(self, message: Message) -> None:
        """Give an order, or control a job. A cancel that is not obeyed kills the process."""
        with self._lock:
            if self._closing:
                return
            self.start()
            process = self._process
            if isinstance(message, Request):
                self._orders[message.job] = message
            elif isinstance(message, Cancel):
                self._cancel_by_force_later(message.job)
        if process is not None:
            with contextlib.suppress(OSError):  # it died: `_ended` hears of that and sends again
                process.send(message)

    def close(self) -> None:
        """End the process with its workers, and all threads of this object."""
        with self._lock:
            self._closing = True
            process, self._process = self._process, None
            timers, self._timers = self._timers, {}
        for timer in timers.values():
            timer.cancel()
        if process is not None:
            process.kill()
            process.join(5)
            # Last, when it can import nothing more: it was ended on purpose.
            Quarantine(self._options.quarantine_folder).forgive(process.pid)
        self.inbox.close()

    def _spawn(self) -> None:
        arguments = [
            f"--workspace={self._workspace}",
            f"--memory={self._options.memory}",
            f"--workers={self._options.workers}",
            f"--cluster={self._options.cluster}",
            *(f"--plugins={folder}" for folder in self._options.plugin_folders),
            *(["--safe-mode"] if self._options.safe_mode else []),
        ]
        self._ready, self._born = False, clock.seconds()
        self.inbox.put(EngineState(state="starting"))
        process = EngineProcess(arguments, self._take, self._log, self._ended)
        self._process = process
        self._start_timer("start", START_PATIENCE, lambda: self._kill_unless_ready(process))

    def _take(self, message: Message) -> None:
        with self._lock:
            if isinstance(message, ANSWERS):
                # After a kill the answer is already given; a late one would be a second.
                if self._orders.pop(message.job, None) is None:
                    return
                self._cancelling.discard(message.job)
                self._stop_timer(f"cancel {message.job}")
                self._begun.discard(message.job)
                self._sent_again.discard(message.job)
                self._false_starts = 0
            elif isinstance(message, Started):
                self._begun.add(message.job)
            elif isinstance(message, CatalogueMessage) and not self._ready:
                self._ready = True
                self._stop_timer("start")
                self.inbox.put(EngineState(state="ready"))
        self.inbox.put(message)

    def _log(self, line: str) -> None:
        with self._lock:
            self._last_lines.append(line)
        self.inbox.put(LogMessage(text=line))

    def _ended(self, reason: str) -> None:
        """Answer for all that was under way, and start a fresh process."""
        with self._lock:
            process, self._process = self._process, None
            if self._closing or process is None:
                return
            with contextlib.suppress(WorkspaceError):
                Workspace(self._workspace).sweep(process.pid)
            idle = not (self._orders or clock.seconds() - self._born > SHORT_LIFE)
            # A plugin that ended it is left out of the next one, or it would restart for ever.
            at_fault = marker(self._options.quarantine_folder, process.pid).exists()
            if (not self._ready or idle) and not at_fault:
                self._false_starts += 1
            self._fail_interrupted_jobs(reason, set() if at_fault else self._sent_again)
            for job in self._cancelling:
                self._stop_timer(f"cancel {job}")
            self._cancelling.clear()
            self._begun.clear()
            self._last_lines.clear()
            if self._false_starts >= MOST_FALSE_STARTS:
                self._give_up(reason)
            else:
                self._start_again(reason)

    def _fail_interrupted_jobs(self, reason: str, suspects: set[int]) -> None:
        lines = "\n".join(self._last_lines)
        waiting = {}
        for job, order in sorted(self._orders.items()):
            if job in self._cancelling:
                self.inbox.put(CancelledMessage(job=job, killed=True))
            elif job in self._begun or job in suspects:
                error = (
                    f"The engine ended while {order.use} ran: {reason}. Your project is not "
                    f"affected. {_advice(reason)}"
                )
                self.inbox.put(
                    Failed(
                        job=job, error=error, traceback=lines, kind="EngineLost", code="engine-lost"
                    )
                )
            else:
                waiting[job] = order  # it was only waiting: it gets a second chance, once
        self._orders = waiting
        self._sent_again = set(waiting)

    def _start_again(self, reason: str) -> None:
        self.inbox.put(EngineState(state="restarting", reason=reason))
        try:
            self._spawn()
        except EngineError as error:
            self._give_up(str(error).rstrip("."))
            return
        for order in self._orders.values():
            self.send(order)

    def _give_up(self, reason: str) -> None:
        for order in self._orders.values():
            error = f"{order.use} was not run, because the engine does not start: {reason}."
            self.inbox.put(
                Failed(job=order.job, error=error, kind="EngineLost", code="engine-start")
            )
        self._orders.clear()
        text = f"The engine does not start: {reason}. Start Coterie with --safe-mode."
        self.inbox.put(EngineState(state="stopped", reason=text))

    def _cancel_by_force_later(self, job: int) -> None:
        if job in self._orders and job not in self._cancelling:
            self._cancelling.add(job)
            self._start_timer(f"cancel {job}", PATIENCE, lambda: self._kill_if_not_cancelled(job))

    def _start_timer(self, what: str, seconds: float, action: Callable[[], None]) -> None:
        self._stop_timer(what)
        timer = threading.Timer(seconds, action)
        timer.daemon = True
        self._timers[what] = timer
        timer.start()

    def _stop_timer(self, what: str) -> None:
        """Stop a timer that has nothing to wait for: each one is a thread."""
        timer = self._timers.pop(what, None)
        if timer is not None:
            timer.cancel()

    def _kill_if_not_cancelled(self, job: int) -> None:
        with self._lock:
            if job in self._cancelling and self._process is not None:
                self._process.kill("it did not stop when asked, and was ended")

    def _kill_unless_ready(self, process: EngineProcess) -> None:
        with self._lock:
            if process is self._process and not self._ready:
                process.kill(f"loading its plugins took more than {START_PATIENCE:.0f} s")


def _advice(reason: str) -> str:
    if reason == KILLED:
        return "Close other programs, or use fewer items, and run it again."
    return "If it happens again, report it to the author of the method."
