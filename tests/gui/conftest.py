"""What the tests of the window share."""

import gc
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from coterie.gui.overrides import guard_overrides

guard_overrides()  # as the program does: an error in a method that Qt calls fails a test alone


@pytest.fixture(autouse=True)
def garbage_waits() -> Iterator[None]:
    """Leave garbage for after the test, as the program leaves it for after a turn of its loop.

    Widgets that Python's collector deletes while Qt goes through all of them end the process.
    """
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def widgets_go_with_their_test() -> Iterator[None]:
    """Delete at once what a test dropped.

    Qt puts `deleteLater` off until an event loop runs, which few tests do. Thousands of dropped
    widgets would gather, and each change of the theme would dress them all again.
    """
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(scope="session")
def doubles() -> Any:
    """The module of make-believe sessions, data and runs beside this file."""
    spec = importlib.util.spec_from_file_location("doubles", Path(__file__).parent / "doubles.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def session(doubles: Any) -> Any:
    """A session in which everything has been computed on 300 items in three groups."""
    return doubles.FakeSession(doubles.solved(doubles.blobs()), doubles.RECIPE)


@pytest.fixture
def fresh(doubles: Any) -> Any:
    """A session whose data are open, and nothing more."""
    return doubles.FakeSession({"data": doubles.blobs()}, doubles.RECIPE)
