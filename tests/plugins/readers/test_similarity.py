"""Similarities computed elsewhere."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.similarity import Similarity
from tests.refusals import refuses

A = np.array([[1.0, 0.5, 0.25], [0.5, 1.0, 0.125], [0.25, 0.125, 1.0]])


def read(path: Path, **params: Any) -> Dataset:
    return Similarity().compute(path, params=Similarity.Params(**params), context=Context())


def text(matrix: Any, delimiter: str) -> str:
    return "".join(delimiter.join(map(str, row)) + "\n" for row in matrix)


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.tab", "  "), ("a.tab", "\t"), ("a.csv", ","), ("a.txt", " ")]
)
def test_matrices_as_text(tmp_path: Path, name: str, delimiter: str) -> None:
    (tmp_path / name).write_text(text(A, delimiter))
    data = read(tmp_path / name)
    assert data.kind == "relation"
    np.testing.assert_array_equal(np.asarray(data.relation), A)
    assert data.details["symmetric"]
    assert data.details["nonnegative"]
    assert data.features is None


def test_a_matrix_of_numpy(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", A)
    np.testing.assert_array_equal(np.asarray(read(tmp_path / "a.npy").relation), A)


def test_names_of_items_and_classes(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("name,a,b\na,1,0.5\nb,0.5,1\n")
    assert read(path).items == ("a", "b")
    path.write_text("x,y\n1,0.5\n0.5,1\n")
    assert read(path).items == ("x", "y")
    path.write_text("x,y,kind\n1,0.5,p\n0.5,1,q\n")
    data = read(path, truth="kind")
    assert data.truth_names == ("p", "q")
    assert data.n == 2


def test_what_is_unusual_is_said(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[0, 1.0], [2, 0]]))
    data = read(tmp_path / "a.npy")
    assert not data.details["symmetric"]
    assert any("not symmetric (entries differ by up to 1)" in note for note in data.notes)
    assert any("are these distances?" in note for note in data.notes)
    np.save(tmp_path / "a.npy", np.array([[1, -1.0], [-1, 1]]))
    data = read(tmp_path / "a.npy")
    assert not data.details["nonnegative"]
    assert "2 entries are negative; many methods need similarities of at least 0." in data.notes


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("1 2 3\n4 5 6\n", "wrong-shape"),
        ("1 nan\n1 1\n", "missing-values"),
        ("1 2+1j\n2-1j 1\n", "wrong-type"),
        ("1 1i\n1i 1\n", "wrong-type"),
        ("1 x\n2 1\n3 4\n", "wrong-type"),
    ],
)
def test_each_mistake_gets_one_sentence(tmp_path: Path, content: str, code: str) -> None:
    (tmp_path / "a.tab").write_text(content)
    with refuses(code, DataError):
        read(tmp_path / "a.tab", header="no")


def test_complex_numbers_in_the_first_line_are_not_taken_for_names(tmp_path: Path) -> None:
    (tmp_path / "a.tab").write_text("1 2+3i\n2 1\n")
    with refuses("complex-numbers", DataError, match=r"'2\+3i'"):
        read(tmp_path / "a.tab")
    (tmp_path / "b.tab").write_text("i 2j\n1 0.5\n0.5 1\n")
    assert read(tmp_path / "b.tab").items == ("i", "2j")


def test_arrays_that_are_no_similarities(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    for array, message in (
        (np.eye(2) * 1j, "complex"),
        (np.ones((2, 2, 2)), "is 2 × 2 × 2"),
        (np.array(["a"]), "must hold numbers"),
    ):
        np.save(path, array)
        with pytest.raises(DataError, match=message):
            read(path)
    path.write_text("hello")
    with refuses("file-damaged", DataError):
        read(path)
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.npy")
