"""Parquet tables."""

import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.formats.files import parquet_parts
from coterie.plugins.readers.parquet import Parquet
from tests.refusals import refuses


def read(path: Path, **params: Any) -> Dataset:
    return Parquet().compute(path, params=Parquet.Params(**params), context=Context())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {
        "whole": [1, 2, None],
        "real": [0.5, 1.5, 2.5],
        "yes": [True, False, True],
        "price": [Decimal("1.25"), None, Decimal("3")],
        "day": [date(2020, 1, 1)] * 3,
        "kind": pyarrow.array(["x", None, "y"]).dictionary_encode(),
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def test_columns_of_all_kinds(path: Path) -> None:
    data = read(path, truth="kind")
    assert data.columns == ("whole", "real", "yes = TRUE", "price", "day")
    assert [column.type for column in data.table] == [
        *("number", "number", "category", "number", "date", "category"),
    ]
    assert data.table[4].words() == ["2020-01-01"] * 3
    assert data.truth is not None
    assert data.truth.tolist() == [0, -1, 1]


def test_numbers_alone_are_the_features_as_they_were_in_0_1(path: Path) -> None:
    data = read(path, truth="kind", features="numbers")
    assert data.columns == ("whole", "real", "yes", "price")
    np.testing.assert_array_equal(
        np.asarray(data.features), [[1, 0.5, 1, 1.25], [2, 1.5, 0, np.nan], [np.nan, 2.5, 1, 3]]
    )
    assert data.table[4].role == "information"


def test_long_numbers_that_name_items_keep_all_digits(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    names = [2**60 + 1 + i for i in range(10)]
    table = pyarrow.table({"id": names, "x": [float(i) for i in range(10)]})
    parquet.write_table(table, tmp_path / "long.parquet")
    assert read(tmp_path / "long.parquet").items == tuple(map(str, names))


def test_a_missing_package_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with refuses("missing-package", DataError, match=r"'coterie\[tables\]'"):
        read(path)


def test_mistakes_get_one_sentence(path: Path, tmp_path: Path) -> None:
    with refuses("unknown-column", DataError, match="'z'"):
        read(path, truth="z")
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no more")
    with refuses("file-damaged", DataError):
        read(tmp_path / "bad.parquet")


def test_the_cost_is_that_of_what_is_unpacked(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "zeros.parquet"
    parquet.write_table(pyarrow.table({"x": [0.0] * 1_000_000}), path)
    assert path.stat().st_size < 100_000
    assert Parquet().estimate(path, params=Parquet.Params()).bytes > 8_000_000
    assert Parquet().estimate(tmp_path / "gone.parquet", params=Parquet.Params()).bytes < 1 << 24


def test_a_sample_reads_only_the_row_groups_that_it_is_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    monkeypatch.setattr(parquet_parts, "CHUNK", 10)
    values = np.arange(1000.0)
    file = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"a": values, "b": -values}), file, row_group_size=10)
    read_groups: list[int] = []
    usual = parquet_parts.Piece.batches

    def counted(piece: Any) -> Any:
        read_groups.extend(piece.groups)
        return usual(piece)

    monkeypatch.setattr(parquet_parts.Piece, "batches", counted)
    data = read(file, sample=20)
    drawn = data.details["positions"]
    assert data.dense_features()[:, 0].tolist() == drawn
    assert read_groups == sorted({position // 10 for position in drawn})
