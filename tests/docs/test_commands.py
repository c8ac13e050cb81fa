"""Every command in the documentation is executed, or is one that the developer script knows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from coterie.projects.cli import session_runner
from coterie.projects.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
# These follow their page from top to bottom in tests of their own.
OWN_TESTS = {"docs/command-line.md", "docs/satellite.md", "docs/plugins.md"}
# Of other programs, which need not be installed here.
OTHERS = ("h5ls", "h5dump", "pip", "sudo")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(page: Path) -> list[list[str]]:
    """The commands of a page, without comments."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines()]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


FOLLOWED = [
    page
    for page in PAGES
    if page.relative_to(ROOT).as_posix() not in OWN_TESTS
    and any(words[0] == "coterie" for words in commands(page))
]


@pytest.mark.slow
@pytest.mark.parametrize("page", FOLLOWED, ids=lambda page: page.name)
def test_the_commands_of_a_page_can_be_followed(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(session_runner, "ENGINE", "inprocess")
    monkeypatch.chdir(tmp_path)
    for program, *arguments in commands(page):
        if program != "coterie":
            continue
        if arguments[0] == "run":
            arguments += ["--engine", "inprocess"]
        assert main(arguments) == 0, f"{arguments}\n{capsys.readouterr().err}"


def test_commands_of_the_developer_script_exist() -> None:
    said = subprocess.run(
        [sys.executable, ROOT / "dev"], capture_output=True, text=True, check=True
    ).stdout
    known = set(re.findall(r"^    (\w+)", said, re.MULTILINE))
    assert {"run", "test", "docs", "bundle"} <= known
    for page in PAGES:
        for program, *arguments in commands(page):
            assert program in ("coterie", "./dev", *OTHERS), f"{page.name}: {program}"
            if program == "./dev":
                assert arguments[0] in known, f"{page.name}: ./dev {arguments[0]}"
