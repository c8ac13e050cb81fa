"""Parquet tables in parts: the same rows as read whole, in files that fit together."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.formats.files import parquet_parts
from coterie.core.formats.files.parquet_parts import ParquetParts, files_of
from coterie.plugins.readers.parquet import Parquet
from tests.core.formats.files.damaged import damage
from tests.refusals import refuses

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
N = 300


def read(path: Path, seed: int = 0, **params: Any) -> Dataset:
    return Parquet().compute(path, params=Parquet.Params(**params), context=Context(seed=seed))


def table(n: int = N, start: int = 0) -> Any:
    rows = np.arange(start, start + n)
    kinds = pyarrow.array([f"kind {row % 3}" for row in rows]).dictionary_encode()
    return pyarrow.table({"x": rows.astype(float), "y": rows % 7, "kind": kinds})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three files of 300 rows in groups of 40; chunks of 100."""
    monkeypatch.setattr(parquet_parts, "CHUNK", 100)
    path = tmp_path / "all.parquet"
    path.mkdir()
    for number in range(3):
        parquet.write_table(
            table(start=N * number), path / f"part-{number}.parquet", row_group_size=40
        )
    (path / "_SUCCESS").write_text("")
    return path


def test_pieces_are_all_rows_once_and_in_order(folder: Path) -> None:
    parts = ParquetParts.of(folder)
    assert parts.n == 3 * N
    found = []
    for piece in parts.pieces():
        rows = [(first, rows.column("x").to_pylist()) for first, rows in piece.batches()]
        assert rows[0][0] == piece.first
        assert all(len(values) <= 100 for _, values in rows)
        assert sum(len(values) for _, values in rows) == piece.rows
        found += [value for _, values in rows for value in values]
    assert found == list(range(3 * N))


def test_a_folder_is_one_table(folder: Path) -> None:
    data = read(folder)
    assert data.n == 3 * N
    np.testing.assert_array_equal(np.asarray(data.features)[:, 0], np.arange(3 * N))
    kinds = next(column for column in data.table if column.name == "kind")
    assert kinds.type == "category"
    assert kinds.words()[:4] == ["kind 0", "kind 1", "kind 2", "kind 0"]


def test_a_sample_has_the_rows_that_it_says(folder: Path) -> None:
    data = read(folder, sample=50)
    assert data.n == 50
    assert data.details["positions"] == np.asarray(data.features)[:, 0].astype(int).tolist()
    assert data.notes[0] == "A sample of 50 rows of 900."
    again, other = read(folder, sample=50), read(folder, seed=1, sample=50)
    assert again.details["positions"] == data.details["positions"]
    assert other.details["positions"] != data.details["positions"]
    assert read(folder, sample=10_000).n == 3 * N


def test_the_cost_of_a_sample_is_that_of_its_rows(folder: Path) -> None:
    whole = Parquet().estimate(folder, params=Parquet.Params())
    some = Parquet().estimate(folder, params=Parquet.Params(sample=10))
    assert some.bytes < whole.bytes


def test_files_that_disagree_are_named(folder: Path) -> None:
    parquet.write_table(table().drop_columns(["y"]), folder / "part-9.parquet")
    with refuses("columns-mismatch", DataError) as raised:
        read(folder)
    assert "'part-9.parquet' has no column 'y', which 'part-0.parquet' has." in str(raised.value)
    words = pyarrow.array(["a"] * N)
    other = table().set_column(0, "x", words)
    parquet.write_table(other, folder / "part-9.parquet")
    with refuses("columns-mismatch", DataError) as raised:
        read(folder)
    assert "Column 'x' holds numbers in 'part-0.parquet' and texts in 'part-9.parquet'." in str(
        raised.value
    )


def test_a_damaged_file_and_an_empty_folder_are_one_sentence(folder: Path, tmp_path: Path) -> None:
    (folder / "part-1.parquet").write_bytes(b"PAR1 no more")
    with refuses("file-damaged", DataError) as raised:
        read(folder)
    assert str(raised.value).startswith("'part-1.parquet' cannot be read as Parquet")
    nothing = tmp_path / "nothing.parquet"
    nothing.mkdir()
    with refuses("no-reader", DataError):
        files_of(nothing)


@pytest.mark.parametrize(
    ("one", "other", "type_"),
    [
        (
            pyarrow.array([18262], pyarrow.date32()),
            pyarrow.array([0], pyarrow.timestamp("ns", "UTC")),
            "date",
        ),
        (pyarrow.array(["a"]).dictionary_encode(), pyarrow.array(["b"]), "category"),
        (pyarrow.array([2**60 + 1]), pyarrow.array([0.5]), "number"),
    ],
)
def test_files_may_keep_a_column_as_different_types(
    tmp_path: Path, one: Any, other: Any, type_: str
) -> None:
    path = tmp_path / "two.parquet"
    path.mkdir()
    count = pyarrow.array(np.arange(6.0))
    for name, column in (("a", one), ("b", other)):
        repeated = pyarrow.chunked_array([column] * 6)
        parquet.write_table(pyarrow.table({"x": repeated, "y": count}), path / f"{name}.parquet")
    column = read(path).table[0]
    assert column.type == type_
    assert not column.missing.any()
    assert column.words()[0] == column.words()[5] != column.words()[6] == column.words()[11]


def test_columns_are_in_the_order_of_the_first_file(folder: Path) -> None:
    parquet.write_table(table().select(["kind", "y", "x"]), folder / "part-1.parquet")
    for piece in ParquetParts.of(folder).pieces():
        assert all(rows.column_names == ["x", "y", "kind"] for _, rows in piece.batches())


def test_a_file_that_is_damaged_further_on_is_one_sentence(folder: Path) -> None:
    damage(folder / "part-1.parquet")
    with refuses("file-damaged", DataError) as raised:
        read(folder)
    assert str(raised.value).startswith("'part-1.parquet' cannot be read as Parquet")
