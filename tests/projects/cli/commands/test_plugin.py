"""`coterie plugin new` and `coterie plugin check`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from coterie.core.io.folders import plugin_folders
from coterie.projects.cli import session_runner


def test_a_new_package_passes_its_check(coterie: Any, tmp_path: Path) -> None:
    said = coterie("plugin", "new", "mykernel")
    assert said.code == 0
    assert "kernel/mykernel:mykernel" in said.out
    checked = coterie("plugin", "check", tmp_path / "mykernel", "--json")
    assert checked.code == 0
    verdict = json.loads(checked.out)
    assert verdict["passed"] is True
    assert {finding["component"] for finding in verdict["findings"]} == {
        "plugin",
        "kernel/mykernel:mykernel",
    }
    assert {"component", "check", "promise", "outcome", "what", "advice", "traceback"} <= {
        *verdict["findings"][0]
    }
    assert coterie("plugin", "new", "mykernel").complaint.endswith("another folder with --into.")


def test_a_single_file_goes_to_the_plugin_folder_and_is_listed(
    coterie: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # a folder that no other test looks into
    said = coterie("plugin", "new", "leaders", "--kind", "clusterer", "--single-file")
    file = plugin_folders()[0] / "leaders.py"
    assert said.code == 0
    assert str(file) in said.out
    assert "clusterer/local:leaders" in coterie("methods", "--kind", "clusterer").out


def test_a_fault_is_one_line_that_says_what_to_do(coterie: Any, tmp_path: Path) -> None:
    coterie("plugin", "new", "noisy", "--single-file", "--into", tmp_path)
    file = tmp_path / "noisy.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("        n = len(X)\n", "        n = len(X)\n        print(n)\n"))
    said = coterie("plugin", "check", file)
    assert said.code == 1
    [line] = [line for line in said.out.splitlines() if "✗" in line]
    assert line.startswith("  ✗ it prints nothing: it printed '24'. Use context.progress(")
    assert said.out.splitlines()[-1].endswith("1 broken.")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("new", "x", "--kind", "kernal"), 2, "Unknown kind 'kernal'"),
        (("new", "a b"), 1, "A plugin name may contain letters"),
        (("new", "numpy"), 1, "is already installed"),
        (("new",), 2, "See 'coterie plugin new --help'."),
        (("check", "nosuch"), 1, "There is no plugin 'nosuch'."),
        ((), 2, "See 'coterie plugin --help'."),
    ],
)
def test_mistakes_are_one_line(
    coterie: Any, arguments: tuple[str, ...], code: int, words: str
) -> None:
    said = coterie("plugin", *arguments)
    assert said.code == code
    assert words in said.complaint


def test_tracing_hooks_tells_them_on_stderr(coterie: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    coterie("methods")  # the catalogue is kept now, and yet hooks are asked
    monkeypatch.setenv("COTERIE_TRACE", "hooks")
    said = coterie("methods", "--kind", "kernel")
    assert said.code == 0
    assert "coterie.plugins.kernels.gaussian offers [Gaussian]" in said.err
    assert "offers" not in said.out


def test_hooks_are_told_by_the_engine_that_asks_them(
    coterie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    coterie("methods")
    monkeypatch.setenv("COTERIE_TRACE", "hooks")
    monkeypatch.setattr(session_runner, "ENGINE", "process")
    assert (
        "coterie.plugins.kernels.gaussian offers [Gaussian]"
        in coterie("methods", "--kind", "kernel").err
    )
