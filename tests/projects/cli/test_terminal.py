"""Text from files cannot steer a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.projects.cli.terminal import harmless

CLEAR = "\x1b[2J\x1b]0;owned\x07"
BACKWARDS = "\u202e"


def test_no_control_character_is_left() -> None:
    every = "".join(map(chr, range(0x250))) + BACKWARDS
    left = harmless(every)
    assert not set(left) & ({chr(i) for i in (*range(9), *range(11, 32), *range(127, 160))})
    assert BACKWARDS not in left
    assert harmless("a\tb\nc é") == "a\tb\nc é"


def _on_terminal(*arguments: str, folder: Path) -> bytes:
    """Run `coterie` on a terminal of its own; return the bytes that reached it."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "coterie.projects.cli.main", *arguments]
    plain = os.environ | {"TERM": "dumb", "COLUMNS": "120"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=plain
    ) as running:
        os.close(theirs)
        got = b""
        try:
            while piece := os.read(ours, 4096):
                got += piece
        except OSError:  # Linux says so when the other end is closed
            pass
        running.wait(60)
    os.close(ours)
    return got


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_the_names_in_a_recipe_do_not_steer_the_terminal(tmp_path: Path) -> None:
    name = f"a{CLEAR}{BACKWARDS}"
    (tmp_path / f"{name}.toml").write_text("[steps]\nx = 1\n")
    got = _on_terminal("validate", f"{name}.toml", folder=tmp_path)
    assert b"owned" in got  # it is said, as text
    assert b"\x1b[2J" not in got
    assert b"\x1b]0;" not in got
    assert BACKWARDS.encode() not in got


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_an_error_about_a_strange_path_does_not_steer_the_terminal(tmp_path: Path) -> None:
    got = _on_terminal("info", f"none{CLEAR}.coterie.h5", folder=tmp_path)
    assert b"owned" in got
    assert b"\x1b[2J" not in got
    assert b"\x07" not in got
