"""Starts the window: it appears first, everything else follows after one turn of the event loop."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QSettings,
    QSize,
    QSocketNotifier,
    QTimer,
)
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from coterie.core.io.platform.locales import use_neutral_case
from coterie.core.version import VERSION
from coterie.core.wording import counted
from coterie.gui.toolkit.background import LOADED_AT_START, Aside, start_thread
from coterie.gui.toolkit.gc_timer import Garbage
from coterie.gui.toolkit.override_guard import guard_overrides
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.thread_bridge import Bridge

if TYPE_CHECKING:
    from coterie.gui.app.main_window import MainWindow
    from coterie.projects.session import Session
    from coterie.projects.store.recovery import Orphan


def run(arguments: Sequence[str] | None = None, began: float | None = None) -> int:
    """Open a window and stay until the last one is closed; return the exit code."""
    began = time.perf_counter() if began is None else began
    asked = parse(arguments)
    app = make_application(asked.scheme)
    from coterie.gui.app.main_window import MainWindow

    window = MainWindow(session_maker(safe_mode=asked.safe_mode), asked.size)
    window.context.scheme = asked.scheme
    guard = ErrorGuard(app)
    interrupt = Interrupt(app)
    window.show()
    FirstPaint(window.gallery, lambda: _once_seen(window, asked, began))
    try:
        return app.exec()
    finally:
        Readiness.end()
        interrupt.close()
        guard.close()


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line of the window."""
    parser = argparse.ArgumentParser(prog="coterie", description="Open the Coterie window.")
    parser.add_argument("file", nargs="?", type=Path, help="a project, a recipe or data to open")
    parser.add_argument("--sample", metavar="NAME", help="open a built-in sample instead")
    parser.add_argument("--safe-mode", action="store_true", help="load built-in methods only")
    parser.add_argument(
        "--new-window-size", dest="size", type=parse_size, metavar="WxH", help="such as 1280x800"
    )
    parser.add_argument(
        "--scheme",
        choices=["light", "dark"],
        default="",
        help="light or dark, instead of the system's colours",
    )
    parser.add_argument("--version", action="version", version=f"coterie {VERSION}")
    return parser.parse_args(arguments)


def make_application(scheme: theme.Scheme = "") -> QApplication:
    """Return the application, dressed, made now if there is none."""
    guard_overrides()
    QCoreApplication.setOrganizationName("Coterie")
    QCoreApplication.setApplicationName("Coterie")
    QCoreApplication.setApplicationVersion(VERSION)
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(["coterie"])
    use_neutral_case()  # after Qt has taken up the user's language
    Garbage.of_application(app)
    app.setDesktopFileName("coterie")
    stored = QSettings().value("window/scheme")
    if not scheme and stored in ("light", "dark"):
        scheme = "light" if stored == "light" else "dark"
    theme.apply(app, scheme)
    return app


def session_maker(*, safe_mode: bool = False) -> Callable[[], Session]:
    """Return what makes sessions. The session is imported when the first one is made."""

    def make() -> Session:
        from coterie.gui.app.preferences import Preferences
        from coterie.projects.session import Session

        preferences = Preferences.load()
        options = preferences.engine_options(safe_mode=safe_mode)
        session = Session(options=options, quota=preferences.quota_bytes, confined=True)
        session.project.versions = preferences.versions
        session.project.keep = preferences.keep
        return session

    return make


class FirstPaint(QObject):
    """Calls a function once, in the turn after a widget was first painted."""

    def __init__(self, widget: QWidget, then: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget, self._then = widget, then
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the first picture."""
        if event.type() == QEvent.Type.Paint:
            self._widget.removeEventFilter(self)
            QTimer.singleShot(0, self, self._then)
        return False


def _once_seen(window: MainWindow, asked: argparse.Namespace, began: float) -> None:
    """The start page can be used from here on. What the workbench needs is loaded beside it."""
    trace("usable", began)
    if asked.file is not None:  # it is needed in a moment
        Readiness.begin()
    warming = WarmUp(window)

    def go_on(_: object) -> None:
        if asked.sample:
            window.documents.open_sample(asked.sample)
        elif asked.file is not None:
            window.documents.open(asked.file)
        elif window.session is None:
            window.documents.ensure_session()
            offer_recovery(window)
        trace("engine started", began)
        Readiness(window)

    warming.start(go_on)


# What the workbench stands on, and then, the largest, what draws plots: wanted only when there is
# something to draw. Named rather than imported, or a tool takes them for imports nobody uses.
NEEDED_FIRST = (
    "coterie.gui.app.workbench",
    "coterie.projects.store.recovery",
    "coterie.projects.session",
)
NEEDED_LATER = ("coterie.gui.toolkit.plots.plotting", LOADED_AT_START)


_REST_MILLISECONDS = 2000


class WarmUp(QObject):
    """Imports what the workbench needs on another thread, so the start page stays alive."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._bridge = Bridge(lambda: None, self)

    def start(self, then: Callable[[object], None]) -> None:
        """Import, then call `then` on this thread; an import that fails is left to its user."""
        done: Future[None] = Future()

        def load() -> None:
            with suppress(Exception):
                for name in NEEDED_FIRST:
                    import_module(name)
            done.set_result(None)
            with suppress(Exception):
                for name in NEEDED_LATER:
                    import_module(name)
                # What is there by now stays; looking through it for garbage would take the
                # window's thread some 50 ms each time.
                gc.freeze()

        self._bridge.when_done(done, then, lambda _: then(None))
        start_thread(load, "warm-up")


class Readiness(QObject):
    """Keeps a process ready for the next file of a stranger, from when the window has come to rest.

    One that was taken, or has ended, is replaced some seconds later.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_REST_MILLISECONDS)
        self._timer.timeout.connect(self._on_rest)
        self._timer.start()

    @staticmethod
    def begin() -> None:
        """Start the first one; the first picture does not wait for what that imports."""
        from coterie.projects.confined_services import keep_one_ready

        keep_one_ready()

    @staticmethod
    def end() -> None:
        """Leave none behind."""
        from coterie.core.io.confined.starting import SPARE

        SPARE.close()

    def _on_rest(self) -> None:
        from coterie.core.io.confined.starting import SPARE

        if SPARE.kept:
            SPARE.renew()
        else:
            self.begin()


def offer_recovery(window: MainWindow) -> None:
    """Look for work whose window ended without closing, and ask whether to restore it.

    Looking also removes what is not worth restoring, which may be gigabytes: not on this thread.
    """
    from coterie.projects.store.recovery import orphans, unreadable

    aside = Aside(window)

    def on_found(found: tuple[list[Orphan], list[Path]]) -> None:
        _say_unreadable(window, found[1])
        _ask_to_restore(window, found[0], aside)

    aside.ask(lambda: (orphans(), unreadable()), on_found, lambda _: None)


def _say_unreadable(window: MainWindow, found: Sequence[Path]) -> None:
    """Say that there is work which cannot be restored, and where it is."""
    from coterie.gui.toolkit.problems import Problem

    for folder in found:
        window.message_bar.add(
            Problem(
                "Work that was not saved cannot be restored: its autosave is damaged, or from a "
                f"newer Coterie. Its results are in '{folder}', and are deleted after a month."
            )
        )


def _ask_to_restore(window: MainWindow, found: Sequence[Orphan], aside: Aside) -> None:
    if not found:
        return
    from coterie.projects.store.recovery import discard

    orphan = found[0]
    box = QMessageBox(window)
    box.setObjectName("recovery")
    box.setWindowTitle("Restore your work")
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(f"Coterie closed before “{orphan.title}” was saved. Restore it?")
    steps = counted(orphan.steps, "computed step")
    when = datetime.fromisoformat(orphan.modified).astimezone().strftime("%Y-%m-%d %H:%M")
    others = (
        f" {counted(len(found) - 1, 'more project')} will be offered at the next start."
        if found[1:]
        else ""
    )
    box.setInformativeText(f"It has {steps} and was last changed on {when}.{others}")
    restore = box.addButton("Restore", QMessageBox.ButtonRole.AcceptRole)
    forget = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton("Later", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(restore)

    def on_finished(_: int) -> None:
        if box.clickedButton() is restore:
            window.documents.recover(orphan)
        elif box.clickedButton() is forget:
            aside.ask(lambda: discard(orphan.folder), lambda _: None, lambda _: None)
        box.deleteLater()

    box.finished.connect(on_finished)
    box.open()


class ErrorGuard:
    """Shows what nobody caught in the window in front, and never ends the program for it."""

    def __init__(self, app: QApplication) -> None:
        self._app, self._before = app, sys.excepthook
        self._showing = False
        sys.excepthook = self._hook

    def close(self) -> None:
        """Leave errors to Python again."""
        sys.excepthook = self._before

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._before(kind, error, trace)
        if isinstance(error, KeyboardInterrupt):
            leave(self._app)
        elif not self._showing and isinstance(error, Exception):
            self._showing = True  # an error while showing one must not go round in circles
            try:
                self._show(error.with_traceback(trace))
            finally:
                self._showing = False

    def _show(self, error: Exception) -> None:
        from coterie.gui.app.main_window import MainWindow
        from coterie.gui.toolkit.problems import Problem

        active = self._app.activeWindow()
        windows = [w for w in self._app.topLevelWidgets() if isinstance(w, MainWindow)]
        target = active if isinstance(active, MainWindow) else next(iter(windows), None)
        if target is not None:
            target.show_problem(Problem.of_error(error))


class Interrupt(QObject):
    """Lets Ctrl+C in the terminal end the program at once, though Qt waits in C++.

    Python would call a handler between any two instructions, while it takes in a result
    too; the signal is written to a socket instead, which the event loop reads in a turn of its own.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signals)

    def _on_signals(self) -> None:
        if signal.SIGINT in self._read.recv(64):
            leave(self._app)

    def close(self) -> None:
        """Leave Ctrl+C to Python again."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, self._before)
        self._read.close()
        self._write.close()


def leave(app: QApplication) -> None:
    """End the program now; what is not saved is offered at the next start."""
    from coterie.gui.app.main_window import MainWindow

    for window in app.topLevelWidgets():
        if isinstance(window, MainWindow):
            window.leave()
    app.exit(0)


def trace(what: str, began: float) -> None:
    """Say when something of the start was reached, when COTERIE_TRACE=start asks for it."""
    if "start" in os.environ.get("COTERIE_TRACE", "").split(","):
        print(f"{what}: {time.perf_counter() - began:.3f} s", file=sys.stderr, flush=True)


def parse_size(text: str) -> QSize:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1280x800") from None
    return QSize(width, height)


def main() -> Any:
    """Run and leave with the exit code."""
    sys.exit(run())
