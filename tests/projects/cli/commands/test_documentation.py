"""Every command in docs/command-line.md does what the page says."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from coterie.projects.cli.commands import COMMANDS

PAGE = Path(__file__).parents[4] / "docs" / "command-line.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_page_can_be_followed_from_top_to_bottom(coterie: Any, tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    used = set()
    for language, content in BLOCK.findall(text):
        if language == "toml":
            (tmp_path / "groups.toml").write_text(content, encoding="utf-8")
        if language != "sh":
            continue
        for line in content.splitlines():
            expected = 1 if "# exit code 1" in line else 0
            program, *arguments = shlex.split(line, comments=True)
            assert program == "coterie"
            said = coterie(*arguments)
            assert said.code == expected, f"{line}\n{said.err}"
            used.add(arguments[0])
    assert used == set(COMMANDS)
