"""What the tests of the window share."""

import gc
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QSize
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from coterie.core.engine.options import EngineOptions
from coterie.core.io.folders import plugin_site
from coterie.core.model.recipes import Recipe
from coterie.gui.app.application import make_application
from coterie.gui.app.main_window import MainWindow
from coterie.gui.toolkit.override_guard import guard_overrides
from coterie.gui.toolkit.styling import theme
from coterie.projects.jobs.scheduler import EngineKind
from coterie.projects.session import Session
from tests.gui.prepared import RECIPE, PreparedSession, blobs, solved

NewSession = Callable[..., PreparedSession]
NewWindow = Callable[..., MainWindow]
PATIENCE = 60_000  # milliseconds; a loaded machine is slow, not wrong

# A test may wait this long for anything, unless it says otherwise: what pytest-qt allows is less
# than a busy machine may take.
for _waiting in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed):
    (_waiting.__kwdefaults__ or {})["timeout"] = PATIENCE

guard_overrides()  # as the program does: an error in a method that Qt calls fails a test alone


@pytest.fixture(autouse=True)
def garbage_waits() -> Iterator[None]:
    """Leave garbage for after the test, as the program leaves it for after a turn of its loop.

    Widgets that Python's collector deletes while Qt goes through all of them end the process. An
    application that an earlier test made still looks for garbage by a timer: with limits this high
    it finds nothing to do. Otherwise it may take a view apart before pytest-qt has closed it.
    """
    limits = gc.get_threshold()
    gc.disable()
    gc.set_threshold(1 << 30, 1 << 30, 1 << 30)
    yield
    gc.collect(0)  # what this test made, as nothing was collected meanwhile
    gc.set_threshold(*limits)
    gc.enable()


@pytest.fixture(autouse=True, scope="module")
def no_widget_outlives_its_module() -> Iterator[None]:
    """Collect what the fixtures of a test still held when its garbage was collected."""
    yield
    gc.collect(1)


@pytest.fixture(autouse=True)
def widgets_go_with_their_test() -> Iterator[None]:
    """Delete at once what a test dropped.

    Qt puts `deleteLater` off until an event loop runs, which few tests do. Thousands of dropped
    widgets would gather, and each change of the theme would dress them all again.
    """
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def new_session(tmp_path: Path) -> Iterator[NewSession]:
    """Makes sessions with the results of a recipe, by name."""
    made: list[PreparedSession] = []

    def make(artefacts: Mapping[Any, Any] | None = None, recipe: Recipe | None = None) -> Any:
        root = tmp_path / "prepared"
        root.mkdir(exist_ok=True)
        made.append(PreparedSession(root, artefacts, recipe))
        return made[-1]

    yield make
    for session in made:
        session.close()


@pytest.fixture
def session(new_session: NewSession) -> PreparedSession:
    """A session in which everything has been computed on 300 items in three groups."""
    return new_session(solved(blobs()), RECIPE)


@pytest.fixture
def fresh(new_session: NewSession) -> PreparedSession:
    """A session whose data are open, and nothing more."""
    return new_session({"data": blobs()}, RECIPE)


@pytest.fixture
def iris(tmp_path: Path) -> Iterator[Session]:
    """A real session on the iris sample, with the catalogue of the built-in methods."""
    options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
    session = Session(engine="inprocess", options=options, root=tmp_path)
    session.start()
    _until(session, lambda: bool(session.catalogue.methods))
    session.project.open("iris")
    yield session
    session.close()


@pytest.fixture
def shown(qtbot: QtBot, qapp: QApplication) -> Callable[[QWidget], QWidget]:
    """Shows a widget and drops it after the test."""
    theme.apply(qapp, "light")

    def show(widget: QWidget) -> QWidget:
        qtbot.addWidget(widget)
        widget.show()
        return widget

    return show


@pytest.fixture
def new_window(tmp_path: Path, qtbot: QtBot, qapp: QApplication) -> Iterator[NewWindow]:
    """Makes windows; drop-in plugins come from the folders in COTERIE_PLUGINS.

    Their engine is a thread of the test's process, where the methods are loaded once for all
    tests. It is a process only where plugins that may end it are at hand, or one is asked for.
    """
    make_application("light")
    QSettings().clear()
    made: list[MainWindow] = []

    def make(engine: EngineKind = "inprocess") -> MainWindow:
        root = tmp_path / "workspaces"
        root.mkdir(exist_ok=True)
        folders = [Path(f) for f in os.environ.get("COTERIE_PLUGINS", "").split(os.pathsep) if f]

        def new_session() -> Session:
            options = EngineOptions(plugin_folders=tuple(folders), memory=2 << 30, workers=1)
            kind: EngineKind = "process" if folders else engine
            return Session(engine=kind, options=options, root=root)

        window = MainWindow(new_session, QSize(1280, 800))
        window.show()
        made.append(window)
        return window

    yield make
    for window in made:
        if window.isVisible():
            window.documents.close_session()
            window.close()
        window.deleteLater()
    QSettings().clear()


@pytest.fixture
def window(new_window: NewWindow) -> MainWindow:
    """One window, with the start page."""
    return new_window()


@pytest.fixture
def settle(qtbot: QtBot) -> Callable[[MainWindow], Session]:
    """Waits until the window's session has nothing left to do, and returns the session."""

    def wait(window: MainWindow) -> Session:
        session = window.session
        assert session is not None
        qtbot.waitUntil(lambda: not session.busy, timeout=PATIENCE)
        return session

    return wait


@pytest.fixture
def plugin_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where plugins are installed to; what a test put there is gone after it."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    site = plugin_site()
    yield site
    shutil.rmtree(site, ignore_errors=True)


def _until(session: Session, is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        session.pump()
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("the engine did not answer")
