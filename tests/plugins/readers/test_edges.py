"""Graphs as lists of edges."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.edges import Edges
from tests.refusals import refuses

Write = Callable[..., Path]


def read(path: Path, **params: Any) -> Dataset:
    return Edges().compute(path, params=Edges.Params(**params), context=Context())


def dense(data: Dataset) -> Any:
    relation: Any = data.relation
    return relation.toarray().tolist()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str, name: str = "g.edges") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def test_edges_with_and_without_weights(write: Write) -> None:
    data = read(write("# made by hand\nanna bert\nbert carl\n"))
    assert data.kind == "relation"
    assert data.items == ("anna", "bert", "carl")
    assert dense(data) == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    data = read(write("source,target,weight\n10,9,0.5\n9,2,2\n", "g.csv"))
    assert data.items == ("2", "9", "10")
    assert dense(data) == [[0, 2, 0], [2, 0, 0.5], [0, 0.5, 0]]
    assert read(write("a,b,x,2\n", "g.csv"), weight="column 4").relation.sum() == 4  # type: ignore[union-attr]


def test_direction_is_kept_when_asked(write: Write) -> None:
    data = read(write("a b 1\nb c 2\n"), directed=True)
    assert dense(data) == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    assert data.details["directed"]


def test_edges_listed_again(write: Write) -> None:
    path = write("a b 1\na b 3\nb c 1\n")
    assert dense(read(path))[0][1] == 4
    assert dense(read(path, repeated="largest"))[0][1] == 3
    assert any("1 edges are listed again" in note for note in read(path).notes)
    data = read(write("a b 2\nb a 2\nb c 1\nc b 1\n"))
    assert dense(data) == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert any("from both ends" in note for note in data.notes)


def test_an_edge_to_itself_is_kept_once(write: Write) -> None:
    data = read(write("a a 3\na b 1\n"), header="no")
    assert dense(data) == [[3, 1], [1, 0]]
    assert any("to itself" in note for note in data.notes)


def test_items_from_a_file(write: Write) -> None:
    write("name,kind\nb,x\na,y\nc,x\n", "nodes.csv")
    data = read(write("a b\n"), nodes="nodes.csv", truth="kind")
    assert data.items == ("b", "a", "c")
    assert data.truth_names == ("x", "y")
    assert data.n == 3
    with refuses("unknown-item", DataError, match="2.*'z'.*'nodes.csv'"):
        read(write("a b\na z\n"), nodes="nodes.csv")
    params = Edges.Params(nodes="nodes.csv")
    assert Edges().companions(Path("x/g.edges"), params=params) == (Path("x/nodes.csv"),)


@pytest.mark.parametrize(
    ("text", "params", "code"),
    [
        ("a\nb\n", {}, "too-few-columns"),
        ("a b x\nb c y\n", {"header": "no"}, "wrong-type"),
        ("a,b,1\nb,c,\n", {"header": "no"}, "missing-values"),
        ("a b\n", {"weight": "w"}, "unknown-column"),
        ("a b\n", {"truth": "kind"}, "invalid-parameters"),
        ("a b\n", {"nodes": "../x"}, "outside-folder"),
        ("a b\n", {"nodes": "twice.txt"}, "duplicate-names"),
        (",b,1\n", {"header": "no"}, "unknown-item"),
    ],
)
def test_each_mistake_gets_one_sentence(
    write: Write, text: str, params: dict[str, Any], code: str
) -> None:
    write("a\na\n", "twice.txt")
    with refuses(code, DataError):
        read(write(text), **params)


def test_many_edges_take_no_square(write: Write) -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 20_000, (5_000, 2))
    data = read(write("".join(f"{a} {b}\n" for a, b in ends)))
    relation: Any = data.relation
    assert relation.nnz <= 10_000
    assert (relation != relation.T).nnz == 0
