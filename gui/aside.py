"""Works out what a view shows on a thread, so that the window never waits for it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from coterie.gui.bridge import Bridge

T = TypeVar("T")


class Aside:
    """One piece of work at a time; of those asked for meanwhile only the newest is done.

    The thread lives no longer than its work, whose outcome goes nowhere once `owner` is gone.
    """

    def __init__(self, owner: QObject) -> None:
        self._bridge = Bridge(lambda: None, owner)
        self._next: Callable[[], None] | None = None
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
        threading.Thread(target=_work, args=(future, action), name="picture", daemon=True).start()

    def _go_on(self) -> None:
        self.busy = False
        following, self._next = self._next, None
        if following is not None:
            following()


def _not_holding(method: Callable[[T], None]) -> Callable[[T], None]:
    """The same method, without keeping the widget it belongs to until the work is done."""
    if not hasattr(method, "__self__"):
        return method
    reference = weakref.WeakMethod(method)

    def call(outcome: T) -> None:
        if (found := reference()) is not None:
            found(outcome)

    return call


def _work(future: Future[Any], action: Callable[[], Any]) -> None:
    try:
        future.set_result(action())
    except BaseException as error:
        future.set_exception(error)
