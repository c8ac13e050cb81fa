"""`coterie classify` for tables: rows of another file get the groups of the stored models."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coterie
from coterie.core import Context, DataError
from coterie.core.engine import label_items, label_parts
from coterie.core.engine.dask.pool import DaskExecutor
from coterie.core.formats.files import parquet_parts
from coterie.projects.cli.main import main
from tests.core.engine.clusters import cluster
from tests.core.formats.files.damaged import damage

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


OF_SIMILARITIES = {
    "gower": ("kernel/gower", "data", "embedder/kernel-pca"),
    "joint": ("kernel/gower", "data", "embedder/joint"),
    "near": ("graph/knn", "scaled", "embedder/laplacian-eigenmaps"),
    "learned": ("kernel/probabilistic-cluster", "scaled", "embedder/kernel-pca"),
    "tsne": ("kernel/gaussian", "scaled", "embedder/tsne"),
}


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a classifier of each of these embeddings."""
    folder = tmp_path_factory.mktemp("embedded")
    write(folder / "old.csv", rows(60, seed=0), ["size", "colour", "cost"])
    steps = STEPS.partition('[[step]]\nname = "similarity"')[0]
    for name, (similar, of, embedder) in OF_SIMILARITIES.items():
        for step, use, first in (
            (f"{name}-similar", similar, f'"{of}"'),
            (f"{name}-map", embedder, f'"{name}-similar"'),
            (name, "classifier/nearest", f'["{name}-map", "groups"]'),
        ):
            steps += f'[[step]]\nname = "{step}"\nuse = "{use}"\nof = {first}\n'
    recipe = folder / "maps.toml"
    recipe.write_text(f'title = "Maps"\nformat = 2\n[data]\nopen = "old.csv"\n{steps}')
    made = folder / "maps.coterie.h5"
    assert main(["run", str(recipe), "-o", str(made), "--engine", "inprocess"]) == 0
    return made


@pytest.mark.parametrize("step", OF_SIMILARITIES)
def test_every_embedding_of_similarities_has_places_for_new_rows(
    embedded: Path, tmp_path: Path, step: str
) -> None:
    new = write(tmp_path / "new.csv", table := rows(40, seed=6), ["size", "colour", "cost"])
    assert classified(embedded, new, tmp_path / "out.csv", "--step", step) == 0
    found = [row["group"] for row in read(tmp_path / "out.csv")]
    known = [at for at, row in enumerate(table) if row["size"]]
    pairs = {(table[at]["kind"], found[at]) for at in known}
    assert len(pairs) == len({group for _, group in pairs}) == 2
    labels = coterie.open(embedded)[step].predict(coterie.read(new))
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


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of Parquet files of 40 rows, in parts of 20."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    monkeypatch.setattr(parquet_parts, "CHUNK", 20)
    folder = tmp_path / "new.parquet"
    folder.mkdir()
    for number in range(3):
        table = rows(40, seed=number)
        columns: dict[str, list[object]] = {
            "size": [float(row["size"]) if row["size"] else None for row in table],
            "colour": [row["colour"] for row in table],
            "cost": [float(row["cost"]) for row in table],
        }
        name = folder / f"part-{number}.parquet"
        parquet.write_table(pyarrow.table(columns), name, row_group_size=20)
    return folder


def csv_of(parts: Path, target: Path) -> Path:
    """The same rows as one CSV."""
    from pyarrow import parquet

    table = [
        row for file in sorted(parts.iterdir()) for row in parquet.read_table(file).to_pylist()
    ]
    plain = [{k: "" if v is None else str(v) for k, v in row.items()} for row in table]
    return write(target, plain, ["size", "colour", "cost"])


def test_a_table_in_parts_gets_the_groups_that_it_gets_as_a_whole(
    project: Path, parts: Path, tmp_path: Path
) -> None:
    assert classified(project, parts, tmp_path / "out.csv") == 0
    found = read(tmp_path / "out.csv")
    assert classified(project, csv_of(parts, tmp_path / "all.csv"), tmp_path / "whole.csv") == 0
    assert [row["group"] for row in found] == [row["group"] for row in read(tmp_path / "whole.csv")]
    assert [row["file"] for row in found][39:41] == ["part-0.parquet", "part-1.parquet"]
    assert [int(row["row"]) for row in found] == 3 * list(range(1, 41))
    assert not [path for path in tmp_path.iterdir() if ".parts-" in path.name]


def test_columns_in_another_order_stay_under_their_names(
    project: Path, parts: Path, tmp_path: Path
) -> None:
    from pyarrow import parquet

    other = parquet.read_table(parts / "part-1.parquet").select(["cost", "colour", "size"])
    parquet.write_table(other, parts / "part-1.parquet")
    assert classified(project, parts, tmp_path / "out.csv", "--all-columns") == 0
    found = [row["colour"] for row in read(tmp_path / "out.csv")]
    assert found[40:80] == other.column("colour").to_pylist()


def test_a_damaged_part_does_not_keep_the_others_from_their_groups(
    project: Path, parts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(parts / "part-1.parquet")
    assert classified(project, parts, tmp_path / "out.csv") == 1
    said = capsys.readouterr().err
    assert "rows 1 to 20 of 'part-1.parquet': 'part-1.parquet' cannot be read as Parquet" in said
    named = {row["file"] for row in read(tmp_path / "out.csv")}
    assert {"part-0.parquet", "part-2.parquet"} <= named


def test_a_part_that_fails_is_named_and_tried_again(
    project: Path,
    parts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    labelled: list[str] = []
    real = label_items._labelled

    def watched(data: Any, *more: Any) -> Any:
        start = data.details["positions"][0]
        labelled.append(f"{data.title} {start}")
        if broken and data.title == "part-1" and start == 20:
            raise DataError("Column 'size' has missing values.", code="missing-values")
        return real(data, *more)

    monkeypatch.setattr(label_items, "_labelled", watched)
    broken = True
    assert classified(project, parts, tmp_path / "out.csv") == 1
    said = capsys.readouterr().err
    assert "1 of 6 parts could not be labelled; rows 21 to 40 of 'part-1.parquet'" in said
    assert "The others are in 'out.csv'." in said
    assert len(read(tmp_path / "out.csv")) == 100
    broken, already = False, len(labelled)
    assert classified(project, parts, tmp_path / "out.csv") == 0
    assert labelled[already:] == ["part-1 20"]  # the others were kept
    assert len(read(tmp_path / "out.csv")) == 120


def test_what_was_labelled_when_the_disk_was_full_is_gone_on_with(
    project: Path,
    parts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = label_parts._Kept.keep

    def full(kept: Any, number: int, part: Any) -> None:
        if number == 3:
            raise label_parts._unwritable(Path("3"), OSError(28, "No space left"), kept.folder)
        real(kept, number, part)

    with monkeypatch.context() as patched:
        patched.setattr(label_parts._Kept, "keep", full)
        assert classified(project, parts, tmp_path / "out.csv") == 1
    assert ".out.csv.parts-" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()
    kept = next(path for path in tmp_path.iterdir() if ".parts-" in path.name)
    assert len(list(kept.glob("*.json"))) == 3
    assert classified(project, parts, tmp_path / "out.csv") == 0
    assert len(read(tmp_path / "out.csv")) == 120
    assert not kept.exists()


@pytest.mark.slow
@pytest.mark.parametrize("wounded", [False, True])
def test_workers_of_a_cluster_give_the_same_groups_and_one_that_dies_costs_no_part(
    project: Path,
    parts: Path,
    tmp_path: Path,
    wounded: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("distributed")
    assert classified(project, parts, tmp_path / "here.csv") == 0
    with cluster() as running:
        real = label_parts._Kept.keep

        def killing(kept: Any, number: int, part: Any) -> None:
            if wounded and number == 1:
                running.kill_worker()
            real(kept, number, part)

        monkeypatch.setattr(label_parts._Kept, "keep", killing)
        crew = DaskExecutor(running.address)
        used: list[Context] = []

        def ours(context: Context) -> DaskExecutor:
            used.append(context)
            return crew

        monkeypatch.setattr(Context, "crew", property(ours, lambda *_: None), raising=False)
        with crew:
            assert classified(project, parts, tmp_path / "there.csv") == 0
    assert used
    assert (tmp_path / "here.csv").read_text() == (tmp_path / "there.csv").read_text()
