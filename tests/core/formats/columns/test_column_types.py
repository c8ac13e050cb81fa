"""The type of a column, by all its cells."""

import numpy as np
import pytest

from coterie.core import DataError
from coterie.core.formats.columns.cells import Cells, cells_of, coded
from coterie.core.formats.columns.column_types import asked_column, guessed_column
from coterie.core.formats.files.notation import Notation
from coterie.core.model.columns import Column
from tests.refusals import refuses


def column(*texts: str, notation: Notation | None = None, name: str = "a") -> Column:
    codes, words = coded(texts, ("", "na"))
    return guessed_column(Cells(name, None, codes, words), notation or Notation())


GERMAN = Notation(",", ".")


@pytest.mark.parametrize(
    ("texts", "values", "unit"),
    [
        (("295,08 €", "8.012,10 €"), (295.08, 8012.1), "€"),
        (("€ 3", "EUR 4"), None, ""),  # two units are not one column of numbers
        (("$1,234.50", "-$2"), (1234.5, -2), "$"),
        (("(5.50 $)", "2 $"), (-5.5, 2), "$"),
        (("0,6 %", "10,0 %"), (0.6, 10), "%"),
        (("1 234,5 kr", "7 kr"), (1234.5, 7), "kr"),
        (("−3 °C", "4 °C"), (-3, 4), "°C"),
        (("5-", "6"), (-5, 6), ""),
        (("CHF 1'200.50", "CHF 3"), (1200.5, 3), "CHF"),
        (("12 kg", "3.5 kg", "na"), (12, 3.5, np.nan), "kg"),
    ],
)
def test_amounts_are_numbers_with_a_unit(
    texts: tuple[str, ...], values: tuple[float, ...] | None, unit: str
) -> None:
    found = column(*texts)
    if values is None:
        assert found.type != "number"
        return
    assert (found.type, found.role, found.unit) == ("number", "feature", unit)
    np.testing.assert_array_equal(found.values, values)
    assert found.why


def test_both_decimal_marks_are_read_and_that_is_said() -> None:
    found = column("1,5", "2.5", "3,25", "0.75")
    np.testing.assert_array_equal(found.values, [1.5, 2.5, 3.25, 0.75])
    assert any("decimal mark" in note for note in found.notes)


def test_a_word_that_comes_again_and_again_among_numbers_stands_for_missing() -> None:
    numbers = [f"{value / 7:.2f}" for value in range(40)]
    found = column(*numbers, *["about five"] * 20)
    assert found.type == "number"
    assert np.isnan(found.values[40:]).all()
    assert any("'about five'" in note for note in found.notes)
    remarks = [f"about {word}" for word in ("one", "two", "three", "four", "five")] * 4
    assert column(*numbers, *remarks).type != "number"


def test_a_group_of_three_digits_follows_the_notation_of_the_file() -> None:
    assert column("1.234 €", "7 €", notation=GERMAN).values.tolist() == [1234, 7]
    assert column("1.234 €", "7 €").values.tolist() == [1.234, 7]


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (("17.02.2019", "07.11.2020"), "2019-02-17"),
        (("2019-02-17", "2020-11-07"), "2019-02-17"),
        (("2019/2/17", "2020/11/7"), "2019-02-17"),
        (("17/02/2019", "07/11/2020"), "2019-02-17"),
        (("02/17/2019", "11/07/2020"), "2019-02-17"),
        (("17 February 2019", "7 Nov 2020"), "2019-02-17"),
        (("17. Februar 2019", "7. März 2020"), "2019-02-17"),
        (("Feb 17, 2019", "March 7, 2020"), "2019-02-17"),
        (("17.02.19", "07.11.20"), "2019-02-17"),
        (("17.02.1819", "07.11.1820"), "1819-02-17"),
        (("2019-02", "2020-11"), "2019-02-01"),
    ],
)
def test_dates_in_the_common_notations(texts: tuple[str, ...], first: str) -> None:
    found = column(*texts)
    assert (found.type, found.role) == ("date", "feature")
    assert found.words()[0] == first


def test_times_of_day_and_zones() -> None:
    found = column("2019-02-17T12:30:00Z", "2019-02-17 12:30+02:00", "2019-02-17 01:05 pm")
    assert found.type == "date"
    assert found.words() == ["2019-02-17 12:30:00", "2019-02-17 10:30:00", "2019-02-17 13:05:00"]


def test_impossible_dates_are_missing_and_named() -> None:
    found = column(*[f"{day}.01.2020" for day in range(1, 20)], "31.02.2020")
    assert found.type == "date"
    assert int(found.missing.sum()) == 1
    assert "'31.02.2020' of item 20" in found.notes[0]


def test_what_comes_first_in_a_date_is_told_when_nothing_decides() -> None:
    month_first, day_first = column("01/02/2020"), column("01/02/2020", notation=GERMAN)
    assert (month_first.words(), day_first.words()) == (["2020-01-02"], ["2020-02-01"])
    assert month_first.notes
    assert not column("13/02/2020", "01/02/2020").notes


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("ja", "nein", "ja"), ("nein", "ja")),
        (("TRUE", "FALSE", "TRUE"), ("FALSE", "TRUE")),
        (("oui", "non", ""), ("non", "oui")),
        (("Sí", "No", "No"), ("No", "Sí")),
    ],
)
def test_yes_and_no_in_several_languages(words: tuple[str, ...], names: tuple[str, ...]) -> None:
    found = column(*words)
    assert (found.type, found.categories) == ("category", names)


def test_the_steps_of_a_scale_are_ordered() -> None:
    found = column("high", "low", "medium", "low")
    assert (found.type, found.categories) == ("ordered", ("low", "medium", "high"))


def test_texts_that_come_again_are_categories_and_others_are_not() -> None:
    assert column("b", "a", "b", "a").categories == ("a", "b")
    assert column(*(f"K{i:04}" for i in range(50))).type == "identifier"
    assert column(*(f"the text of number {'x' * i} here" for i in range(50))).type == "text"
    assert column("007", "012", "007", "012", "007").type == "category"
    empty = column("", "na", "")
    assert (empty.role, bool(empty.missing.all())) == ("information", True)


def test_a_few_remarks_among_many_numbers_are_missing_and_named() -> None:
    found = column(*map(str, range(30)), "see below")
    assert found.type == "number"
    assert "'see below' of item 31" in found.notes[0]
    # With few different numbers they may be codes, and the text one of them.
    assert column(*"123" * 20, "other").type == "category"


def test_a_type_that_is_asked_for() -> None:
    cells = cells_of("a", ["5", "7", "5"])
    assert asked_column(cells, "category", Notation()).categories == ("5", "7")
    assert asked_column(cells, "ordered", Notation()).type == "ordered"
    assert asked_column(cells, "identifier", Notation()).words() == ["5", "7", "5"]
    mixed = asked_column(cells_of("b", ["x", "7", "y"]), "number", Notation())
    np.testing.assert_array_equal(mixed.values, [np.nan, 7, np.nan])
    assert "'x' of item 1" in mixed.notes[0]
    for kind in ("number", "date"):
        with refuses("wrong-type", DataError, match="'x' of item 1"):
            asked_column(cells_of("b", ["x", "y"]), kind, Notation())


def test_values_of_a_spreadsheet() -> None:
    from datetime import date, datetime

    dates = cells_of("d", [date(2020, 1, 2), datetime(1899, 12, 31, 6), None])
    assert guessed_column(dates, Notation()).words() == [
        "2020-01-02 00:00:00",
        "1899-12-31 06:00:00",
        "",
    ]
    truth = guessed_column(cells_of("t", [True, False, None, True]), Notation())
    assert truth.categories == ("FALSE", "TRUE")
    assert guessed_column(cells_of("n", [1, "2", 3.5]), Notation()).type == "number"
