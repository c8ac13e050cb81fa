"""`coterie export`: results for other programs."""

import csv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from coterie.core.formats.files.tables import LABEL


def test_the_ending_chooses_the_writer(coterie: Any, project: Path, tmp_path: Path) -> None:
    said = coterie("export", project, "groups", "labels.csv")
    assert (said.code, said.out) == (0, "Wrote labels.csv.\n")
    with (tmp_path / "labels.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0][:4] == ["row", "item", "group", LABEL]
    assert len(rows) == 61
    assert coterie("export", project, "near", "near.graphml").code == 0
    assert ElementTree.parse(tmp_path / "near.graphml").getroot().tag.endswith("graphml")


def test_a_part_another_writer_and_its_parameters(
    coterie: Any, project: Path, tmp_path: Path
) -> None:
    assert coterie("export", project, "groups.trace", "trace.csv").code == 0
    assert (tmp_path / "trace.csv").read_text().startswith("iteration,objective")
    options = ("--writer", "edges", "--set", "minimum=0.5", "--set", "delimiter=,")
    assert coterie("export", project, "near", "near.csv", *options).code == 0
    lines = (tmp_path / "near.csv").read_text().splitlines()
    assert lines[0] == "source,target,weight"
    assert all(float(line.split(",")[2]) > 0.5 for line in lines[1:])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("groups", "labels.odd"), "No writer supports 'labels.odd'. Choose a name ending"),
        (("nothing", "labels.csv"), "The recipe has no step 'nothing'."),
        (("groups.nothing", "labels.csv"), "'groups' has no result yet"),
        (("groups", "g.graphml"), "writer/graphml needs affinity or dataset as input 1."),
        (("groups", "nowhere/labels.csv"), "cannot be written: No such file or directory."),
        (("groups", "labels.csv", "--set", "x"), "'x' has no value."),
        (("groups", "labels.csv", "--set", "x=1"), "writer/csv has no parameter 'x'."),
        (("groups", "labels.csv", "--writer", "cvs"), "There is no method 'writer/cvs'."),
    ],
)
def test_each_mistake_gets_one_line_and_leaves_no_file(
    coterie: Any, project: Path, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    before = set(tmp_path.iterdir())
    said = coterie("export", project, *arguments)
    assert said.code == 1
    assert complaint in said.complaint
    assert set(tmp_path.iterdir()) == before


def test_the_project_itself_is_never_written_over(coterie: Any, project: Path) -> None:
    content = project.read_bytes()
    assert "is an input file" in coterie("export", project, "groups", project).complaint
    assert project.read_bytes() == content


def test_a_recipe_of_all_steps_and_of_those_that_led_to_one(
    coterie: Any, project: Path, tmp_path: Path
) -> None:
    from coterie.projects.recipe.toml import read_recipe

    assert coterie("export", project, "recipe", "-o", "all.toml").code == 0
    whole = read_recipe(tmp_path / "all.toml")
    assert {"near", "groups"} <= set(whole.names)
    assert coterie("export", project, "near", "near.toml").code == 0
    part = read_recipe(tmp_path / "near.toml")
    assert part == whole.leading_to("near")
    assert "groups" not in part.names
    assert part.sources == whole.sources


def test_a_figure_and_a_missing_file_name(coterie: Any, project: Path, tmp_path: Path) -> None:
    assert coterie("export", project, "groups", "groups.png").code == 0
    assert (tmp_path / "groups.png").read_bytes().startswith(b"\x89PNG")
    assert coterie("export", project, "groups.trace", "-o", "trace.svg").code == 0
    assert (tmp_path / "trace.svg").read_text().startswith("<svg")
    assert coterie("export", project, "groups").code == 2
