"""`coterie show`: every kind of artefact on the screen, as CSV and as numpy's file."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.formats.files.tables import LABEL

SHAPES = {
    "data": (60, 2),
    "near": (60, 60),
    "groups": (60,),
    "order": (60,),
    "picture": (60, 2),
    "agreement": (),
}


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("name", [*SHAPES, "groups.trace", "picture.model", "picture.spectrum"])
def test_everything_can_be_printed_and_written_as_csv(
    coterie: Any, project: Path, name: str
) -> None:
    said = coterie("show", project, name)
    assert said.code == 0
    assert len(said.out.splitlines()) >= 2
    table = rows(coterie("show", project, name, "--csv", "-").out)
    assert len(table) >= 2
    assert all(len(row) == len(table[0]) for row in table)


@pytest.mark.parametrize(("name", "shape"), SHAPES.items())
def test_the_main_array_is_written_for_numpy(
    coterie: Any, project: Path, tmp_path: Path, name: str, shape: tuple[int, ...]
) -> None:
    assert coterie("show", project, name, "--npy", "out.npy").code == 0
    assert np.load(tmp_path / "out.npy", allow_pickle=False).shape == shape


def test_csv_and_numpy_agree(coterie: Any, project: Path, tmp_path: Path) -> None:
    assert coterie("show", project, "groups", "--csv", "g.csv", "--npy", "g.npy").code == 0
    table = rows((tmp_path / "g.csv").read_text(encoding="utf-8"))
    assert table[0][:4] == ["row", "item", "group", LABEL]
    assert [int(row[3]) for row in table[1:]] == np.load(tmp_path / "g.npy").tolist()


def test_numbers_in_csv_keep_all_their_digits(coterie: Any, project: Path, tmp_path: Path) -> None:
    coterie("show", project, "picture", "--csv", "p.csv", "--npy", "p.npy")
    table = rows((tmp_path / "p.csv").read_text(encoding="utf-8"))
    written = np.array([[float(cell) for cell in row[2:]] for row in table[1:]])
    np.testing.assert_array_equal(written, np.load(tmp_path / "p.npy"))


def test_a_part_and_a_key_are_found(coterie: Any, project: Path) -> None:
    trace = coterie("show", project, "groups", "--part", "trace", "--csv", "-").out
    assert trace.splitlines()[0] == "iteration,objective,residual,support"
    assert trace == coterie("show", project, "groups.trace", "--csv", "-").out
    results = json.loads(coterie("info", project, "--json").out)["results"]
    key = next(entry["key"] for entry in results if entry["name"] == "groups.trace")
    assert trace == coterie("show", project, key[:12], "--csv", "-").out


def test_the_best_ranked_come_first_on_the_screen(coterie: Any, project: Path) -> None:
    said = coterie("show", project, "order")
    assert [line.split()[1] for line in said.out.splitlines()[3:6]] == ["1", "2", "3"]
    assert "40 more rows" in said.out


def test_missing_values_are_shown_not_refused(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,\n3,4\n", encoding="utf-8")
    (tmp_path / "r.toml").write_text('[data]\nopen = "t.csv"\n', encoding="utf-8")
    assert coterie("run", "r.toml").code == 0
    assert coterie("show", "r.coterie.h5", "data", "--csv", "-").out == "a,b\n1.0,\n3.0,4.0\n"
    assert coterie("show", "r.coterie.h5", "data", "--npy", "d.npy").code == 0
    assert np.isnan(np.load(tmp_path / "d.npy")[0, 1])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nobody"], "has no result 'nobody'. It has data, scaled, near"),
        (["groups", "--part", "soul"], "'groups' has no part 'soul'. It has trace."),
        (["picture.model", "--npy", "m.npy"], "has no single numeric array"),
        (["groups", "--csv", "no/where.csv"], "'no/where.csv': No such file or directory"),
        (["groups", "--csv", "small.coterie.h5"], "is an input file"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(
    coterie: Any, project: Path, arguments: list[str], words: str
) -> None:
    said = coterie("show", project, *arguments)
    assert said.code == 1
    assert words in said.complaint


def test_data_is_no_project(coterie: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n", encoding="utf-8")
    said = coterie("show", "t.csv", "data")
    assert said.code == 1
    assert "'t.csv' is not a Coterie project" in said.complaint


def test_groups_ranked_each_on_its_own_are_shown_side_by_side(coterie: Any, tmp_path: Path) -> None:
    recipe = tmp_path / "own.toml"
    recipe.write_text(
        """
        [data]
        open = "iris"
        [[step]]
        name = "near"
        use = "kernel/gaussian"
        of = "data"
        [[step]]
        name = "groups"
        use = "clusterer/ncut"
        of = "near"
        params = { k = 2 }
        [[step]]
        name = "typical"
        use = "ranker/personalised-pagerank"
        of = ["near", "groups"]
        params = { scope = "within-cluster" }
        """,
        encoding="utf-8",
    )
    project = tmp_path / "own.coterie.h5"
    assert coterie("run", recipe, "-o", project).code == 0
    heading = coterie("show", project, "typical").out.splitlines()[2]
    assert heading.split()[:2] == ["rank", "group"]
    assert "group 1 (" in heading
