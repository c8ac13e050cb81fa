"""Columns put to their uses."""

from pathlib import Path

import numpy as np

from coterie.core import DataError
from coterie.core.formats.files.tabular import (
    FileColumn,
    classes_of,
    table_dataset,
    title_of,
    unique_names,
)
from tests.refusals import refuses

NUMBERS = FileColumn("a", np.array([1.0, np.nan, 3.0]))
WORDS = FileColumn("name", None, ("x", "", "y"), "'x' is not a number")


def test_columns_become_features_classes_and_names() -> None:
    data = table_dataset(Path("t.csv"), [NUMBERS, WORDS], truth="name")
    assert data.columns == ("a",)
    assert data.truth is not None
    assert data.truth.tolist() == [0, -1, 1]
    assert data.notes == ("1 cell is missing, in 1 of 1 columns.",)
    assert table_dataset(Path("t.csv"), [NUMBERS, WORDS], items="name").items == ("x", "", "y")


def test_whole_numbers_are_classes_without_a_decimal_point() -> None:
    data = table_dataset(
        Path("t.csv"), [NUMBERS, FileColumn("kind", np.array([2.0, np.nan, 10.5]))], truth="kind"
    )
    assert data.truth_names == ("2", "10.5")


def test_a_last_column_with_a_telling_name_is_the_truth_and_that_is_said() -> None:
    data = table_dataset(Path("t.csv"), [NUMBERS, FileColumn("Class", None, ("p", "q", "p"))])
    assert data.truth_column == "Class"
    assert data.details["guessed"] == {"truth": "Class"}
    assert "because of its name" in data.notes[0]


def test_what_is_left_out_is_said_and_nothing_left_is_refused() -> None:
    empty = FileColumn("b", np.full(3, np.nan))
    notes = table_dataset(Path("t.csv"), [NUMBERS, WORDS, empty]).notes
    assert "Column 'name' was left out: 'x' is not a number." in notes
    assert "Column 'b' was left out: it holds no values." in notes
    with refuses("no-numbers", DataError, match="'name'"):
        table_dataset(Path("t.csv"), [WORDS, empty], advice="Try another.")
    with refuses("unknown-column", DataError):
        table_dataset(Path("t.csv"), [NUMBERS], truth="z")


def test_names_and_classes() -> None:
    assert unique_names(["", "a", "a", "a (2)"]) == ["column 1", "a", "a (2)", "a (2) (2)"]
    assert classes_of(["b", "10", "9"])[1] == ("9", "10", "b")
    assert title_of(Path("x/archive.tar.gz")) == "archive"
