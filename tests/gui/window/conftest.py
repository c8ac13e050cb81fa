"""Real windows on real engine processes."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coterie.core.engine.options import EngineOptions
from coterie.core.folders import plugin_site
from coterie.gui.application import make_application
from coterie.gui.main_window import MainWindow
from coterie.projects.session import Session

NewWindow = Callable[..., MainWindow]
PATIENCE = 60_000  # milliseconds; a loaded machine is slow, not wrong


@pytest.fixture
def new_window(tmp_path: Path, qtbot: QtBot, qapp: QApplication) -> Iterator[NewWindow]:
    """Makes windows; drop-in plugins come from the folders in COTERIE_PLUGINS."""
    make_application("light")
    QSettings().clear()
    made: list[MainWindow] = []

    def make() -> MainWindow:
        root = tmp_path / "workspaces"
        root.mkdir(exist_ok=True)
        folders = [Path(f) for f in os.environ.get("COTERIE_PLUGINS", "").split(os.pathsep) if f]

        def new_session() -> Session:
            options = EngineOptions(plugin_folders=tuple(folders), memory=2 << 30, workers=1)
            return Session(options=options, root=root)

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
