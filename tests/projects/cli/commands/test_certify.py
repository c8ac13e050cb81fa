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


RECIPE = """format = 2
title = "Games"
[data]
open = "arcs"
params = {n = 40}
[[step]]
name = "narrow"
use = "kernel/gaussian"
of = "data"
params = {sigma = 0.15}
[[step]]
name = "wide"
use = "kernel/gaussian"
of = "data"
params = {sigma = 0.5}
[[step]]
name = "tree"
use = "clusterer/dominant-hierarchy"
of = "narrow"
[[step]]
name = "both"
use = "clusterer/multi-affinity"
of = ["narrow", "wide"]
[[step]]
name = "triples"
use = "clusterer/hypergraph"
of = "wide"
[[step]]
name = "lines"
use = "clusterer/hypergraph"
of = "data"
params = {max_triples = 1000}
"""


def checked(folder: Path, project: Path, coterie: Any, *steps: str) -> list[str]:
    """What the script of the page says of each set, with the similarities of some steps."""
    page = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    assert len(code.splitlines()) <= 50
    script = folder / "check.py"
    script.write_text(code, encoding="utf-8")
    files = [folder / f"{step}.npy" for step in steps]
    for step, file in zip(steps, files, strict=True):
        coterie("show", project, step, "--npy", file)
    said = subprocess.run(
        [sys.executable, script, folder / "certificate.json", *files],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return [line.split(maxsplit=2)[-1] for line in said if line]


def test_each_set_is_certified_and_the_script_of_the_page_agrees(
    coterie: Any, project: Path, tmp_path: Path
) -> None:
    said = coterie("certify", project, "groups", "-o", tmp_path / "certificate.json")
    assert said.code == 0, said.err
    assert "holds" in said.out
    found = json.loads((tmp_path / "certificate.json").read_text())
    assert found["holds"]
    assert checked(tmp_path, project, coterie, "similarity") == ["right"] * len(found["sets"])


def test_the_other_games_are_certified_too_and_the_script_agrees(
    coterie: Any, tmp_path: Path
) -> None:
    recipe, path = tmp_path / "games.toml", tmp_path / "games.coterie.h5"
    recipe.write_text(RECIPE, encoding="utf-8")
    said = coterie("run", recipe, "-o", path)
    assert said.code == 0, said.err
    certificate = tmp_path / "certificate.json"
    for step, given in (("tree", ["narrow"]), ("both", ["narrow", "wide"]), ("triples", ["wide"])):
        said = coterie("certify", path, step, "-o", certificate)
        assert said.code == 0, said.err + said.out
        found = json.loads(certificate.read_text())
        assert found["sets"]
        assert {one["verdict"] for one in found["sets"]} == {"holds"}
        assert checked(tmp_path, path, coterie, *given) == ["right"] * len(found["sets"])
        # A member that is given away to those outside is missed.
        found["sets"][0]["members"].pop()
        found["sets"][0]["shares"].pop()
        certificate.write_text(json.dumps(found))
        assert checked(tmp_path, path, coterie, *given)[0] != "right"
    said = coterie("certify", path, "lines", "-o", certificate)
    assert said.code == 0, said.err + said.out
    assert {one["game"]["compared"] for one in json.loads(certificate.read_text())["sets"]} == {19}


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
