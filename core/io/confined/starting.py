"""Starts confined processes, and keeps one ready for the next file.

Starting one takes Python and its libraries a quarter of a second. A spare process has that behind
it: it has given up the network, programs and other processes, loaded what parses files, and waits
to hear which files it may touch. It has seen no byte of a stranger by then.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from multiprocessing import Pipe

from coterie.core.io import clock
from coterie.core.io.platform.lifeline import CAN_BE_HANDED_ON
from coterie.core.io.platform.processes import kill_group, new_group

# Seconds before the next one: whoever took the last needs the processors first, and one that ended
# by itself would end again.
_REST, _REST_AFTER_LOSS = 2.0, 60.0
# Two threads would cost a start, and nothing that is read needs them.
_SINGLE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class StartError(OSError):
    """The system started no process."""


class StartedProcess:
    """A process that waits for the files that it may touch.

    Parameters
    ----------
    loaded : modules that it imports while it waits
    """

    def __init__(self, loaded: Iterable[str] = ()) -> None:
        self.connection, theirs = Pipe(duplex=True)
        lifeline, self._lifeline = os.pipe()
        inherited = {"channel": theirs.fileno()}
        if CAN_BE_HANDED_ON:
            inherited["lifeline"] = lifeline
        options = [f"--{name}={number}" for name, number in inherited.items()]
        options += [f"--load={module}" for module in loaded]
        try:
            self.process = subprocess.Popen(
                [*_command(), *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_SINGLE},
                **new_group(*inherited.values()),
            )
        except OSError as error:
            self.connection.close()
            os.close(self._lifeline)
            raise StartError(error.strerror or str(error)) from error
        finally:
            theirs.close()
            os.close(lifeline)

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def kill(self) -> None:
        """End it, whatever it is doing; what it said before can still be read."""
        kill_group(self.process)
        self.process.wait()

    def close(self) -> None:
        """Let go of it, after `kill`."""
        if not self.connection.closed:
            self.connection.close()
            os.close(self._lifeline)


class Spare:
    """The one process that is kept ready. Its methods may be called from any thread."""

    def __init__(self, start: Callable[[tuple[str, ...]], StartedProcess] = StartedProcess) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._loaded: tuple[str, ...] | None = None  # none is kept
        self._waiting: StartedProcess | None = None
        self._due = 0.0

    def keep(self, loaded: Iterable[str]) -> None:
        """Keep one from now on, which imports these modules."""
        self._loaded = tuple(loaded)
        self._due = 0.0
        self.renew()

    def renew(self) -> None:
        """Start one, if one is kept and the last was taken a while ago, or has ended."""
        with self._lock:
            if self._waiting is not None and not self._waiting.alive:
                self._waiting.close()
                self._waiting = None
                self._due = clock.seconds() + _REST_AFTER_LOSS
            if self._loaded is None or self._waiting is not None or clock.seconds() < self._due:
                return
            self._due = clock.seconds() + _REST_AFTER_LOSS
            with contextlib.suppress(StartError):  # whoever needs one starts it, and says so
                self._waiting = self._start(self._loaded)

    def take(self) -> StartedProcess | None:
        """Return it, if there is one; it belongs to the caller now."""
        with self._lock:
            taken, self._waiting = self._waiting, None
            self._due = clock.seconds() + _REST
        if taken is not None and not taken.alive:
            taken.close()
            return None
        return taken

    @property
    def kept(self) -> bool:
        """Whether one is kept."""
        return self._loaded is not None

    def waits(self) -> bool:
        """Whether there is one, ready or not yet."""
        with self._lock:
            return self._waiting is not None

    @property
    def ready(self) -> bool:
        """Whether it has loaded everything."""
        with self._lock:
            waiting = self._waiting
            return waiting is not None and waiting.alive and waiting.connection.poll()

    @property
    def pid(self) -> int | None:
        """The number of the process that waits."""
        with self._lock:
            return None if self._waiting is None else self._waiting.process.pid

    def close(self) -> None:
        """End it, and keep none any more."""
        with self._lock:
            self._loaded = None
            if self._waiting is not None:
                self._waiting.kill()
                self._waiting.close()
                self._waiting = None


SPARE = Spare()


def _command() -> list[str]:
    """Return how to start one; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--confined-process"]
    return [sys.executable, "-X", "utf8", "-P", "-m", "coterie.core.io.confined"]
