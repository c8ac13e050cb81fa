"""Sparse counts as lines of item, feature, value."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.model.arrays import is_sparse
from coterie.plugins.readers.triplets import Triplets
from tests.refusals import refuses

Write = Callable[..., Path]


def read(path: Path, **params: Any) -> Dataset:
    return Triplets().compute(path, params=Triplets.Params(**params), context=Context())


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "counts.csv") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


def test_counts_from_one_or_from_zero(write: Write) -> None:
    data = read(write("doc,word,count\n1,1,5\n1,3,1\n2,2,7\n"))
    assert is_sparse(data.features)
    np.testing.assert_array_equal(data.dense_features(), [[5, 0, 1], [0, 7, 0]])
    assert data.details["guessed"]["first"] == "1"
    assert any("numbered from 1" in note for note in data.notes)
    data = read(write("0 0 5\n1 2 7\n"))
    np.testing.assert_array_equal(data.dense_features(), [[5, 0, 0], [0, 0, 7]])
    assert read(write("1,1,5\n"), first="0").n == 2


def test_names_by_number_or_in_order(write: Write) -> None:
    write("word,term\n2,beta\n1,alpha\n3,alpha\n", "words.csv")
    write("doc,title,kind\n1,One: a start,x\n2,Two,y\n3,Three,x\n", "titles.csv")
    path = write("1,1,5\n2,3,1\n")
    data = read(path, vocabulary="words.csv", titles="titles.csv", items="title", truth="kind")
    assert data.columns == ("alpha", "beta", "alpha (2)")
    assert data.items == ("One: a start", "Two", "Three")
    assert data.truth_names == ("x", "y")
    assert data.n == 3  # the third has no words
    write("alpha\nbeta\ngamma\n", "plain.txt")
    assert read(path, vocabulary="plain.txt").columns == ("alpha", "beta", "gamma")
    params = Triplets.Params(vocabulary="plain.txt")
    assert Triplets().companions(path, params=params) == (path.with_name("plain.txt"),)


def test_what_is_listed_twice_is_added_up(write: Write) -> None:
    data = read(write("1,1,5\n1,1,2\n"))
    assert data.dense_features().tolist() == [[7]]
    assert any("1 triplets repeat a cell" in note for note in data.notes)


@pytest.mark.parametrize(
    ("text", "params", "code"),
    [
        ("1,2\n3,4\n", {}, "malformed-line"),
        ("1,2,x\n", {"first": "1"}, "malformed-line"),
        ("1,1.5,2\n", {}, "wrong-type"),
        ("1,1,nan\n", {}, "missing-values"),
        ("0,1,2\n", {"first": "1"}, "invalid-numbering"),
        ("1,1,2\n", {"vocabulary": "../secret.csv"}, "outside-folder"),
        ("1,1,2\n", {"vocabulary": "nowhere.csv"}, "file-not-found"),
        ("1,1,2\n", {"truth": "kind"}, "unknown-column"),
        ("1,9,2\n", {"vocabulary": "words.csv"}, "items-mismatch"),
    ],
)
def test_each_mistake_gets_one_sentence(
    write: Write, text: str, params: dict[str, Any], code: str
) -> None:
    write("1,alpha\n2,beta\n", "words.csv")
    with refuses(code, DataError):
        read(write(text), **params)


def test_numbers_of_names_must_be_whole(write: Write) -> None:
    write("1,alpha\n3,beta\n", "words.csv")
    with refuses("invalid-numbering", DataError, match="1.*2"):
        read(write("1,1,2\n"), vocabulary="words.csv")


@pytest.mark.realdata
def test_the_papers_of_a_conference(realdata: Path) -> None:
    data = read(
        realdata / "nips_counts_triplets.csv.gz",
        vocabulary="nips_vocab.csv.gz",
        titles="nips_titles.csv.gz",
    )
    assert (data.n, data.d) == (1740, 13649)
    assert data.columns[:2] == ("network", "learning")
    assert data.items[0] == "Connectivity Versus Entropy"
    features: Any = data.features
    assert features.nnz == 933295
    assert features[0, 0] == 18


@pytest.mark.parametrize("line", ["999999999999,1,1", "1,999999999999,1"])
def test_a_number_beyond_any_table_is_refused(write: Write, line: str) -> None:
    with refuses("invalid-numbering", DataError, match="999,999,999,999.*2"):
        read(write(f"1,1,1\n{line}\n"))
