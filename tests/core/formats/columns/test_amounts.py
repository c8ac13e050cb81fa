"""Numbers as people write them."""

from datetime import time

import numpy as np
import pytest

from coterie.core.formats.columns.amounts import read_amounts
from coterie.core.formats.columns.cells import cells_of
from coterie.core.formats.files.notation import Notation


@pytest.mark.parametrize(
    ("words", "values", "unit"),
    [
        (["1.201,5", "1,200.5", "-3,200.5", "7"], [1201.5, 1200.5, -3200.5, 7], ""),
        (["1.234.567,25", "1,234,567.75"], [1234567.25, 1234567.75], ""),
        (["(1.50)", "(1,200.25)", "3"], [-1.5, -1200.25, 3], ""),
        (["08:30", "23:59:59", "0:05"], [30600, 86399, 300], "s"),
        (["59:30", "1:02:10", "12:05"], [3570, 3730, 725], "s"),
        (["59:30", "12:05"], [214_200, 43_500], "s"),
        (["5.5", "7", "12:30"], [5.5, 7, np.nan], ""),
        (["5.5", "08:00", "12:30"], [np.nan, 28_800, 45_000], "s"),
        (["5 €", "1e999 €"], [5, np.nan], "€"),
    ],
)
def test_each_is_read_in_its_own_notation(words: list[str], values: list[float], unit: str) -> None:
    found = read_amounts(words, Notation())
    assert found is not None
    assert found.unit == unit
    np.testing.assert_array_equal(found.values, values)


@pytest.mark.parametrize(
    "words", [["(1)", "(2)"], ["1:75", "9:61"], ["12:30", "45 s"], ["12.34.56", "1,2,3"]]
)
def test_remarks_and_what_is_not_a_time_are_no_numbers(words: list[str]) -> None:
    assert read_amounts(words, Notation()) is None


def test_a_time_of_day_in_a_spreadsheet_is_a_number_of_seconds() -> None:
    found = cells_of("t", [time(1, 1, 1), None, time(0, 0, 30)])
    np.testing.assert_array_equal(found.numbers, [3661, np.nan, 30])
