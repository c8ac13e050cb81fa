"""What columns are used for, by all of them together."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import DataError
from coterie.core.formats.columns.cells import Cells, cells_of
from coterie.core.formats.columns.typed_table import ColumnChoices, typed_columns, typed_dataset
from tests.refusals import refuses

N = 40
SIZES = [i * 0.5 + (i % 7) for i in range(N)]


def cells(**columns: list[Any]) -> list[Cells]:
    return [cells_of(name, values) for name, values in columns.items()]


def roles(**columns: list[Any]) -> dict[str, str]:
    table = typed_columns(cells(**columns), ColumnChoices())
    assert all(column.why for column in table)
    return {column.name: column.role for column in table}


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("anything", list(range(100, 100 + N)), "name"),  # a running number, not from 1
        ("anything", list(range(1, N + 1)), "information"),
        ("year", list(range(1980, 1980 + N)), "feature"),
        ("customer_id", [7, 3] * (N // 2), "information"),
        ("Kundennummer", [5 + (i * 7919) % 10007 for i in range(N)], "name"),
        ("visits", [(i * 7919) % 10007 for i in range(N)], "feature"),
        ("anything", [1] * N, "feature"),  # constant: flagged, and harmless
        ("anything", ["x"] * N, "information"),
        ("city", [f"city of {'x' * (i % 18)}" for i in range(N)], "information"),
        ("kind", ["p", "q"] * (N // 2), "feature"),
    ],
)
def test_a_column_beside_numbers(name: str, values: list[Any], role: str) -> None:
    assert roles(**{name: values, "size": SIZES})[name] == role


def test_an_identifier_is_not_a_number() -> None:
    table = typed_columns(cells(nr=list(range(100, 100 + N)), size=SIZES), ColumnChoices())
    assert table[0].type == "identifier"
    assert table[0].words()[:2] == ["100", "101"]


@pytest.mark.parametrize(
    ("days", "role"),
    [
        (range(30), "information"),
        (range(60, 0, -2), "information"),
        ([*range(29), 27], "feature"),
        (range(5), "feature"),
    ],
)
def test_dates_of_records_over_time_are_not_compared(days: Any, role: str) -> None:
    when = [date(2024, 1, 1) + timedelta(days=day) for day in days]
    cells = [cells_of("when", when), cells_of("a", [i % 7 + 0.5 for i in range(len(when))])]
    assert typed_columns(cells, ColumnChoices())[0].role == role


def test_a_running_number_alone_is_used_all_the_same() -> None:
    assert roles(t0=list(range(N))) == {"t0": "feature"}


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (["p", "q"] * (N // 2), "label"),
        ([0, 1] * (N // 2), "label"),
        (SIZES, "information"),  # a continuous target
        ([float(i * 31 % 97) for i in range(N)], "information"),
    ],
)
def test_a_target_is_a_label_unless_it_is_continuous(values: list[Any], role: str) -> None:
    assert roles(a=SIZES, target=values)["target"] == role


def test_classes_need_not_come_last_and_a_lone_category_at_the_end_is_one() -> None:
    assert roles(species=["p", "q"] * 20, a=SIZES, b=SIZES)["species"] == "label"
    assert roles(a=SIZES, b=SIZES, kind=["p", "q"] * 20)["kind"] == "label"
    assert roles(kind=["p", "q"] * 20, a=SIZES, b=SIZES)["kind"] == "feature"
    assert roles(a=SIZES, c=["u", "v"] * 20, kind=["p", "q"] * 20)["kind"] == "feature"


def test_names_that_repeat_are_names_when_the_column_is_called_so() -> None:
    repeating = [f"car {'x' * (i if i < 30 else 3)}" for i in range(N)]
    assert roles(Name=repeating, a=SIZES)["Name"] == "name"
    unique = [f"item {chr(97 + i % 26)}{i}" for i in range(N)]
    assert roles(whatever=unique, a=SIZES)["whatever"] == "name"
    both = roles(whatever=unique, name=unique, a=SIZES)
    assert (both["whatever"], both["name"]) == ("information", "name")


def test_what_a_person_chose_is_not_guessed() -> None:
    choices = ColumnChoices(roles={"nr": "feature", "kind": "information"}, types={"nr": "number"})
    found = typed_columns(
        cells(nr=list(range(N)), kind=["p", "q"] * 20, class_=[0, 1] * 20), choices
    )
    assert [column.role for column in found] == ["feature", "information", "label"]
    table = typed_columns(cells(a=SIZES, w=[1.0] * N), ColumnChoices(roles={"w": "weight"}))
    assert (table[1].role, table[1].type) == ("weight", "number")


def test_a_column_left_out_is_kept_as_information() -> None:
    data = typed_dataset(
        Path("t.csv"),
        cells(a=SIZES, b=SIZES, label=["p", "q"] * 20),
        ColumnChoices(leave_out=["label"]),
    )
    assert data.truth is None
    assert data.table[2].role == "information"
    assert data.columns == ("a", "b")


def test_a_dataset_has_all_columns_and_says_what_is_missing() -> None:
    sizes: list[Any] = [*SIZES[:-1], None]
    data = typed_dataset(
        Path("t.csv"),
        cells(name=[f"i{i}" for i in range(N)], a=sizes, kind=["p", None] * 20, other=[3.5] * N),
        ColumnChoices(roles={"other": "information"}),
    )
    assert data.columns == ("a", "kind = p")[: data.d]
    assert [column.name for column in data.table] == ["name", "a", "kind", "other"]
    assert data.items[0] == "i0"
    assert np.shares_memory(data.table[1].values, data.features)
    two = typed_dataset(
        Path("t.csv"), cells(a=sizes, kind=["p", "q"] * 19 + ["p", None]), ColumnChoices()
    )
    assert any("No value is known for 1 item: 40." in note for note in two.notes)


def test_only_texts_are_refused_and_so_is_a_column_that_is_not_there() -> None:
    texts = [f"text number {i} of them {'x' * i}" for i in range(N)]
    with refuses("no-numbers", DataError):
        typed_dataset(Path("t.csv"), cells(a=texts, b=texts), ColumnChoices())
    for choices in (ColumnChoices(types={"z": "number"}), ColumnChoices(roles={"z": "feature"})):
        with refuses("unknown-column", DataError, match="'z'"):
            typed_dataset(Path("t.csv"), cells(a=SIZES), choices)


def test_numbers_alone_are_the_features_as_they_were_in_0_1() -> None:
    data = typed_dataset(
        Path("t.csv"),
        cells(nr=list(range(N)), kind=["p", "q"] * 20, a=SIZES, target=SIZES),
        ColumnChoices(features="numbers"),
    )
    assert data.columns == ("nr", "a")
    assert data.truth_column == "target"
    assert data.table[1].role == "information"
