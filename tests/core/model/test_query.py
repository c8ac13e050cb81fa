"""Queries: what they find, and what they refuse."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.errors import DataError
from coterie.core.model.query import DEEPEST, LONGEST, Columns, Named, matching
from tests.refusals import refuses

TABLE: Columns = {
    "width": np.array([0.2, 1.3, 2.0, np.nan]),
    "petal length (cm)": np.array([1.0, 2.0, 3.0, 4.0]),
    "species": np.array(["setosa", "virginica", "setosa", ""]),
    "bottle": np.array(["7 dwarfs", "red wine", "Red", "red-hot"]),
    "group": Named(np.array([0, 1, -1, 1]), ("far away", "near"), numbered=True),
}


def found(query: str) -> list[int]:
    return np.flatnonzero(matching(query, TABLE, 4)).tolist()


@pytest.mark.parametrize(
    ("query", "items"),
    [
        ('width > 1.2 and species == "setosa"', [2]),
        ("width > 1.2 or species == 'setosa'", [0, 1, 2]),
        ("not width > 1.2", [0, 3]),
        ("0.2 < width <= 2", [1, 2]),
        ("`petal length (cm)` * 2 - 1 >= 5", [2, 3]),
        ("petal_length_cm == 4", [3]),
        ("-width < -1", [1, 2]),
        ("species in ('virginica', 'other')", [1]),
        ("species not in ['virginica']", [0, 2]),
        ("species != 'setosa'", [1]),
        ("width == width", [0, 1, 2]),
        ("width != 2", [0, 1]),
        ("True", [0, 1, 2, 3]),
        ("WIDTH ≥ 1,3 AND Species = Setosa", [2]),
        ("petal length (cm) > 3 or petal_length_cm <> 4 and width<=0,2", [0, 3]),
        ("species ≠ setosa", [1]),
        ("species in (virginica, “setosa”)", [0, 1, 2]),
        ("species = –", [3]),
        ("width > −1", [0, 1, 2]),
        ("width-1>0,5", [2]),
        ("width in (0.2,2)", [0, 2]),
        ("bottle = red wine", [1]),
        ("'red wine' == bottle", [1]),
        ("group = 2", [1, 3]),
        ("group ≠ 2", [0]),
        ("group = far away", [0]),
        ("group = 'FAR away' or group = none", [0, 2]),
        ("group == bottle", []),
    ],
)
def test_a_query_finds_the_items_for_which_it_holds(query: str, items: list[int]) -> None:
    assert found(query) == items


@pytest.mark.parametrize(
    "query",
    [
        "__import__('os').system('true')",
        "width.__class__",
        "(lambda: 1)()",
        "[x for x in width]",
        "width[0] > 1",
        "open('x')",
        "f'{width}' == 'a'",
        "width if width else 1",
        "(width := 1)",
        "width ** 9**9**9 > 1",
        "'a' * 10**9 == 'b'",
        "width is None",
    ],
)
def test_nothing_but_conditions_is_taken(query: str) -> None:
    with pytest.raises(DataError):
        matching(query, TABLE, 4)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "invalid-query"),
        ("width >", "invalid-query"),
        ("widht > 1", "unknown-column"),
        ("zzz > 1", "unknown-column"),
        ("width + 1", "invalid-query"),
        ("width and species == 'a'", "invalid-query"),
        ("species + 1 > 2", "invalid-query"),
        ("species > 1", "invalid-query"),
        ("width in species", "invalid-query"),
        ("species = virginca", "unknown-column"),
        ("group + 1 > 2", "invalid-query"),
        ("width > 1 " * LONGEST, "invalid-query"),
        ("-" * (DEEPEST + 5) + "width > 1", "invalid-query"),
        ("(" * 300 + "width" + ")" * 300 + " > 1", "invalid-query"),
    ],
)
def test_a_query_that_is_wrong_says_how(query: str, code: str) -> None:
    with refuses(code, DataError):
        matching(query, TABLE, 4)


@pytest.mark.parametrize(
    ("query", "piece"),
    [
        ("Species + 1 > 2", "species"),
        ("-(species) > 2", "species"),
        ("(width * 2) and species = a", "width * 2"),
    ],
)
def test_an_error_names_the_columns_and_not_what_stands_in_for_them(query: str, piece: str) -> None:
    with refuses("invalid-query", DataError, match=rf"^'{re.escape(piece)}' is not a"):
        matching(query, TABLE, 4)


def test_letters_count_where_they_tell_values_apart() -> None:
    table = {"kind": np.array(["A", "a", "b"])}
    assert matching("kind = a", table, 3).tolist() == [False, True, False]
    assert matching("kind = B", table, 3).tolist() == [False, False, True]


def test_words_that_begin_with_a_number_are_one_name() -> None:
    assert found("bottle = 7 dwarfs") == [0]
    assert found("bottle = 'red-hot'") == [3]


@given(st.text(max_size=60) | st.text("width=<>≤,.()[]{}'\"`“”–− andori notspec12_", max_size=40))
def test_whatever_is_typed_is_answered_or_refused(query: str) -> None:
    try:
        result = matching(query, TABLE, 4)
    except DataError:
        return
    assert result.shape == (4,)
    assert result.dtype == bool
