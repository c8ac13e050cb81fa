"""`coterie compare`: methods side by side."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Three balls in a plane, far from each other."""
    rng = np.random.default_rng(3)
    points = np.repeat([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]], 30, axis=0)
    path = tmp_path / "balls.csv"
    np.savetxt(
        path, points + rng.normal(size=points.shape), delimiter=",", header="x,y", comments=""
    )
    return path


def test_the_candidates_are_printed_with_the_chosen_one_marked(coterie: Any, table: Path) -> None:
    said = coterie("compare", table)
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[1].startswith("3 groups.")
    header = next(line for line in lines if "expected" in line and "method" in line)
    assert header.split() == ["method", "groups", "expected", "agreement", "stability", "sizes"]
    chosen = [line for line in lines if line.startswith("chosen")]
    assert len(chosen) == 1
    assert chosen[0].rstrip().endswith("30, 30, 30")


def test_the_same_as_json_with_steps_to_adopt(coterie: Any, table: Path) -> None:
    said = coterie("compare", table, "--json")
    found = json.loads(said.out)
    assert set(found) == {
        *("title", "verdict", "sentence", "expected"),
        *("candidates", "curve", "left_out", "decided_on"),
    }
    assert found["verdict"] == "sure"
    best = found["candidates"][0]
    assert best["chosen"]
    assert best["groups"] == 3
    assert best["truth"] is None
    assert best["steps"][-1]["use"].startswith("clusterer/")


def test_known_classes_are_compared_with_and_the_project_is_kept(
    coterie: Any, tmp_path: Path
) -> None:
    said = coterie("compare", "three-gaussians", "--json", "-o", "kept.coterie.h5")
    assert said.code == 0, said.err
    assert json.loads(said.out)["candidates"][0]["truth"] > 0.9
    kept = json.loads(coterie("info", tmp_path / "kept.coterie.h5", "--json").out)
    assert "automatic" in [entry["name"] for entry in kept["results"]]


def test_groups_of_a_project_are_compared_with_each_other(
    coterie: Any, recipe: Path, tmp_path: Path
) -> None:
    text = recipe.read_text(encoding="utf-8")
    extra = (
        '[[step]]\nname = "other"\nuse = "clusterer/kmeans"\nof = "scaled"\nparams = { k = 3 }\n'
    )
    recipe.write_text(text + extra, encoding="utf-8")
    assert coterie("run", recipe).code == 0
    project = tmp_path / "small.coterie.h5"
    found = json.loads(coterie("compare", project, "--json").out)
    assert [row["name"] for row in found["groupings"]] == ["groups", "other"]
    assert [row["groups"] for row in found["groupings"]] == [2, 3]
    assert all(sum(row["sizes"]) == 60 for row in found["groupings"])
    agreement = np.array(found["agreement"])
    assert np.allclose(agreement, agreement.T)
    assert np.allclose(np.diag(agreement), 1)
    said = coterie("compare", project)
    assert "Adjusted Rand index of every two" in said.out


def test_a_project_without_groups_and_options_that_do_not_apply(
    coterie: Any, project: Path, tmp_path: Path
) -> None:
    said = coterie("compare", project, "--set", "groups.k=3")
    assert said.code == 2
    assert "leave out -o and --set" in said.complaint
    (tmp_path / "bare.toml").write_text('[data]\nopen = "arcs"\nparams = { n = 20 }\n')
    assert coterie("run", tmp_path / "bare.toml").code == 0
    said = coterie("compare", tmp_path / "bare.coterie.h5")
    assert said.code == 1
    assert "no groups to compare" in said.complaint


def test_data_that_cannot_be_grouped_is_one_line(coterie: Any, tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("x,y\n1,2\n3,4\n")
    said = coterie("compare", path)
    assert said.code == 0
    assert "No groups: there are only 2 items." in said.out
    assert coterie("compare", tmp_path / "none.csv").code == 1
