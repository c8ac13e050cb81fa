"""The program starts itself, and what it cannot be asked becomes an error that says why."""

from __future__ import annotations

import sys

import pytest

from coterie.projects.cli import subprocesses
from coterie.projects.cli.subprocesses import ask_window, program


def test_a_frozen_program_is_its_own_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert program() == [sys.executable]


def test_the_window_tells_of_its_screen() -> None:
    answer = ask_window("screen", 60, {"QT_QPA_PLATFORM": "offscreen"})
    assert answer["platform"] == "offscreen"
    assert answer["screens"]
    assert answer["OpenGL"]


def test_a_window_that_ends_gives_its_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    dying = [sys.executable, "-c", "import sys; sys.exit('no such platform')"]
    monkeypatch.setattr(subprocesses, "program", lambda: dying)
    with pytest.raises(OSError, match="no such platform"):
        ask_window("screen", 60)
