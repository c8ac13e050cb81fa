"""The one place that crosses from other threads into Qt.

The engine's reader thread only says that there is news; the owner of the session, the GUI thread,
then fetches all of it at once. However often news arrives, at most one fetch is queued.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal


class Bridge(QObject):
    """Calls `pump` on the thread that made the bridge, soon after `notify` on any other."""

    _news = Signal()
    _call = Signal(object)

    def __init__(self, pump: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pump = pump
        self._lock = threading.Lock()
        self._queued = self._closed = False
        self._news.connect(self._on_news, Qt.ConnectionType.QueuedConnection)
        self._call.connect(self._on_call, Qt.ConnectionType.QueuedConnection)

    def notify(self) -> None:
        """Say, from any thread, that there is news."""
        with self._lock:
            if self._queued or self._closed:
                return
            self._queued = True
            self._news.emit()

    def when_done(
        self,
        future: Future[Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Hand the outcome of work on another thread to one of two functions, on this one."""

        def on_done(finished: Future[Any]) -> None:
            with self._lock:
                if not self._closed:
                    self._call.emit(lambda: _hand_over(finished, done, failed))

        future.add_done_callback(on_done)

    def close(self) -> None:
        """Hear of nothing more, and let go of whom the news were for."""
        with self._lock:
            self._closed = True
        self._pump = _nobody

    def _on_news(self) -> None:
        # Cleared first: news that arrives while pumping queues one more fetch.
        with self._lock:
            self._queued = False
            if self._closed:
                return
        self._pump()

    def _on_call(self, call: Callable[[], None]) -> None:
        if not self._closed:
            call()


def _nobody() -> None:
    """Fetch nothing."""


def _hand_over(
    finished: Future[Any],
    done: Callable[[Any], None],
    failed: Callable[[BaseException], None],
) -> None:
    error = finished.exception()
    if error is None:
        done(finished.result())
    else:
        failed(error)
