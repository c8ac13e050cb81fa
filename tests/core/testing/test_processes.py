"""A plugin that hangs, crashes or cannot be imported is a verdict; whoever asked goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from coterie.core.errors import PluginError
from coterie.core.testing import Finding
from coterie.core.testing.processes import check_plugin
from tests.refusals import refuses

MODULE = '''
import os
import numpy as np
from coterie.core import Kernel, hookimpl

class Crash(Kernel):
    """It ends the process that it runs in."""
    id, title = "crash", "Crash"
    def compute(self, data, *, params, context):
        os.abort()

class Hang(Kernel):
    """It works for ever and never looks up."""
    id, title = "hang", "Hang"
    def compute(self, data, *, params, context):
        while True:
            pass

@hookimpl
def coterie_kernels():
    return [Crash, Hang]
'''


def test_a_crash_and_a_hang_are_findings_and_the_rest_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "evil.py"
    file.write_text(MODULE, encoding="utf-8")
    heard: list[Finding] = []
    verdict = check_plugin(str(file), patience=0.5, heard=heard.append)
    assert not verdict.passed
    assert tuple(heard) == verdict.findings
    crash, hang = verdict.failures
    assert (crash.component, hang.component) == ("kernel/local:crash", "kernel/local:hang")
    assert crash.what.startswith("it ended the process (SIGABRT) in compute, line 10")
    assert hang.what == "it did not end within 0 s"
    # What needs no run was checked all the same; the rest is said to be not tried.
    passed = [f.component for f in verdict.findings if f.outcome == "passed"]
    assert passed.count("kernel/local:hang") >= 3
    assert any(f.what == "it hung or crashed before" for f in verdict.findings)


@pytest.mark.parametrize(
    ("source", "what"),
    [("import os; os._exit(3)", "exit code 3"), ("import nonsense", "No module named 'nonsense'")],
)
def test_one_that_cannot_be_imported_is_a_finding(tmp_path: Path, source: str, what: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(source, encoding="utf-8")
    verdict = check_plugin(str(file), patience=20)
    assert verdict.failures[0].check == "loads"
    assert what in verdict.failures[0].what


def test_a_neighbour_that_is_called_as_a_library_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "flat.py"
    source = MODULE.replace("[Crash, Hang]", "[]")
    file.write_text(source, encoding="utf-8")
    (tmp_path / "random.py").write_text("raise SystemExit(1)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "ended the process" not in str(check_plugin("flat.py").findings)


def test_what_is_not_there_is_an_error_in_words() -> None:
    with refuses("invalid-plugin", PluginError, match="'nosuch'"):
        check_plugin("nosuch")


HANGING = '''
import pathlib
from coterie.core import Kernel, hookimpl

class Hang(Kernel):
    """It works for ever and never looks up."""
    id, title = "hang", "Hang"
    def compute(self, data, *, params, context):
        pathlib.Path(__file__).with_name("runs").touch()
        while True:
            pass

@hookimpl
def coterie_kernels():
    return [Hang]
'''


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_a_check_that_is_killed_leaves_neither_folder_nor_process(tmp_path: Path) -> None:
    file, temporary = tmp_path / "hanging.py", tmp_path / "temporary"
    file.write_text(HANGING, encoding="utf-8")
    temporary.mkdir()
    command = [sys.executable, "-m", "coterie.projects.cli", "plugin", "check", str(file)]
    asking = subprocess.Popen(
        command, env=os.environ | {"TMPDIR": str(temporary)}, stdout=subprocess.DEVNULL
    )
    try:
        _wait_until((tmp_path / "runs").exists)
        assert any(temporary.iterdir())
        [checking] = _children_of(asking.pid)
    finally:
        asking.send_signal(signal.SIGKILL)
        asking.wait()
    _wait_until(lambda: not any(temporary.iterdir()))
    _wait_until(lambda: not _runs(checking))


@pytest.mark.parametrize("scratch", [False, True])
def test_a_closed_input_ends_the_check_and_removes_only_what_was_named_for_it(
    tmp_path: Path, scratch: bool
) -> None:
    file, mine = tmp_path / "hanging.py", tmp_path / "mine"
    file.write_text(HANGING, encoding="utf-8")
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work", encoding="utf-8")
    named = tmp_path / "scratch"
    named.mkdir()
    command = [sys.executable, "-m", "coterie.core.testing", str(file)]
    command += [f"--report={mine / 'report'}", *([f"--scratch={named}"] if scratch else [])]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True) as checking:
        assert checking.wait(60) != 0
    assert (mine / "thesis.txt").exists()
    assert named.exists() is not scratch


def _wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(3000):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come about within a minute")


def _children_of(pid: int) -> list[int]:
    listings = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for listing in listings for word in listing.read_text().split()]


def _runs(pid: int) -> bool:
    """Whether the process lives; one that ended and that nobody waits for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
