"""A session that a command drives: started, waited for with a time limit, and closed."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from coterie.core.engine.client import MOST_FALSE_STARTS, START_PATIENCE
from coterie.core.errors import Cancelled, EngineError
from coterie.core.io import clock
from coterie.core.io.tracing import HOOKS, MARK, is_traced

if TYPE_CHECKING:
    from concurrent.futures import Future

    from coterie.core.catalogue.descriptors import Catalogue
    from coterie.core.engine.options import EngineOptions
    from coterie.projects.jobs.scheduler import EngineKind
    from coterie.projects.session import Session

T = TypeVar("T")

ENGINE: EngineKind = "process"
# The engine is killed when a plugin hangs while it is loaded, and started again without that one.
# Whoever gave up before would meet the same plugin at every start.
START_SECONDS = START_PATIENCE * (MOST_FALSE_STARTS + 1)
GLANCE = 0.02
QUIET = 0.5  # seconds without a line of the engine, after which there will be none


class Work:
    """A session and what was heard of its engine; `keep` leaves its workspace for recovery."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.keep = False
        self.interrupted = False
        self._cancelled = False
        self._began = clock.seconds()
        self._ready = False
        self._stopped = False
        self._last_line = ""
        self._heard = self._began
        session.engine_changed.connect(self._on_engine)
        session.logged.connect(self._on_line)

    def check(self) -> None:
        """Raise when Ctrl-C was pressed, for work that is not the session's."""
        if self.interrupted:
            raise Cancelled

    def until(self, is_done: Callable[[], bool]) -> None:
        """Let the session work until `is_done`; raise when its engine does not start."""
        self.session.pump()
        while not is_done():
            if self.interrupted and not self._cancelled:
                self._cancelled = True
                self.session.cancel()
                if not self.session.busy:
                    raise Cancelled
            if self._stopped:
                raise EngineError(
                    self._last_line or "The engine did not start. Try --safe-mode.",
                    code="engine-start",
                )
            if not self._ready and clock.seconds() - self._began > START_SECONDS:
                raise EngineError(
                    f"The engine did not start within {START_SECONDS:.0f} seconds. A "
                    "plugin may hang while loading: try --safe-mode.",
                    code="engine-start",
                )
            if self.session.busy:
                self.session.wait(0.1)
            else:
                time.sleep(GLANCE)
                self.session.pump()

    def await_methods(self) -> None:
        """Wait until it is known which methods there are."""
        self.until(lambda: bool(self.session.catalogue.methods))

    def await_engine(self) -> None:
        """Wait until the engine has loaded its methods, so steps are timed without that."""
        self.until(lambda: self._ready)

    def await_hooks(self) -> None:
        """Wait until the engine has asked all hooks, and its report of them has arrived."""
        self.await_engine()
        self._heard = clock.seconds()  # its lines come by another way than its catalogue
        while clock.seconds() - self._heard < QUIET:
            time.sleep(GLANCE)
            self.session.pump()

    def finish(self) -> None:
        """Let the session work until nothing is left to do."""
        self.until(lambda: not self.session.busy)

    def result_of(self, asked: Future[T]) -> T:
        """Let the session work until nothing is left to do, and return what was asked of it."""
        self.finish()
        return asked.result()

    def _on_engine(self, state: str) -> None:
        self._ready = self._ready or state == "ready"
        self._stopped = state == "stopped"

    def _on_line(self, line: str) -> None:
        if line.startswith(MARK) and is_traced(HOOKS):
            print(line, file=sys.stderr)
        self._last_line = line
        self._heard = clock.seconds()


@contextmanager
def working(options: EngineOptions, engine: EngineKind | None = None) -> Iterator[Work]:
    """Start a session, and close it whatever happens."""
    from coterie.projects.session import Session

    session = Session(engine=engine or ENGINE, options=options)
    work = Work(session)
    try:
        session.start()
        with _polite_interrupts(work):
            yield work
    finally:
        session.close(keep_work=work.keep)


def read_catalogue(options: EngineOptions) -> Catalogue:
    """Return the catalogue: the one on disk if it is still right, otherwise the engine's."""
    from coterie.core.catalogue.cache import CatalogueCache

    kept = CatalogueCache(
        options.catalogue_file, options.plugin_folders, safe_mode=options.safe_mode
    ).read()
    if kept is not None and not is_traced(HOOKS):  # hooks are called by an engine only
        return kept
    with working(options) as work:
        if is_traced(HOOKS):
            work.await_hooks()
        work.await_methods()
        return work.session.catalogue


@contextmanager
def _polite_interrupts(work: Work) -> Iterator[None]:
    """Let the first Ctrl-C cancel what runs, and the second one end the program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def on_interrupt(_number: int, _frame: FrameType | None) -> None:
        if work.interrupted:
            raise KeyboardInterrupt
        work.interrupted = True

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
