"""The self-test goes through all its stages and fails when one of them does."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from coterie.projects.cli import self_test
from coterie.projects.cli.main import main


class Double:
    """Answers as the program would, and fails at one word of a command."""

    def __init__(self, failing: str = "") -> None:
        self.failing = failing
        self.asked: list[list[str]] = []

    def run(
        self, command: Sequence[str], _seconds: float, environment: Any, folder: Path
    ) -> subprocess.CompletedProcess[str]:
        arguments = list(command[list(command).index("coterie.projects.cli") + 1 :])
        again = arguments in self.asked
        self.asked.append(arguments)
        if arguments[0] == self.failing:
            return subprocess.CompletedProcess(command, 1, "", "It was on strike.\n")
        match arguments[0]:
            case "methods":
                names = ["local:self-test", *map(str, range(60))]
                methods = ", ".join(f'{{"kind": "kernel", "id": "{name}"}}' for name in names)
                said = f'{{"methods": [{methods}], "broken": []}}'
            case "run":
                (folder / self_test.PROJECT).touch()
                said = "Wrote it (8 from cache)." if again else "Wrote it (8 computed)."
            case "show":
                (folder / "groups.csv").write_text("label\n" * 151)
                said = ""
            case "classify":
                (folder / "map.tif").touch()
                (folder / "map.accuracy.csv").write_text("class,share\nOverall accuracy,0.93\n")
                said = ""
            case _:
                said = "iris.coterie.h5 is valid: 12 artefacts."
        return subprocess.CompletedProcess(command, 0, said, "")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the window was asked."""
    asked: list[str] = []

    def ask(what: str, *_: Any) -> dict[str, Any]:
        asked.append(what)
        return {"failures": [], "picture": [1280, 800], "shown after": 0.5, "steps": 7}

    monkeypatch.setattr(self_test, "ask_window", ask)
    return asked


def test_all_stages_are_gone_through(
    monkeypatch: pytest.MonkeyPatch, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(self_test, "run", Double().run)
    assert main(["--self-test"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["ok"] * 5
    assert lines[-1] == "All checks passed."
    assert opened == ["sample"]


def test_a_stage_that_fails_is_named_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(self_test, "run", Double("validate").run)
    assert main(["--self-test"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["ok", "ok", "FAILED", "ok", "ok"]
    assert "It was on strike." in lines[3]
    assert opened == ["sample"]


def test_the_quick_one_needs_neither_window_nor_scene(
    monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    double = Double()
    monkeypatch.setattr(self_test, "run", double.run)
    assert main(["--self-test", "--quick"]) == 0
    assert not opened
    assert "classify" not in [arguments[0] for arguments in double.asked]
