"""What the tests of the window share."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from coterie.gui.overrides import guard_overrides

guard_overrides()  # as the program does: an error in a method that Qt calls fails a test alone


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
