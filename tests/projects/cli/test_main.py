"""The `coterie` program: what it starts, what it imports, and how it answers wrong usage."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from coterie.core.io.platform.screen import SCREENS
from coterie.core.version import VERSION
from coterie.projects.cli import main as module
from coterie.projects.cli import window
from coterie.projects.cli.application import app
from coterie.projects.cli.commands import ALIASES, COMMANDS
from coterie.projects.cli.main import asks_for_window, main


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the window was opened with."""
    calls: list[list[str]] = []

    def run(arguments: list[str]) -> int:
        calls.append(arguments)
        return 0

    monkeypatch.setattr(window, "find_window", {"open": run}.__getitem__)
    monkeypatch.setenv("DISPLAY", ":0")
    return calls


def test_version_is_answered_without_heavy_imports() -> None:
    code = (
        "import sys; from coterie.projects.cli.main import main; status = main(['--version'])\n"
        "heavy = {'typer', 'click', 'rich', 'numpy', 'pydantic', 'h5py', 'PySide6', 'pandas'}\n"
        "print(sorted(heavy & set(sys.modules)), status)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert finished.stdout.splitlines() == [f"coterie {VERSION}", "[] 0"]


@pytest.mark.parametrize(
    "start", [["-m", "coterie.projects.cli"], ["-m", "coterie.projects.cli.main"]]
)
def test_the_program_is_a_module_too(start: list[str]) -> None:
    finished = subprocess.run(
        [sys.executable, *start, "--version"], capture_output=True, text=True, check=True
    )
    assert finished.stdout == f"coterie {VERSION}\n"


def test_the_version_may_follow_safe_mode(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--safe-mode", "--version"]) == 0
    assert capsys.readouterr().out == f"coterie {VERSION}\n"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], True),
        (["--safe-mode"], True),
        (["iris.coterie.h5"], True),
        (["./run"], True),
        (["--sample", "spirals"], True),
        (["--scheme=dark"], True),
        (["--safe-mode", "table.csv"], True),
        (["run"], False),
        (["--safe-mode", "methods"], False),
        (["--help"], False),
        (["--version"], False),
        (["methds"], False),
        (["--nonsense"], False),
    ],
)
def test_a_file_or_nothing_opens_the_window(given: list[str], expected: bool) -> None:
    assert asks_for_window(given) is expected


def test_the_window_gets_the_whole_command_line(opened: list[list[str]], tmp_path: Path) -> None:
    file = tmp_path / "table"
    file.touch()
    assert main([str(file), "--safe-mode"]) == 0
    assert main([]) == 0
    assert opened == [[str(file), "--safe-mode"], []]


def test_without_a_screen_the_window_is_refused_in_one_line(
    opened: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    assert main([]) == 1
    assert capsys.readouterr().err.startswith("No display found")
    assert opened == []


def test_a_window_that_is_not_installed_is_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(window, "GROUP", "coterie.no_windows")
    assert main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith("The window cannot be opened: this installation has no entry point")


def test_a_window_without_its_libraries_is_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setitem(sys.modules, "coterie.gui.app.application", None)
    assert main([]) == 1
    assert capsys.readouterr().err.startswith("The window cannot be opened: ")


@pytest.mark.parametrize("name", ["open", "probe"])
def test_the_window_is_found_through_its_entry_point(name: str) -> None:
    assert callable(window.find_window(name))


def test_the_bundle_starts_itself_as_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[str]] = []

    def serve(arguments: list[str]) -> int:
        given.append(arguments)
        return 7

    monkeypatch.setattr("coterie.core.engine.__main__.main", serve)
    assert main(["--engine-process", "--channel=3"]) == 7
    assert given == [["--channel=3"]]


def test_an_engine_can_be_started_that_way(tmp_path: Path) -> None:
    """The window goes away at once, and the engine ends with it."""
    from coterie.core.engine.channel import make_pair

    ours, theirs = make_pair()
    handle = theirs.fileno()
    arguments = [f"--channel={handle}", f"--workspace={tmp_path}", "--memory=1000000000"]
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "coterie.projects.cli",
            "--engine-process",
            *arguments,
            "--workers=1",
        ],
        pass_fds=(handle,),
        start_new_session=True,
    ) as engine:
        theirs.close()
        ours.receive()  # the catalogue
        ours.close()
        engine.wait(timeout=20)


def test_all_commands_are_there_with_help() -> None:
    names = [registered.name for registered in app.registered_commands if not registered.hidden]
    names += [
        group.typer_instance.info.name for group in app.registered_groups if group.typer_instance
    ]
    assert tuple(names) == COMMANDS
    runner = CliRunner()
    assert runner.invoke(app, ["--help"]).exit_code == 0
    for name in COMMANDS:
        result = runner.invoke(app, [name, "--help"])
        assert result.exit_code == 0
        assert name in result.output


def test_the_old_names_of_commands_still_work_and_are_hidden() -> None:
    runner = CliRunner()
    listed = runner.invoke(app, ["--help"]).output
    for old in ALIASES:
        assert runner.invoke(app, [old, "--help"]).exit_code == 0
        assert f" {old} " not in listed


@pytest.mark.parametrize("given", [["methds"], ["--nonsense"], ["show"], ["info"], ["describe"]])
def test_wrong_usage_is_one_line_and_code_2(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(given) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "--help'." in said.err


def test_a_fault_of_our_own_is_one_line_unless_a_trace_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("coterie.projects.cli.commands.methods.read_catalogue", broken)
    monkeypatch.delenv("COTERIE_TRACE", raising=False)
    assert main(["methods"]) == 1
    assert capsys.readouterr().err == (
        "KeyError: 'lost'. This is a bug in Coterie; set COTERIE_TRACE=1 to see the traceback.\n"
    )
    monkeypatch.setenv("COTERIE_TRACE", "1")
    assert main(["methods"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command_line = f"'{sys.executable}' -m coterie.projects.cli sample rings | head -n 1"
    finished = subprocess.run(
        command_line, shell=True, capture_output=True, text=True, check=False, env=os.environ
    )
    assert finished.stdout.startswith("x,y,ring")
    assert finished.stderr == ""


def test_the_installed_script_is_this_program() -> None:
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="coterie")
    assert script.load() is module.main
