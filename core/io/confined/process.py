"""Starts a confined process, asks it, and survives it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.io import clock
from coterie.core.io.confined.wire import InvalidAnswerError, Parcel, error_of, pack, unpack
from coterie.core.io.platform.confinement import Confinement
from coterie.core.io.platform.lifeline import CAN_BE_HANDED_ON
from coterie.core.io.platform.memory import available_memory
from coterie.core.io.platform.processes import kill_group, new_group
from coterie.core.model.arrays import Array

START_PATIENCE = 60.0  # seconds; a busy machine may take long to start a process
_TURN = 0.05  # seconds between two looks at whether to stop
_LONGEST_ANSWER = 1 << 31
# Two threads would cost a start, and nothing that is read needs them.
_SINGLE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_CAUSES = {
    "SIGSEGV": "it crashed",
    "SIGBUS": "it crashed",
    "SIGABRT": "it crashed",
    "SIGKILL": "the system stopped it, most often for lack of memory",
    "SIGXCPU": "it took too long",
}


class ReaderLostError(CoterieError, RuntimeError):
    """The process that read a file ended, or answered nonsense."""

    code = "reader-lost"


class ConfinedProcess:
    """A process with the methods of one class, confined to some files.

    Parameters
    ----------
    service : the class that it makes an object of, as "module:Class"
    about : what errors call the file that it reads
    read, write : files and folders that it may read, and folders that it may fill
    memory : bytes that it may use; what is free by default
    handles : open files that it gets under the same numbers

    Calls may come from any thread, one after the other. When the process dies, the call fails with
    `ReaderLostError`, and so does every later one.
    """

    def __init__(
        self,
        service: str,
        about: str,
        *,
        read: Iterable[Path] = (),
        write: Iterable[Path] = (),
        memory: int = 0,
        handles: Sequence[int] = (),
    ) -> None:
        self._about = about
        self._one_at_a_time = threading.RLock()
        self._confinement: Confinement | None = None
        self._lost = ""
        ours, theirs = Pipe(duplex=True)
        lifeline, self._lifeline = os.pipe()
        inherited = {"channel": theirs.fileno()}
        if CAN_BE_HANDED_ON:
            inherited["lifeline"] = lifeline
        named = [f"--{name}={number}" for name, number in inherited.items()]
        try:
            self._process = subprocess.Popen(
                [*_command(), *named],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_SINGLE},
                **new_group(*inherited.values(), *handles),
            )
        except OSError as error:
            ours.close()
            os.close(self._lifeline)
            raise self._error(f"it did not start: {error.strerror or error}") from error
        finally:
            theirs.close()
            os.close(lifeline)
        self._connection = ours
        told = {
            "service": service,
            "read": [str(path) for path in read],
            "write": [str(path) for path in write],
            "memory": memory or available_memory() * 4 // 5,
        }
        with contextlib.suppress(OSError):  # it is gone: the first call says so
            self._connection.send_bytes(pack(Parcel(told)))

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._lost and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def confinement(self) -> Confinement:
        """What was taken from it; waits until it has started."""
        with self._one_at_a_time:
            if self._confinement is None:
                told = self._answer(START_PATIENCE, None, None).value
                try:
                    self._confinement = Confinement(**told)
                    asdict(self._confinement)
                except TypeError:
                    raise self._give_up("it sent an invalid answer") from None
            return self._confinement

    def call(
        self,
        method: str,
        *,
        patience: float,
        arrays: Mapping[str, Array] | None = None,
        report: Callable[[float, str], None] | None = None,
        check: Callable[[], None] | None = None,
        **values: Any,
    ) -> Parcel:
        """Call a method with values of JSON and arrays, and return what it answers.

        Parameters
        ----------
        patience : seconds without a word after which the process is ended
        report : called with what the method reports of its progress
        check : called often; what it raises ends the process
        """
        with self._one_at_a_time:
            if self._lost:
                raise self._error(self._lost)
            _ = self.confinement
            try:
                self._connection.send_bytes(pack(Parcel([method, values], arrays or {})))
            except OSError:
                raise self._give_up("") from None
            return self._answer(patience, report, check)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._lost = self._lost or "it was ended"
        kill_group(self._process)
        self._process.wait()
        with self._one_at_a_time:
            if not self._connection.closed:
                self._connection.close()
                os.close(self._lifeline)

    def _answer(
        self,
        patience: float,
        report: Callable[[float, str], None] | None,
        check: Callable[[], None] | None,
    ) -> Parcel:
        deadline = clock.seconds() + patience
        while True:
            try:
                while not self._connection.poll(_TURN):
                    if check is not None:
                        check()
                    if clock.seconds() > deadline:
                        raise self._give_up(f"it did not answer for {patience:.0f} seconds")
                parcel = unpack(self._connection.recv_bytes(_LONGEST_ANSWER))
                word, *rest = parcel.value
                if word == "progress":
                    if report is not None:
                        report(float(rest[0]), str(rest[1])[:200])
                    deadline = clock.seconds() + patience
                    continue
                if word == "error":
                    raise self._raised(rest[0])
                if word != "done":
                    raise InvalidAnswerError(f"{word!r:.40}")
                return Parcel(rest[0], parcel.arrays)
            except (EOFError, OSError) as error:
                if isinstance(error, CoterieError):
                    raise
                raise self._give_up("") from None
            except (ValueError, TypeError, LookupError, ArithmeticError) as error:
                if isinstance(error, CoterieError):
                    raise
                raise self._give_up("it sent an invalid answer") from None
            except BaseException:  # `check` says to stop: nobody waits for the answer
                if check is not None:
                    self._give_up("it was ended")
                raise

    def _raised(self, told: Any) -> BaseException:
        error = error_of(told)
        if error is not None:
            if error.code == "out-of-memory" and not str(error):
                return type(error)(
                    f"'{self._about}' needs more memory than is available. Close other programs, "
                    "or "
                    "open it on a larger machine.",
                    code="out-of-memory",
                )
            return error
        why = str(told.get("text", ""))[:200]
        return ReaderLostError(
            f"'{self._about}' could not be read ({why}). Nothing else is affected; the file may be "
            "damaged."
        )

    def _give_up(self, reason: str) -> ReaderLostError:
        """End the process; return the error that says why."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if reason else 1.0)
        code = self._process.poll()
        kill_group(self._process)
        self._process.wait()
        self._lost = reason or _cause(code)
        return self._error(self._lost)

    def _error(self, reason: str) -> ReaderLostError:
        return ReaderLostError(
            f"'{self._about}' could not be read: the process that reads it ended ({reason}). "
            "Nothing else is affected; the file may be damaged."
        )


def _command() -> list[str]:
    """Return how to start one; a frozen bundle starts itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--confined-process"]
    return [sys.executable, "-X", "utf8", "-P", "-m", "coterie.core.io.confined"]


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"code {code}" if code else "it stopped"
    with contextlib.suppress(ValueError):
        return _CAUSES.get(signal.Signals(-code).name, "it was stopped from outside")
    return "it was stopped from outside"
