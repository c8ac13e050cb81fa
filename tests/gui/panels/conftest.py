"""Sessions for the panels: real ones, with an engine in this process."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from coterie.core.engine.options import EngineOptions
from coterie.gui.toolkit.styling import theme
from coterie.projects.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session on the iris sample, with the catalogue of the built-in methods."""
    options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
    session = Session(engine="inprocess", options=options, root=tmp_path)
    session.start()
    _until(session, lambda: bool(session.catalogue.methods))
    session.project.open("iris")
    yield session
    session.close()


@pytest.fixture
def ran(session: Session) -> Session:
    """The same session, everything computed."""
    session.run()
    session.wait(60)
    return session


@pytest.fixture
def shown(qtbot: QtBot, qapp: QApplication) -> Callable[[QWidget], QWidget]:
    """Shows a widget and drops it after the test."""
    theme.apply(qapp, "light")

    def show(widget: QWidget) -> QWidget:
        qtbot.addWidget(widget)
        widget.show()
        return widget

    return show


def _until(session: Session, is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        session.pump()
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("the engine did not answer")
