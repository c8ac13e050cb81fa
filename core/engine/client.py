"""The window's side: starts the engine process, talks to it, and replaces it when it dies."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

from coterie.core.engine.channel import Channel, make_pair
from coterie.core.engine.mailbox import Mailbox
from coterie.core.engine.messages import (
    ENDINGS,
    Cancel,
    Cancelled,
    CatalogueMessage,
    EngineState,
    Estimated,
    Failed,
    Log,
    Message,
    Order,
    Previewed,
    Started,
)
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import EngineError
from coterie.core.quarantine import Quarantine

# How long a cancelled job may take to stop by itself before its process is killed.
PATIENCE = 2.0
# Deaths before the catalogue came, in a row, after which the engine is not started again.
MOST_FALSE_STARTS = 3
# Last lines an engine printed that are shown when it dies: the traceback of a crash is among them.
LAST_LINES = 60

_ANSWERS = (*ENDINGS, Estimated, Previewed)


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
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._threads: list[threading.Thread] = []
        self._timers: list[threading.Timer] = []
        self._orders: dict[int, Order] = {}
        self._begun: set[int] = set()
        self._sent_again: set[int] = set()
        self._cancelling: set[int] = set()
        self._last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self._false_starts = 0
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
            if isinstance(message, Order):
                self._orders[message.job] = message
            elif isinstance(message, Cancel):
                self._cancel_later_by_force(message.job)
            if self._channel is None:
                self.start()
                if self._channel is None:
                    raise EngineError("The engine does not start. Try safe mode.")
            channel = self._channel
        with contextlib.suppress(OSError):  # it died: the reading thread sees that and restarts it
            channel.send(message)

    def close(self) -> None:
        """End the process with its workers, and all threads of this object."""
        with self._lock:
            self._closing = True
            for timer in self._timers:
                timer.cancel()
            process = self._process
            if process is not None:
                Quarantine(self._options.quarantine_folder).forgive(process.pid)
                _kill_group(process)
            threads = list(self._threads)
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5)
        self.inbox.close()

    def _spawn(self) -> None:
        channel, theirs = make_pair()
        handle = theirs.fileno()
        command = [
            *engine_command(),
            f"--channel={handle}",
            f"--workspace={self._workspace}",
            f"--memory={self._options.memory}",
            f"--workers={self._options.workers}",
            *(f"--plugins={folder}" for folder in self._options.plugin_folders),
            *(["--safe-mode"] if self._options.safe_mode else []),
        ]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                **_inheriting(handle),
            )
        except OSError as error:
            channel.close()
            raise EngineError(f"The engine could not be started: {error}.") from error
        finally:
            theirs.close()
        self._process, self._channel, self._ready = process, channel, False
        self.inbox.put(EngineState(state="starting"))
        log = threading.Thread(target=self._read_log, args=(process.stdout,), daemon=True)
        read = threading.Thread(
            target=self._read_messages, args=(process, channel, log), daemon=True
        )
        self._threads = [thread for thread in self._threads if thread.is_alive()] + [log, read]
        log.start()
        read.start()

    def _read_log(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                text = line.decode(errors="replace").rstrip()
                self._last_lines.append(text)
                self.inbox.put(Log(text=text))

    def _read_messages(
        self, process: subprocess.Popen[bytes], channel: Channel, log: threading.Thread
    ) -> None:
        reason = ""
        try:
            while True:
                self._take(channel.receive())
        except (EOFError, OSError):
            pass
        except EngineError as error:  # nonsense on the wire: such an engine is of no use
            reason = str(error)
        _kill_group(process)
        code = process.wait()
        channel.close()
        log.join(timeout=5)
        with self._lock:
            if not self._closing:
                self._replace(reason or _cause(code))

    def _take(self, message: Message) -> None:
        with self._lock:
            if isinstance(message, _ANSWERS):
                # After a kill the answer is already given; a late one would be a second.
                if self._orders.pop(message.job, None) is None:
                    return
                self._cancelling.discard(message.job)
                self._begun.discard(message.job)
            elif isinstance(message, Started):
                self._begun.add(message.job)
            if isinstance(message, CatalogueMessage) and not self._ready:
                self._ready, self._false_starts = True, 0
                self.inbox.put(EngineState(state="ready"))
        self.inbox.put(message)

    def _replace(self, reason: str) -> None:
        """Answer for all that was under way, and start a fresh process."""
        self._process, self._channel = None, None
        innocent = [order for job, order in self._orders.items() if self._is_innocent(job)]
        for job, order in sorted(self._orders.items()):
            if job in self._cancelling:
                self.inbox.put(Cancelled(job=job, killed=True))
            elif order not in innocent:
                error = f"{order.use} ended the engine: {reason}. Nothing of the project is lost."
                lines = "\n".join(self._last_lines)
                self.inbox.put(Failed(job=job, error=error, traceback=lines, kind="EngineLost"))
        self._orders = {order.job: order for order in innocent}
        self._sent_again.update(self._orders)
        self._cancelling.clear()
        self._begun.clear()
        self._last_lines.clear()
        if not self._ready:
            self._false_starts += 1
        if self._false_starts >= MOST_FALSE_STARTS:
            for order in innocent:
                error = f"{order.use} was not run, because the engine does not start: {reason}."
                self.inbox.put(Failed(job=order.job, error=error, kind="EngineLost"))
            self._orders.clear()
            text = f"The engine does not start: {reason}. Start Coterie with --safe-mode."
            self.inbox.put(EngineState(state="stopped", reason=text))
            return
        self.inbox.put(EngineState(state="restarting", reason=reason))
        self._spawn()
        for order in innocent:
            self.send(order)

    def _is_innocent(self, job: int) -> bool:
        """Whether a job was only waiting when the engine died; it gets a second chance, once."""
        return not (job in self._begun or job in self._cancelling or job in self._sent_again)

    def _cancel_later_by_force(self, job: int) -> None:
        if job not in self._orders or job in self._cancelling:
            return
        self._cancelling.add(job)
        timer = threading.Timer(PATIENCE, self._kill_if_still_cancelling, args=(job,))
        timer.daemon = True
        self._timers = [other for other in self._timers if other.is_alive()] + [timer]
        timer.start()

    def _kill_if_still_cancelling(self, job: int) -> None:
        with self._lock:
            process = self._process
            if job in self._cancelling and process is not None:
                _kill_group(process)


def engine_command() -> list[str]:
    """Return how to start an engine; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--engine-process"]
    return [sys.executable, "-X", "utf8", "-u", "-m", "coterie.core.engine"]


def _inheriting(handle: int) -> dict[str, Any]:
    """Return the options that let a new process keep one handle, in a process group of its own."""
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"startupinfo": startup, "creationflags": flags, "close_fds": True}
    return {"pass_fds": (handle,), "start_new_session": True}


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all it started; it leads its own group."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _cause(code: int) -> str:
    """Say in words how a process ended."""
    if code < 0:
        with contextlib.suppress(ValueError):
            name = signal.Signals(-code).name
            words = {"SIGSEGV": "it crashed", "SIGABRT": "it aborted", "SIGKILL": "it was killed"}
            return f"{words.get(name, 'it was stopped')} ({name})"
    return f"it exited with code {code}"
