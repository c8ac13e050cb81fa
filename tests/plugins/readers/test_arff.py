"""Weka's tables."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.arff import ARFF
from tests.refusals import refuses

TABLE = """% a remark
@RELATION flowers
@attribute 'sepal width' REAL
@attribute length numeric
@attribute name string
@attribute colour {red, 'light blue'}
@attribute class {setosa,"a, b"}

@DATA
1.5, 2, 'it\\'s, one', red, setosa
?,3,two,'light blue',"a, b"
% another
2,4,?,red,?
"""


def read(path: Path, text: str, **params: Any) -> Dataset:
    path.write_text(text, encoding="utf-8")
    return ARFF().compute(path, params=ARFF.Params(**params), context=Context())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.arff"


def test_a_table_with_its_classes(path: Path) -> None:
    data = read(path, TABLE)
    assert data.columns == ("sepal width", "length", "colour = light blue")
    np.testing.assert_array_equal(np.asarray(data.features)[:, :2], [[1.5, 2], [np.nan, 3], [2, 4]])
    assert data.truth_names == ("setosa", "a, b")
    assert data.truth is not None
    assert data.truth.tolist() == [0, 1, -1]
    assert data.details["guessed"]["truth"] == "class"
    assert data.table[3].categories == ("red", "light blue")


def test_numbers_alone_are_the_features_as_they_were_in_0_1(path: Path) -> None:
    data = read(path, TABLE, features="numbers")
    assert data.columns == ("sepal width", "length")
    assert data.truth_names == ("a, b", "setosa")
    assert data.truth is not None
    assert data.truth.tolist() == [1, 0, -1]
    assert data.items == ()


def test_other_classes_and_names(path: Path) -> None:
    data = read(path, TABLE, truth="colour", items="name")
    assert data.truth_names == ("red", "light blue")
    assert data.items == ("it's, one", "two", "")


def test_it_reads_numbers_as_scipy_does(path: Path) -> None:
    from scipy.io import arff

    text = "@relation r\n@attribute a real\n@attribute b integer\n@data\n1,2\n-3.5e2,4\n?,6\n"
    data = read(path, text)
    expected, _ = arff.loadarff(path)
    np.testing.assert_array_equal(
        np.asarray(data.features), np.column_stack([expected["a"], expected["b"]])
    )


def test_sparse_lines(path: Path) -> None:
    text = "@relation r\n@attribute a real\n@attribute b real\n@attribute c {no,yes}\n@data\n"
    data = read(path, text + "{1 5, 2 yes}\n{0 -1}\n{}\n")
    np.testing.assert_array_equal(data.dense_features(), [[0, 5], [-1, 0], [0, 0]])
    assert data.truth is not None
    assert data.truth.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a,b\n1,2\n", "malformed-line"),
        ("@relation r\n@attribute a real\n", "malformed-line"),
        ("@relation r\n@data\n1\n", "malformed-line"),
        ("@relation r\n@attribute a real\n@data\n", "empty-data"),
        ("@relation r\n@attribute a real\n@data\n1,2\n", "malformed-line"),
        ("@relation r\n@attribute a {x}\n@data\ny\n", "malformed-line"),
        ("@relation r\n@attribute a real\n@data\n{3 1}\n", "malformed-line"),
        ("@relation r\n@attribute a real\n@data\n{0 1, x}\n", "malformed-line"),
        ("@relation r\n@attribute a\n@data\n1\n", "malformed-line"),
        ("@relation r\n@attribute a string\n@data\nx\n", "no-numbers"),
    ],
)
def test_each_mistake_gets_one_sentence(path: Path, text: str, code: str) -> None:
    with refuses(code, DataError):
        read(path, text)


@pytest.mark.parametrize("line", ["a{0}b", "{{0 a{0}b}}", "'{0}", "{{0 '{0}}}"])
def test_a_line_of_blanks_does_not_hold_it_up(tmp_path: Path, line: str) -> None:
    """Where a pattern could part blanks in any place, as many as these took hours."""
    text = f"@attribute a numeric\n@data\n{line.format(' ' * 200_000)}\n"
    with refuses("no-numbers", DataError):
        read(tmp_path / "x.arff", text)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"{{0 1,{' ' * 1_000_000}x}}", "malformed-line"),
        (f"{{{'1' * 1_000_000}}}", "malformed-line"),
        (f"{{{'1' * 1_000_000} 1}}", "malformed-line"),
        (f"{{{'0 1 ' * 300_000}}}", "no-numbers"),
    ],
)
def test_a_long_sparse_line_is_looked_at_once(path: Path, line: str, code: str) -> None:
    with refuses(code, DataError):
        read(path, f"@attribute a numeric\n@data\n{line}\n")


def test_quotes_within_a_value_are_kept(tmp_path: Path) -> None:
    text = "@attribute n string\n@attribute x numeric\n@data\n'it's' , 1\n ' a' , 2\n"
    assert read(tmp_path / "x.arff", text, items="n").items == ("it's", " a")
