"""A real window to be measured: turning its event loop, and seeing what each turn cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from statistics import median

from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from coterie.gui.app.application import NEEDED_FIRST, NEEDED_LATER, make_application, session_maker
from coterie.gui.app.main_window import MainWindow
from coterie.projects.session import Session

INTERVAL = 2  # ms


@dataclass(frozen=True)
class Spent:
    """Milliseconds by the clock, and those that the window's thread worked in that time."""

    wall: float
    work: float


def head(budget: str) -> None:
    """Print what is compared with which limit, above the columns that `hold` fills."""
    print(f"{budget}\n  {'':50} {'work':>22} {'clock':>22} {'limit':>8}", flush=True)


def hold(what: str, taken: Sequence[Spent], limit: float) -> None:
    """Print the median and the spread of what was taken, and whether the limit was held.

    "By work" says that the window itself held it, and that the rest was spent waiting for a
    processor which others used.
    """
    work, wall = ([getattr(one, kind) for one in taken] for kind in ("work", "wall"))
    held = "MISSED"
    if median(work) <= limit:
        held = "held" if median(wall) <= limit else "held by work"
    print(f"  {what:50} {_said(work):>22} {_said(wall):>22} {limit:>5.0f} ms  {held}", flush=True)


def _said(values: Sequence[float]) -> str:
    spread = f" ({min(values):.0f}–{max(values):.0f})" if len(values) > 1 else ""
    return f"{median(values):.1f} ms{spread}"


class Probe(QObject):
    """Asks for a turn of the event loop every 2 ms; the longest wait is the longest stall."""

    def __init__(self) -> None:
        super().__init__()
        self._turns: list[Spent] = []
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_turn)
        self._timer.start(INTERVAL)

    def report(self, what: str, limit: float = 50.0) -> None:
        """Print the turn with the most work and the longest wait for one, and stop."""
        self._timer.stop()
        work = max(turn.work for turn in self._turns)
        hold(what, [Spent(max(turn.wall for turn in self._turns), work)], limit)

    def _on_turn(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self._turns.append(Spent(1e3 * (now - self._last), 1e3 * (worked - self._worked)))
        self._last, self._worked = now, worked


class Redrawing(QObject):
    """Tells when everything that an action concerns has been painted.

    The last picture is painted when the event loop, with no chore left, comes to rest after a paint
    event and none follows within `quiet` seconds.
    """

    def __init__(self, app: QApplication, quiet: float = 0.4) -> None:
        super().__init__(app)
        self._app, self._quiet = app, quiet
        self._painted = False
        self._end: Spent | None = None
        app.installEventFilter(self)
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.aboutToBlock.connect(self._on_rest)

    def after(self, action: Callable[[], object]) -> Spent:
        """Do `action` and return what it took until the last paint it caused was done."""
        self._painted, self._end = False, None
        self._began, self._worked = time.perf_counter(), time.thread_time()
        action()
        loop = QEventLoop()
        QTimer.singleShot(round(1e3 * self._quiet), loop, loop.quit)
        while True:
            loop.exec()
            now = 1e3 * (time.perf_counter() - self._began)
            if self._end is not None and now - self._end.wall >= 900 * self._quiet:
                return self._end
            QTimer.singleShot(round(1e3 * self._quiet), loop, loop.quit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Notice paint events."""
        if event.type() == QEvent.Type.Paint:
            self._painted = True
        return False

    def _on_rest(self) -> None:
        if self._painted:
            self._painted = False
            wall = 1e3 * (time.perf_counter() - self._began)
            self._end = Spent(wall, 1e3 * (time.thread_time() - self._worked))


def open_window() -> tuple[QApplication, MainWindow, Session]:
    """Return a window with an engine that is ready, everything imported, as after a while."""
    app = make_application("light")
    for name in (*NEEDED_FIRST, *NEEDED_LATER):  # as the window does in the background
        import_module(name)
    window = MainWindow(session_maker(), None)
    window.show()
    session = window.documents.ensure_session()
    until(app, lambda: bool(session.catalogue.methods))
    return app, window, session


def close_window(app: QApplication, window: MainWindow) -> None:
    """Close without a question."""
    if window.session is not None:
        window.session.project.modified = False
    window.close()
    rest(app, 0.1)


def until(app: QApplication, condition: Callable[[], bool], seconds: float = 600.0) -> None:
    """Turn the event loop until the condition holds."""
    end = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > end:
            raise TimeoutError("The window did not get there in time.")
        app.processEvents()
        time.sleep(0.0005)


def rest(app: QApplication, seconds: float) -> None:
    """Turn the event loop for so long."""
    end = time.perf_counter() + seconds
    until(app, lambda: time.perf_counter() > end)
