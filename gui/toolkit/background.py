"""Computes what a view shows on a thread, so the window never waits for it."""

from __future__ import annotations

import atexit
import ctypes
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from PySide6.QtCore import QObject

from coterie.core.io import clock
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.toolkit.thread_bridge import Bridge

P = ParamSpec("P")
T = TypeVar("T")

LOADED_AT_START = "scipy.optimize"
_LONGEST_WAIT = 10.0  # seconds, when the program ends
_AT_WORK: weakref.WeakSet[threading.Thread] = weakref.WeakSet()


class Aside:
    """One piece of work at a time; of those requested in between only the newest is done.

    The thread lives no longer than its work, whose outcome goes nowhere once `owner` is gone.
    """

    def __init__(self, owner: QObject) -> None:
        self._bridge = Bridge(lambda: None, owner)
        self._next: Callable[[], None] | None = None
        self._working_out: object = None
        self.busy = False
        owner.destroyed.connect(self._bridge.close)

    def ask(
        self,
        action: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Do `action` on a thread, then hand its outcome to one of two functions on this one."""
        done, failed = _not_holding(done), _not_holding(failed)
        if self.busy:
            self._next = lambda: self._begin(action, done, failed)
        else:
            self._begin(action, done, failed)

    def work_out(
        self,
        pending: Pending[T],
        done: Callable[[], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Do what a state has still to work out, once, and call `done` when it has taken that."""
        work = pending.work
        if work is None or work is self._working_out:
            return
        self._working_out = work
        done, failed = _not_holding(done), _not_holding(failed)

        def on_done(value: T) -> None:
            if pending.take(work, value):
                done()

        def on_failed(error: BaseException) -> None:
            pending.give_up(work)
            failed(error)

        self.ask(work, on_done, on_failed)

    def _begin(
        self,
        action: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        def on_done(outcome: T) -> None:
            self._go_on()
            done(outcome)

        def on_failed(error: BaseException) -> None:
            self._go_on()
            failed(error)

        self.busy = True
        future: Future[T] = Future()
        self._bridge.when_done(future, on_done, on_failed)
        start_thread(lambda: _work(future, action), "picture")

    def _go_on(self) -> None:
        self.busy = False
        following, self._next = self._next, None
        if following is not None:
            following()


def start_thread(target: Callable[[], None], name: str) -> None:
    """Run `target` on a thread that the program waits for when it ends."""
    thread = threading.Thread(target=target, name=name, daemon=True)
    _AT_WORK.add(thread)
    thread.start()


@atexit.register
def _end_threads() -> None:
    """End what nobody will see: a thread in a library's C++ when Python is gone aborts the process.

    Each is interrupted between two of its instructions, again where a library kept going.
    """
    deadline = clock.seconds() + _LONGEST_WAIT
    while (alive := [each for each in _AT_WORK if each.is_alive()]) and clock.seconds() < deadline:
        for thread in alive:
            number, ending = ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ending)
            thread.join(0.2)


def _not_holding(method: Callable[P, None]) -> Callable[P, None]:
    """The same method, without keeping the widget it belongs to until the work is done."""
    if not hasattr(method, "__self__"):
        return method
    reference = weakref.WeakMethod(method)

    def call(*outcome: P.args, **named: P.kwargs) -> None:
        if (found := reference()) is not None:
            found(*outcome, **named)

    return call


def _work(future: Future[Any], action: Callable[[], Any]) -> None:
    try:
        # The window loads it on another thread when it starts. Two threads that load different
        # parts of it at once may each find the other's half done: so wait for that, or do it.
        import_module(LOADED_AT_START)
        future.set_result(action())
    except BaseException as error:
        future.set_exception(error)
