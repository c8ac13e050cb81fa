"""Text tables: what is guessed is said, what is wrong is named."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.csv import CSV
from tests.refusals import refuses


def read(path: Path, **params: Any) -> Dataset:
    return CSV().compute(path, params=CSV.Params(**params), context=Context())


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(text: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return written


def test_a_plain_table(write: Any) -> None:
    data = read(write("width,height,species\n1,2,b\n3,4.5,a\n5,6,b\n"))
    assert data.title == "table"
    assert data.columns == ("width", "height")
    np.testing.assert_array_equal(data.dense_features(), [[1, 2], [3, 4.5], [5, 6]])
    assert data.truth_names == ("a", "b")
    assert data.truth is not None
    assert data.truth.tolist() == [1, 0, 1]
    assert data.truth_column == "species"


def test_what_was_guessed_is_said(write: Any) -> None:
    data = read(write("a,Label\n1,x\n2,y\n"))
    assert data.details["guessed"] == {
        "encoding": "utf-8",
        "delimiter": ",",
        "decimal": ".",
        "thousands": "none",
        "header": True,
        "missing": "",
        "truth": "Label",
    }
    assert "commas" in data.notes[0]
    assert data.table[1].role == "label"
    assert data.table[1].why in data.notes[1]


def test_what_is_given_is_not_guessed(write: Any) -> None:
    data = read(
        write("1;2\n3;4\n"),
        delimiter=";",
        decimal=".",
        thousands="none",
        encoding="utf-8",
        header="no",
        missing="?",
    )
    assert data.details["guessed"] == {}
    assert data.notes == ()
    assert data.columns == ("column 1", "column 2")


@pytest.mark.parametrize(
    ("text", "delimiter", "decimal"),
    [
        ("a;b\n1,5;2,25\n3,0;4\n", ";", ","),
        ("a\tb\n1.5\t2\n3\t4\n", "\t", "."),
        ("a\tb\n1,5\t2,25\n3\t4,0\n", "\t", ","),
        ("a|b\n1.5|2\n3|4\n", "|", "."),
        ("a  b\n1.5   2\n 3 4\n", " ", "."),
        ("a,b\n1.5,2\n3,4\n", ",", "."),
        ("a;b\n1.5;2\n3;4\n", ";", "."),
        ('"a,1";b\n1;2\n3;4\n', ";", "."),
    ],
)
def test_delimiter_and_decimal_mark_are_guessed(
    write: Any, text: str, delimiter: str, decimal: str
) -> None:
    data = read(write(text))
    assert data.details["guessed"]["delimiter"] == delimiter
    assert data.details["guessed"]["decimal"] == decimal
    assert (data.n, data.d) == (2, 2)


@pytest.mark.parametrize(
    ("text", "header", "n"),
    [("1,2\n3,4\n", False, 2), ("x,y\n3,4\n", True, 1), ("x,1\n3,4\n5,6\n", True, 2)],
)
def test_the_header_is_guessed(write: Any, text: str, header: bool, n: int) -> None:
    data = read(write(text))
    assert data.details["guessed"]["header"] is header
    assert data.n == n


@pytest.mark.parametrize(
    ("text", "decimal", "thousands", "value"),
    [
        ("a;b\n1,234.5;2\n3;4\n", ".", ",", 1234.5),
        ("a;b\n1.234,5;2\n3;4\n", ",", ".", 1234.5),
        ("a;b\n1.234.567;2\n3;4\n", ",", ".", 1234567),
        ("a;b\n12 345,5;2\n3;4\n", ",", "space", 12345.5),
        ("a;b\n1'234.5;2\n3;4\n", ".", "'", 1234.5),
        ('a,b\n"1,234,567",2\n3,4\n', ".", ",", 1234567),
        ('a,b\n"1,5",2\n"3,5",4\n', ",", "none", 1.5),
    ],
)
def test_groups_of_digits_are_guessed_and_said(
    write: Any, text: str, decimal: str, thousands: str, value: float
) -> None:
    data = read(write(text))
    guessed = data.details["guessed"]
    assert (guessed["decimal"], guessed["thousands"]) == (decimal, thousands)
    assert data.dense_features()[0, 0] == value
    assert ("thousands" in data.notes[0]) == (thousands != "none")


def test_digits_that_are_not_in_threes_are_no_groups(write: Any) -> None:
    data = read(write("a;b\n1,23,4;2\n3;4\n"), thousands=",")
    assert data.columns == ("b",)
    with refuses("invalid-parameters", DataError):
        read(write("a;b\n1;2\n"), decimal=",", thousands=",")


def test_the_marks_of_missing_cells_are_told(write: Any) -> None:
    assert read(write("a,b\nNA,1\n?,2\n3,\n")).details["guessed"]["missing"] == "? NA"


def test_a_preview_shows_the_first_lines_and_all_guesses(write: Any) -> None:
    path = write("name;a;b;class\nanna;1,5;x;p\nbert;2;y;q\n" + "carl;3;z;p\n" * 100)
    shown = CSV().preview(path, params=CSV.Params(items="name"), context=Context())
    assert shown.columns == ("name", "a", "b", "class")
    assert shown.rows[0] == ("anna", "1,5", "x", "p")
    assert len(shown.rows) == 50
    assert shown.roles == ("items", "feature", "feature", "truth")
    assert [(about.type, about.role) for about in shown.about] == [
        ("text", "name"),
        ("number", "feature"),
        ("category", "feature"),
        ("category", "label"),
    ]
    assert shown.about[2].histogram == (100, 1, 1)
    assert shown.guessed["delimiter"] == ";"
    assert shown.guessed["decimal"] == ","
    assert shown.guessed["truth"] == "class"
    assert "semicolons" in shown.notes[0]


def test_a_single_column_needs_no_delimiter(write: Any) -> None:
    np.testing.assert_array_equal(read(write("x\n1\n2\n")).dense_features(), [[1], [2]])


def test_blank_lines_quotes_and_windows_line_ends(write: Any) -> None:
    data = read(write('"a","b"\r\n\r\n"1","2"\r\n 3 , 4 \r\n\r\n'))
    np.testing.assert_array_equal(data.dense_features(), [[1, 2], [3, 4]])


def test_a_compressed_table(write: Any) -> None:
    data = read(write(gzip.compress(b"a,b\n1,2\n"), "table.csv.gz"))
    assert data.title == "table"
    assert data.n == 1


def test_missing_cells_are_kept_and_counted(write: Any) -> None:
    data = read(write("a,b\n1,\nNA,4\n?,5\n"))
    assert data.features is not None
    np.testing.assert_array_equal(
        np.isnan(np.asarray(data.features)), [[False, True], [True, False], [True, False]]
    )
    assert "3 cells are missing, in 2 of 2 columns." in data.notes


def test_other_marks_for_missing(write: Any) -> None:
    data = read(write("a,b\n1,-999\n2,4\n"), missing="-999 x")
    assert np.isnan(np.asarray(data.features)).sum() == 1
    with refuses("no-numbers", DataError):
        read(write("a\n1\nNA\n"), missing="x", header="yes")


def test_a_column_called_name_names_the_items(write: Any) -> None:
    data = read(write("name,a\nanna,1\nbert,2\n"))
    assert data.columns == ("a",)
    assert data.items == ("anna", "bert")
    assert data.table[0].role == "name"


def test_a_stray_text_among_many_numbers_is_missing_and_named_with_its_line(write: Any) -> None:
    data = read(write("a,b\n" + "".join(f"{i % 3},{i / 8}\n" for i in range(30)) + "2,oops\n"))
    assert data.columns == ("a", "b")
    assert np.isnan(data.features[-1, 1])  # type: ignore[index]
    assert any("'oops' on line 32" in note for note in data.table[1].notes)
    few = read(write("a,b\n1,1\n2,oops\n3,3\n"))
    assert few.columns == ("a",)
    assert few.table[1].words() == ["1", "oops", "3"]


def test_digit_groups_of_programmers_are_not_numbers(write: Any) -> None:
    assert read(write("a,b\n1_000,1\n2_000,2\n")).columns == ("b",)


def test_a_column_without_values_is_kept_but_not_used(write: Any) -> None:
    data = read(write("a,b\n1,\n2,\n"))
    assert data.columns == ("a",)
    assert data.table[1].role == "information"
    assert data.table[1].missing.all()


def test_names_of_items(write: Any) -> None:
    data = read(write("name,a,group\nanna,1,x\nbert,2,\n"), items="name", truth="group")
    assert data.items == ("anna", "bert")
    assert data.truth is not None
    assert data.truth.tolist() == [0, -1]


def test_long_numbers_that_name_items_keep_all_digits(write: Any) -> None:
    names = [str(2**60 + 1 + i) for i in range(10)]
    lines = [f"{name},{i}" for i, name in enumerate(names)]
    assert read(write("\n".join(["id,x", *lines]))).items == tuple(names)
    # Numbers as exact as any are measured.
    exact = [f"{10**17 * i},{i}" for i in range(10)]
    assert read(write("\n".join(["size,x", *exact]))).columns == ("size", "x")


def test_numeric_classes_come_in_the_order_of_numbers(write: Any) -> None:
    assert read(write("a,class\n1,10\n2,9\n3,2\n")).truth_names == ("2", "9", "10")


def test_repeated_and_empty_names(write: Any) -> None:
    assert read(write("a,a,,a\n1,2,3,4\n")).columns == ("a", "a (2)", "column 3", "a (3)")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-data"),
        ("\n \n", "empty-data"),
        ("a,b\n", "empty-data"),
        ("a,b\n1,2\n3\n5,6\n", "malformed-line"),
        ("a,b\n1,2\n3,4,5\n5,6\n", "malformed-line"),
        ("a,b\nx,y\nz,w\n", "no-numbers"),
        (b"PK\x03\x04\x00\x00", "not-text"),
        (b"\x1f\x8bnot gzip at all", "file-damaged"),
        ('a,b\n1,"2\n3,4\n', "malformed-line"),
    ],
)
def test_each_mistake_gets_one_sentence(write: Any, text: str | bytes, code: str) -> None:
    with refuses(code, DataError):
        read(write(text))


@pytest.mark.parametrize("role", ["truth", "items"])
def test_an_unknown_column_is_answered_with_the_known_ones(write: Any, role: str) -> None:
    with refuses("unknown-column", DataError, match="'z'"):
        read(write("a,b\n1,2\n"), **{role: "z"})


def test_a_missing_file(tmp_path: Path) -> None:
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.csv")


def test_a_table_longer_than_a_chunk_is_read_whole_and_checked_on_the_way(write: Any) -> None:
    rows = 20_000
    path = write("a,b\n" + "".join(f"{i / 2},{i % 7}\n" for i in range(rows)))
    context = Context()
    data = CSV().compute(path, params=CSV.Params(), context=context)
    np.testing.assert_array_equal(np.asarray(data.features)[:, 0], np.arange(rows) / 2)
    assert context.checks > 4


def test_text_after_many_numbers_still_makes_it_no_column_of_numbers(write: Any) -> None:
    path = write("a,b\n" + "1,1\n" * 9000 + "1,late\n")
    data = read(path)
    assert data.columns == ("a", "b = late")
    assert data.table[1].type == "category"
    assert data.table[1].words()[-2:] == ["1", "late"]
    old = read(path, features="numbers")
    assert old.columns == ("a",)
    assert old.table[1].role == "information"


def test_the_estimate_follows_the_size_of_the_file(write: Any) -> None:
    small, large = write("a\n1\n"), write("a\n" + "1\n" * 10**6, "large.csv")
    estimate = CSV().estimate
    assert estimate(small, params=CSV.Params()).bytes < estimate(large, params=CSV.Params()).bytes


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "n", "d", "classes", "missing"),
    [
        ("ionosphere.csv", 351, 34, 2, 0),
        ("glass.csv", 214, 9, 6, 0),
        ("lung_cancer.csv", 32, 56, 3, 5),
        ("usps.csv.gz", 9298, 256, 10, 0),
    ],
)
def test_real_tables(realdata: Path, name: str, n: int, d: int, classes: int, missing: int) -> None:
    data = read(realdata / name)
    assert (data.n, data.d, len(data.truth_names)) == (n, d, classes)
    assert int(np.isnan(np.asarray(data.features)).sum()) == missing


@pytest.mark.realdata
def test_a_real_table_with_names(realdata: Path) -> None:
    data = read(realdata / "barro_lee_2010_25plus.csv", items="country")
    assert data.items[0] == "Algeria"
    assert data.d == 11


def test_lines_of_empty_cells_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n,\n3,5\n\n4,4\n , \n")
    data = read(path)
    assert data.n == 3
    assert any("2 lines without any value left out: the first is line 3" in n for n in data.notes)


@pytest.mark.parametrize("params", [{}, {"types": {"b": "number"}}])
def test_infinite_cells_are_missing_and_named(write: Any, params: dict[str, Any]) -> None:
    data = read(write("a,b\n1,2\n2,inf\n3,5\n4,-1e999\n"), **params)
    assert np.isnan(np.asarray(data.features)).sum(axis=0).tolist() == [0, 2]
    said = next(note for note in data.notes if "infinite" in note)
    assert "2 cells are" in said
    assert "item 2" in said
    assert "item 4" in said
