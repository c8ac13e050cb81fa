"""How numbers and cells are read from text."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.formats.files.delimited import find_format, peek, read_columns
from coterie.core.formats.files.notation import Notation
from coterie.core.formats.files.tabular import unique_names
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("decimal", "thousands", "cell", "number"),
    [
        (".", "", "1.5", 1.5),
        (".", "", "1,5", None),
        (",", "", "1,5", 1.5),
        (",", "", "1.5", None),
        (".", ",", "1,234", 1234),
        (".", ",", "12,34", None),
        (".", " ", "1\xa0234", 1234),
        (",", ".", "-1.234.567,25", -1234567.25),
        (".", ",", "-1e5", -1e5),
        (".", "", "1_000", None),
        (".", "", "x", None),
    ],
)
def test_numbers(decimal: str, thousands: str, cell: str, number: float | None) -> None:
    assert Notation(decimal, thousands).number(cell) == number


def test_the_quick_way_reads_what_the_slow_way_reads(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n-999,nan\n3e2,inf\n")
    form = find_format(path, missing="-999 nan")
    a, b = read_columns(path, form)
    assert a.numbers is not None
    assert b.numbers is not None
    np.testing.assert_array_equal(a.numbers, [1, np.nan, 300])
    np.testing.assert_array_equal(b.numbers, [2, np.nan, np.inf])


def test_lines_of_remarks_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("# made by hand\n1 2\n% more\n3 4\n")
    form = find_format(path, comment="#%")
    columns = read_columns(path, form, comment="#%")
    assert [column.words() for column in columns] == [["1", "3"], ["2", "4"]]


def test_peeking_reads_the_first_lines_only(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 1000)
    names, rows = peek(path, find_format(path), 3)
    assert names == ["a", "b"]
    assert rows == [["1", "2"]] * 3


def test_a_decimal_comma_is_not_taken_for_what_parts_the_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{i},05;1.{200 + i},5;Zurich {i};a\n" for i in range(30)]
    path.write_text("size;price;place;class\n" + "".join(rows))
    form = find_format(path)
    assert form.delimiter == ";"
    assert (form.notation.decimal, form.notation.thousands) == (",", ".")


def test_a_hundred_thousand_columns_of_one_name_are_told_apart() -> None:
    names = unique_names(["x"] * 100_000)
    assert len(set(names)) == 100_000
    assert names[:3] == ["x", "x (2)", "x (3)"]


def test_a_line_longer_than_any_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.core.formats.files.delimited.MOST_LINE", 1 << 20)
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1," * (1 << 20))
    with refuses("malformed-line", DataError, match="'long.csv'"):
        find_format(path)
