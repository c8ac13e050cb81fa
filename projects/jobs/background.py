"""Runs work on a background thread and returns the outcome to the thread of the session."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class BackgroundThread:
    """One thread for file work, and a queue of what the owner's thread is to do afterwards.

    `notify` is called, from any thread, when the owner should call `pump`.
    """

    def __init__(self) -> None:
        self.notify: Callable[[], None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="coterie-files")
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._woken = threading.Event()
        self._under_way: set[str] = set()

    @property
    def busy(self) -> bool:
        """Whether work is under way whose outcome the owner has not taken in."""
        return bool(self._under_way)

    def is_doing(self, what: str) -> bool:
        """Return whether work of that name is under way."""
        return what in self._under_way

    def do(self, what: str, action: Callable[[], T], then: Callable[[T], None]) -> Future[T]:
        """Do `action` in the background, then `then` with its result on the owner's thread.

        A failure is in the future that is returned; `then` is not called.
        """
        self._under_way.add(what)
        future = self._thread.submit(action)

        def take_in() -> None:
            self._under_way.discard(what)
            if future.exception() is None:
                then(future.result())

        def hand_back(_: Future[T]) -> None:
            self._calls.put(take_in)
            self.wake()

        future.add_done_callback(hand_back)
        return future

    def do_quietly(self, action: Callable[[], object]) -> None:
        """Do something in the background that nobody waits for."""
        self._thread.submit(action)

    def wake(self) -> None:
        """Tell the owner that there is something to take in."""
        self._woken.set()
        if self.notify is not None:
            self.notify()

    def wait(self, seconds: float) -> None:
        """Wait until there is something to take in, or the time is up."""
        self._woken.wait(seconds)

    def pump(self) -> None:
        """Take in the outcome of what is done."""
        self._woken.clear()
        while not self._calls.empty():
            self._calls.get()()

    def close(self, last: Callable[[], object]) -> None:
        """Finish what is under way, do one last thing, and end the thread."""
        self._thread.submit(last).result()
        self._thread.shutdown(wait=True)
