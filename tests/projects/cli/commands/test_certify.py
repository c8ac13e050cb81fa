"""`coterie certify`, and the script in the documentation that checks what it prints."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def project(coterie: Any, tmp_path: Path) -> Path:
    path = tmp_path / "arcs.coterie.h5"
    said = coterie("run", "arcs", "-o", path)
    assert said.code == 0, said.err
    return path


def test_each_set_is_certified_and_the_script_of_the_page_agrees(
    coterie: Any, project: Path, tmp_path: Path
) -> None:
    said = coterie("certify", project, "groups", "-o", tmp_path / "certificate.json")
    assert said.code == 0, said.err
    assert "holds" in said.out
    found = json.loads((tmp_path / "certificate.json").read_text())
    assert found["holds"]
    coterie("show", project, "similarity", "--npy", tmp_path / "similarity.npy")
    page = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    script = tmp_path / "check.py"
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    script.write_text(code, encoding="utf-8")
    assert len(code.splitlines()) <= 50
    checked = subprocess.run(
        [sys.executable, script, tmp_path / "certificate.json", tmp_path / "similarity.npy"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    assert [line.split()[-1] for line in checked if line] == ["right"] * len(found["sets"])


def test_chosen_items_that_are_no_set_end_with_exit_code_1(coterie: Any, project: Path) -> None:
    said = coterie("certify", project, "similarity", "--items", "1,2,3", "--json")
    assert said.code == 1
    found = json.loads(said.out)["sets"][0]
    assert found["verdict"] == "fails"
    assert found["members"] == [0, 1, 2]


def test_wrong_questions_are_answered_in_one_line(coterie: Any, project: Path) -> None:
    for arguments in (("data",), ("groups", "--items", "1,2"), ("similarity", "--items", "a")):
        said = coterie("certify", project, *arguments)
        assert said.code in (1, 2)
        assert len(said.err.strip().splitlines()) == 1


def test_items_are_counted_from_1_in_what_is_refused_too(coterie: Any, project: Path) -> None:
    for items, wrong in (("1,99999", "99999"), ("0,1", "0")):
        said = coterie("certify", project, "similarity", "--items", items)
        assert said.code == 1
        assert f"There is no item {wrong}. Items are counted from 1 to " in said.complaint
