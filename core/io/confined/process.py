"""Starts a confined process, asks it, and survives it."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.io import clock
from coterie.core.io.confined.starting import SPARE, StartedProcess, StartError
from coterie.core.io.confined.wire import LOADED, InvalidAnswerError, Parcel, error_of, pack, unpack
from coterie.core.io.platform.confinement import Confinement
from coterie.core.io.platform.memory import available_memory
from coterie.core.model.arrays import Array

START_PATIENCE = 60.0  # seconds; a busy machine may take long to start a process
_SPARE_PATIENCE = 10.0  # one that waits has little left to do
_TURN = 0.05  # seconds between two looks at whether to stop
_LONGEST_ANSWER = 1 << 31
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

    The process that is kept ready (`starting.SPARE`) becomes it, or one is started. Calls may come
    from any thread, one after the other. When the process dies, the call fails with
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
    ) -> None:
        self._about = about
        self._one_at_a_time = threading.RLock()
        self._confinement: Confinement | None = None
        self._lost, self._closed = "", False
        self._told = {
            "service": service,
            "read": [str(path) for path in read],
            "write": [str(path) for path in write],
            "memory": memory or available_memory() * 4 // 5,
        }
        spare = SPARE.take()
        self._was_spare = spare is not None
        self._start(spare)

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._lost and self._started.alive

    @property
    def pid(self) -> int:
        """Its number."""
        return self._started.process.pid

    @property
    def confinement(self) -> Confinement:
        """What was taken from it; waits until it has started."""
        with self._one_at_a_time:
            if self._confinement is None:
                told = self._first_answer()
                try:
                    self._confinement = Confinement(**told)
                    asdict(self._confinement)
                except TypeError:
                    raise self._give_up("it sent an invalid answer") from None
            return self._confinement

    def _start(self, spare: StartedProcess | None) -> None:
        """Tell a process that waits, or a new one, what it may touch."""
        try:
            self._started = spare or StartedProcess()
        except StartError as error:
            raise self._error(f"it did not start: {error}") from error
        with contextlib.suppress(OSError):  # it is gone: the first call says so
            self._started.connection.send_bytes(pack(Parcel(self._told)))

    def _first_answer(self) -> Any:
        """Return what was taken from it. A spare process that hangs or ended is replaced."""
        if not self._was_spare:
            return self._answer(START_PATIENCE, None, None).value
        try:
            if self._answer(_SPARE_PATIENCE, None, None).value == LOADED:
                return self._answer(_SPARE_PATIENCE, None, None).value
        except ReaderLostError:
            pass
        self._started.kill()
        self._started.close()
        self._was_spare = False
        self._start(None)
        self._lost = ""
        if self._closed:
            raise self._give_up("it was ended")
        return self._first_answer()

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
                self._started.connection.send_bytes(pack(Parcel([method, values], arrays or {})))
            except OSError:
                raise self._give_up("") from None
            return self._answer(patience, report, check)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._closed = True
        self._lost = self._lost or "it was ended"
        self._started.kill()
        with self._one_at_a_time:
            self._started.kill()  # one that was about to replace a spare that hung
            self._started.close()

    def _answer(
        self,
        patience: float,
        report: Callable[[float, str], None] | None,
        check: Callable[[], None] | None,
    ) -> Parcel:
        deadline = clock.seconds() + patience
        connection = self._started.connection
        while True:
            try:
                while not connection.poll(_TURN):
                    if check is not None:
                        check()
                    if clock.seconds() > deadline:
                        raise self._give_up(f"it did not answer for {patience:.0f} seconds")
                parcel = unpack(connection.recv_bytes(_LONGEST_ANSWER))
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
            self._started.process.wait(0 if reason else 1.0)
        code = self._started.process.poll()
        self._started.kill()
        self._lost = reason or _cause(code)
        return self._error(self._lost)

    def _error(self, reason: str) -> ReaderLostError:
        return ReaderLostError(
            f"'{self._about}' could not be read: the process that reads it ended ({reason}). "
            "Nothing else is affected; the file may be damaged."
        )


def _cause(code: int | None) -> str:
    if code is None or code >= 0:
        return f"code {code}" if code else "it stopped"
    with contextlib.suppress(ValueError):
        return _CAUSES.get(signal.Signals(-code).name, "it was stopped from outside")
    return "it was stopped from outside"
