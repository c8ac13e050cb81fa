"""One engine process, from its start to its end, with the threads that listen to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any

from coterie.core.engine.channel import FAREWELL, make_pair
from coterie.core.engine.messages import Message
from coterie.core.errors import EngineError
from coterie.core.io.platform.lifeline import CAN_BE_HANDED_ON
from coterie.core.io.platform.processes import kill_group, new_group

# How long a process that has stopped talking may take to end by itself, to learn why it did.
_LAST_WORDS = 0.5
# How long to wait for the rest of what it printed: what a plugin started may hold the pipe open.
_LAST_LINES = 1.0
_SILENT = "it lost its connection to the window"
KILLED = "the system stopped it, most often for lack of memory"
_CAUSES = {"SIGSEGV": "it crashed", "SIGABRT": "it aborted", "SIGKILL": KILLED}


class EngineProcess:
    """A running engine. The callbacks come from threads of this object.

    Parameters
    ----------
    hear : called with each message
    log : called with each line that was printed
    ended : called once, with the reason, when the process and all it started are gone
    """

    def __init__(
        self,
        arguments: Sequence[str],
        hear: Callable[[Message], None],
        log: Callable[[str], None],
        ended: Callable[[str], None],
    ) -> None:
        self._hear, self._log, self._ended = hear, log, ended
        self._why = ""  # it was ended from here, if it was
        self._channel, theirs = make_pair()
        handle = theirs.fileno()
        lifeline, self._lifeline = os.pipe()
        handles = {"channel": handle} | ({"lifeline": lifeline} if CAN_BE_HANDED_ON else {})
        named = [f"--{name}={number}" for name, number in handles.items()]
        try:
            self._process = subprocess.Popen(
                [*engine_command(), *named, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                **new_group(*handles.values()),
            )
        except OSError as error:
            self._channel.close()
            os.close(self._lifeline)
            raise EngineError(f"The engine did not start: {error}.", code="engine-start") from error
        finally:
            theirs.close()
            os.close(lifeline)
        self._logging = self._thread(self._read_log, self._process.stdout)
        self._reading = self._thread(self._read_messages)
        self._watching = self._thread(self._watch)

    @property
    def pid(self) -> int:
        """Process number."""
        return self._process.pid

    def send(self, message: Message) -> None:
        """Send a message; raises OSError when the process is gone."""
        self._channel.send(message)

    def kill(self, why: str = "") -> None:
        """Kill the process and all it started; it leads its own group.

        `why` is the reason to report for a process that lived until now: nobody else knows it.
        """
        if why and self._process.poll() is None:
            self._why = self._why or why
        kill_group(self._process)

    def join(self, seconds: float) -> None:
        """Wait until the process is gone and its threads have ended."""
        for thread in (self._reading, self._watching, self._logging):
            if thread is not threading.current_thread():
                thread.join(seconds)

    def _thread(self, target: Callable[..., None], *args: Any) -> threading.Thread:
        thread = threading.Thread(target=target, args=args, daemon=True)
        thread.start()
        return thread

    def _read_log(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                text = line.decode(errors="replace").rstrip()
                if text.endswith(FAREWELL):  # after what was printed without an end of line
                    self._why = self._why or _SILENT
                self._log(text)

    def _read_messages(self) -> None:
        reason = ""
        try:
            while True:
                self._hear(self._channel.receive())
        except (EOFError, OSError):
            pass
        except EngineError as error:  # nonsense on the wire: such an engine is useless
            reason = str(error).rstrip(".")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if reason else _LAST_WORDS)
        self.kill(reason or _SILENT)
        code = self._process.wait()
        self._channel.close()
        os.close(self._lifeline)
        self._logging.join(_LAST_LINES)
        if code < 0:
            self._log(f"The engine process ended by {_signal_name(code)}.")
        self._ended(reason or self._why or _cause(code))

    def _watch(self) -> None:
        """Kill what a dead process left: its children may hold the channel open for ever."""
        self._process.wait()
        self.kill()


def engine_command() -> list[str]:
    """Return how to start an engine; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--engine-process"]
    return [sys.executable, "-X", "utf8", "-P", "-u", "-m", "coterie.core.engine"]


def _cause(code: int) -> str:
    """Say in plain words how a process ended; the signal's name is for the log."""
    if code >= 0:
        return f"it exited with code {code}"
    return _CAUSES.get(_signal_name(code), "it was stopped from outside")


def _signal_name(code: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
