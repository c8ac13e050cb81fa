"""`coterie sweep`: many settings, one table."""

import csv
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

RECIPE = """\
[data]
open = "arcs"
params = { n = 60 }
[[step]]
name = "near"
use = "kernel/gaussian"
of = "data"
params = { sigma = 0.3 }
[[step]]
name = "groups"
use = "clusterer/njw"
of = "near"
params = { k = 2 }
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(RECIPE)
    return path


def test_a_table_is_printed_with_the_best_marked_and_written(
    coterie: Any, small: Path, tmp_path: Path
) -> None:
    said = coterie(
        "sweep", small, "--step", "groups", "--over", "k=2:4:3", "--score", "nmi", "-o", "t.csv"
    )
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[0].split() == ["k", "metric/nmi"]
    assert [line.split()[0] for line in lines[1:4]] == ["2", "3", "4"]
    assert sum("best" in line for line in lines) == 1
    rows = list(csv.reader((tmp_path / "t.csv").read_text().splitlines()))
    assert rows[0] == ["k", "metric/nmi", "note"]
    assert len(rows) == 4


def test_two_parameters_of_an_earlier_step(coterie: Any, small: Path) -> None:
    over = ("--over", "sigma=0.1:0.4:2:log", "--over", "auto_fraction=1,2")
    said = coterie("sweep", small, "--step", "near", *over, "--score", "groups")
    assert said.code == 0, said.err
    assert len(said.out.splitlines()) == 5


def test_a_map_over_parameters_of_two_steps_is_drawn(
    coterie: Any, small: Path, tmp_path: Path
) -> None:
    over = ("--over", "near.sigma=0.1,0.4", "--over", "groups.k=2,3")
    said = coterie("sweep", small, *over, "--score", "stability", "-o", "m.svg", "-o", "m.csv")
    assert said.code == 0, said.err
    drawn = (tmp_path / "m.svg").read_text()
    assert all(word in drawn for word in ("near.sigma", "groups.k", "Stability"))
    assert (tmp_path / "m.csv").exists()
    wrong = coterie("sweep", small, *over, "--score", "stability", "-o", "m.jpg")
    assert wrong.code == 1
    assert ".svg" in wrong.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--step", "none", "--over", "k=2,3"), "The recipe has no step 'none'."),
        (("--over", "groups.k=2:3"), "Write a range as low:high:count"),
        (("--over", "none.k=2,3"), "The recipe has no step 'none'."),
        (("--step", "groups", "--over", "z=2,3"), "has no parameter 'z'"),
        (("--step", "groups", "--over", "k"), "Write a parameter to vary as"),
        (("--step", "groups", "--over", "k=2,3", "--score", "odd"), "Unknown score 'metric/odd'"),
        (("--step", "groups", "--over", "k=2,3", "-o", "no/t.csv"), "does not exist"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    coterie: Any, small: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    said = coterie("sweep", small, *arguments)
    assert said.code == 1
    assert complaint in said.complaint
