"""`coterie classify` for tables: rows of another file get the groups of the stored models."""

import csv
from pathlib import Path

import numpy as np
import pytest

import coterie
from coterie.projects.cli.main import main

STEPS = """
[[step]]
name = "complete"
use = "transform/impute"
of = "data"
[[step]]
name = "scaled"
use = "transform/standardise"
of = "complete"
[[step]]
name = "groups"
use = "clusterer/kmeans"
of = "scaled"
params = { k = 2 }
[[step]]
name = "similarity"
use = "kernel/gaussian"
of = "scaled"
[[step]]
name = "near"
use = "graph/knn"
of = "similarity"
[[step]]
name = "eigenmap"
use = "embedder/laplacian-eigenmaps"
of = "near"
[[step]]
name = "classes-of-similarity"
use = "classifier/nearest"
of = ["eigenmap", "groups"]
[[step]]
name = "map"
use = "embedder/pca"
of = "scaled"
[[step]]
name = "classes"
use = "classifier/nearest"
of = ["map", "groups"]
"""


def rows(n: int, *, seed: int) -> list[dict[str, str]]:
    """Two kinds of items; every fifth size is missing."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        kind = i % 2
        size = "" if i % 5 == 4 else f"{10 * kind + rng.normal():.3f}"
        colour = ("red", "blue")[kind] if rng.random() < 0.9 else "green"
        cost = f"{100 + 50 * kind + rng.normal():.2f}"
        found.append({"size": size, "colour": colour, "cost": cost, "kind": "ab"[kind]})
    return found


def write(path: Path, table: list[dict[str, str]], names: list[str]) -> Path:
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)
    return path


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    write(folder / "old.csv", rows(60, seed=0), ["size", "colour", "cost"])
    recipe = folder / "kinds.toml"
    recipe.write_text(f'title = "Kinds"\nformat = 2\n[data]\nopen = "old.csv"\n{STEPS}')
    made = folder / "kinds.coterie.h5"
    assert main(["run", str(recipe), "-o", str(made), "--engine", "inprocess"]) == 0
    return made


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def classified(project: Path, table: Path, output: Path, *more: str) -> int:
    return main(
        ["classify", str(project), str(table), "-o", str(output), "--engine", "inprocess", *more]
    )


def test_rows_are_labelled_by_name_and_type_of_their_columns(project: Path, tmp_path: Path) -> None:
    table = rows(40, seed=1)
    # Other order, more columns, a category that was never seen.
    table[0]["colour"] = "violet"
    new = write(tmp_path / "new.csv", table, ["kind", "cost", "colour", "size"])
    more = ("--all-columns", "--step", "classes")
    assert classified(project, new, tmp_path / "out.csv", *more) == 0
    found = read(tmp_path / "out.csv")
    assert len(found) == 40
    groups = {(row["kind"], row["group"]) for row in found}
    assert len(groups) == 2  # each kind is one group


def test_the_engine_process_labels_as_the_engine_in_this_process_does(
    project: Path, tmp_path: Path
) -> None:
    new = write(tmp_path / "new.csv", rows(12, seed=5), ["size", "colour", "cost"])
    assert classified(project, new, tmp_path / "here.csv") == 0
    there = tmp_path / "there.csv"
    assert main(["classify", str(project), str(new), "-o", str(there)]) == 0
    assert there.read_text() == (tmp_path / "here.csv").read_text()


def test_new_rows_are_placed_among_the_similarities_of_known_ones(
    project: Path, tmp_path: Path
) -> None:
    new = write(tmp_path / "new.csv", table := rows(40, seed=6), ["size", "colour", "cost"])
    step = ("--step", "classes-of-similarity")
    assert classified(project, new, tmp_path / "out.csv", *step) == 0
    found = [row["group"] for row in read(tmp_path / "out.csv")]
    group_of = {"a": found[0], "b": found[1]}
    # Rows without a size are between the two kinds.
    known = [at for at, row in enumerate(table) if row["size"]]
    assert all(found[at] == group_of[table[at]["kind"]] for at in known)
    opened = coterie.open(project)["classes-of-similarity"]
    labels = opened.predict(coterie.read(new))
    assert [str(label + 1) for label in np.asarray(labels).tolist()] == found


def test_a_folder_of_tables_is_one_file(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    for name, seed in (("a.csv", 2), ("b.csv", 3)):
        write(folder / name, rows(12, seed=seed), ["size", "colour", "cost"])
    assert classified(project, folder, tmp_path / "out.csv") == 0
    found = read(tmp_path / "out.csv")
    assert [row["file"] for row in found] == ["a.csv"] * 12 + ["b.csv"] * 12
    assert {row["group"] for row in found} == {"1", "2"}
    before = (folder / "b.csv").read_bytes()
    assert classified(project, folder, folder / "b.csv") == 1  # it is one of the tables
    assert (folder / "b.csv").read_bytes() == before


def test_a_table_that_fails_does_not_keep_the_others_from_their_groups(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    write(folder / "a.csv", rows(12, seed=2), ["size", "colour", "cost"])
    write(folder / "b.csv", rows(12, seed=3), ["size", "cost"])
    write(folder / "c.csv", rows(12, seed=4), ["size", "colour", "cost"])
    assert classified(project, folder, tmp_path / "out.csv") == 1
    said = capsys.readouterr().err
    assert "b.csv" in said
    assert "'colour'" in said
    assert [row["file"] for row in read(tmp_path / "out.csv")] == ["a.csv"] * 12 + ["c.csv"] * 12


def test_other_columns_are_refused_by_name(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = write(tmp_path / "new.csv", rows(12, seed=4), ["size", "cost"])
    assert classified(project, new, tmp_path / "out.csv") == 1
    assert "'colour'" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()
    words = [{**row, "cost": f"about {i}"} for i, row in enumerate(rows(12, seed=4))]
    new = write(tmp_path / "words.csv", words, ["size", "colour", "cost"])
    assert classified(project, new, tmp_path / "out.csv") == 1
    assert "'cost'" in capsys.readouterr().err


def test_a_step_without_a_model_is_refused(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = write(tmp_path / "new.csv", rows(12, seed=4), ["size", "colour", "cost"])
    assert classified(project, new, tmp_path / "out.csv", "--step", "groups") == 1
    said = capsys.readouterr().err
    assert "Step 'groups' has no model that can label new items" in said
    assert "classifier/nearest" in said
    assert classified(project, new, tmp_path / "out.csv", "--step", "nosuch") == 1
    assert "has no step 'nosuch'" in capsys.readouterr().err


def test_a_table_is_read_as_the_data_of_the_project_were(project: Path, tmp_path: Path) -> None:
    # What ends in .tab is similarities or a table: the reader of the project decides.
    new = write(tmp_path / "new.tab", rows(12, seed=3), ["size", "colour", "cost"])
    assert classified(project, new, tmp_path / "out.csv") == 0
    assert len(read(tmp_path / "out.csv")) == 12
