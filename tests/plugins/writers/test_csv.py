"""Results as text tables."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, Context, Dataset, Embedding, Ranking
from coterie.core.formats.files.tables import LABEL
from coterie.plugins.readers.csv import CSV
from coterie.plugins.writers.csv import CSVWriter

DATA = Dataset(
    title="d",
    features=np.array([[1.5, np.nan], [1e-300, 2.0], [3.0, -1 / 3]]),
    columns=("a", "b"),
    items=("x", "y; z", "ä,ö"),
    truth=np.array([0, 1, -1]),
    truth_names=("p", "q"),
    truth_column="kind",
)


def write(path: Path, noun: Any, **params: Any) -> list[str]:
    CSVWriter().compute(noun, path, params=CSVWriter.Params(**params), context=Context())
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("params", [{}, {"decimal": ","}, {"delimiter": "tab"}])
def test_a_dataset_comes_back_as_it_was(tmp_path: Path, params: dict[str, Any]) -> None:
    path = tmp_path / "d.csv"
    write(path, DATA, **params)
    read = CSV().compute(path, params=CSV.Params(items="item", truth="kind"), context=Context())
    np.testing.assert_array_equal(np.asarray(read.features), np.asarray(DATA.features))
    assert (read.items, read.columns) == (DATA.items, DATA.columns)
    assert read.truth is not None
    assert read.truth.tolist() == [0, 1, -1]


def test_typed_columns_come_back_as_they_were(tmp_path: Path) -> None:
    text = (
        "id,day,sex,grade,size,note\n"
        "k-1,2024-01-31,f,low,1.5,first of them all\n"
        "k-2,1899-12-31,m,high,,second of them all\n"
        "k-3,,f,medium,2.25,\n"
        "k-4,2024-02-01,m,low,3,a fourth and a last one\n"
        "k-5,2024-02-02,f,low,4,what comes after it\n"
        "k-6,2024-02-02,m,high,5,and then what is left\n"
    )
    (tmp_path / "in.csv").write_text(text, encoding="utf-8")
    read = CSV().compute(tmp_path / "in.csv", params=CSV.Params(), context=Context())
    lines = write(tmp_path / "out.csv", read)
    assert [line.replace(".0", "") for line in lines] == text.splitlines()
    scaled = read.with_features(np.ones((6, 1)), columns=("made",))
    assert write(tmp_path / "made.csv", scaled)[0].split(",")[:2] == ["item", "made"]
    assert "note" in write(tmp_path / "made.csv", scaled)[0]


def test_groups_with_memberships(tmp_path: Path) -> None:
    groups = Clustering(
        labels=np.array([0, -1, 1]),
        membership=np.array([[1.0, 0], [0, 0], [0.25, 0.75]]),
        names=("first",),
        dataset=DATA,
    )
    assert write(tmp_path / "g.csv", groups) == [
        f"row,item,group,group name,{LABEL},share of first,share of group 2",
        "1,x,1,first,0,1.0,0.0",
        "2,y; z,,,-1,0.0,0.0",
        '3,"ä,ö",2,group 2,1,0.25,0.75',
    ]


def test_ranks_and_coordinates(tmp_path: Path) -> None:
    ranking = Ranking(scores=np.array([0.5, 2, 1]), order=np.array([1, 0]), dataset=DATA)
    lines = write(tmp_path / "r.tsv", ranking)
    assert lines == ["row\titem\trank\tscore", "1\tx\t2\t0.5", "2\ty; z\t1\t2.0", "3\tä,ö\t\t1.0"]
    embedding = Embedding(coordinates=np.eye(3)[:, :2])
    assert write(tmp_path / "e.csv", embedding)[0] == "row,item,axis 1,axis 2"


def test_all_columns_of_the_data_are_written_on_request(tmp_path: Path) -> None:
    groups = Clustering(labels=np.array([0, -1, 1]), dataset=DATA)
    head = write(tmp_path / "g.csv", groups, columns="all")[0]
    assert head == ",".join(["row", "item", "group", LABEL, *DATA.columns, "kind"])


def test_a_long_table_is_written_in_parts_that_fit(tmp_path: Path) -> None:
    groups = Clustering(labels=np.arange(25_000) % 7)
    lines = write(tmp_path / "g.csv", groups)
    assert len(lines) == 25_001
    assert lines[-1] == f"25000,25000,{24_999 % 7 + 1},{24_999 % 7}"


EVIL = (
    '=HYPERLINK("http://x","y")',
    "+1+1",
    "-cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1",
    "-1.5",
    "a=b",
)


def test_formulas_are_neutralised_on_request(tmp_path: Path) -> None:
    found = Clustering(
        labels=np.arange(7) % 2,
        dataset=Dataset(title="d", features=np.zeros((7, 1)), columns=("a",), items=EVIL),
    )
    path = tmp_path / "t.csv"
    write(path, found, formulas="quote")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    said = [row["item"] for row in rows]
    assert said == [f"'{text}" for text in EVIL[:5]] + list(EVIL[5:])
    write(path, found)
    with path.open(encoding="utf-8", newline="") as stream:
        assert [row["item"] for row in csv.DictReader(stream)] == list(EVIL)
