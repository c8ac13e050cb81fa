"""Results as Parquet."""

import sys
from pathlib import Path

import numpy as np
import pytest

from coterie.core import Clustering, Context, DataError, Dataset, Ranking
from coterie.plugins.readers.parquet import Parquet
from coterie.plugins.writers.parquet import ParquetWriter
from tests.refusals import refuses


def write(path: Path, noun: object) -> None:
    ParquetWriter().compute(noun, path, params=ParquetWriter.Params(), context=Context())


def test_a_dataset_comes_back_as_it_was(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    data = Dataset(
        title="d",
        features=np.array([[1.5, 2], [3, 4]]),
        items=("x", "y"),
        truth=np.array([1, -1]),
        truth_names=("p", "q"),
        truth_column="kind",
    )
    write(tmp_path / "d.parquet", data)
    params = Parquet.Params(items="item", truth="kind")
    read = Parquet().compute(tmp_path / "d.parquet", params=params, context=Context())
    np.testing.assert_array_equal(read.dense_features(), data.dense_features())
    assert read.items == ("x", "y")
    assert read.truth_names == ("q",)


def test_items_without_a_rank_have_none(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write(tmp_path / "r.parquet", Ranking(scores=np.array([0.5, 2]), order=np.array([1])))
    table = parquet.read_table(tmp_path / "r.parquet").to_pydict()
    assert table == {"row": [1, 2], "item": ["1", "2"], "rank": [None, 1], "score": [0.5, 2.0]}


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with refuses("missing-package", DataError, match=r"'coterie\[tables\]'"):
        write(tmp_path / "g.parquet", Clustering(labels=np.array([0])))
