"""Typed columns, and the parts they are stored as."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from coterie.core import DataError, Dataset
from coterie.core.model.columns import Column, Texts, category, dates_in_words
from coterie.core.model.encoding import Encoded, decode, encode


def _dataset() -> Dataset:
    income = np.array([1.0, np.nan, 3.0])
    table = (
        Column("income", income, unit="€"),
        category("sex", ["f", "", "m"], why="Few words."),
        Column("age", np.array([0, 1, 0]), "ordered", categories=("young", "old")),
        Column("since", np.array([0.0, 86400.0, np.nan]), "date", "information"),
        Column("remark", ["", "größer", "a"], "text", "information"),
        Column("id", ["1", "2", "3"], "identifier", "name"),
    )
    return Dataset(features=income[:, None], columns=("income",), table=table)


def test_columns_survive_encoding_and_are_stored_once() -> None:
    data = _dataset()
    parts = encode(data)
    assert parts.arrays["table/numbers"].shape == (3, 1)  # the date; the income is a feature
    back = decode(parts)
    for old, new in zip(data.table, back.table, strict=True):
        assert new.words() == old.words()
        about = ("name", "type", "role", "categories", "unit", "why")
        assert all(getattr(new, name) == getattr(old, name) for name in about)
    assert back.take(np.array([2, 0])).table[4].words() == ["a", ""]


def test_missing_values_are_known_as_such() -> None:
    missing = [int(column.missing.sum()) for column in _dataset().table]
    assert missing == [1, 1, 0, 1, 1, 0]


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("table/codes", np.full((3, 2), 7, dtype=np.int32)),
        ("table/codes", np.zeros((3, 1), dtype=np.int32)),
        ("table/codes", np.zeros((3, 2))),
        ("table/numbers", np.zeros((2, 1))),
        ("table/starts", np.array([0, 5, 3, 9, 9, 9, 9])),
        ("table/starts", np.array([0, 1, 2, 3, 4, 5, 10**12])),
        ("table/utf8", np.zeros(2, dtype=np.uint8)),
    ],
)
def test_parts_that_do_not_fit_are_refused(name: str, array: np.ndarray) -> None:
    parts = encode(_dataset())
    with pytest.raises(DataError):
        decode(replace(parts, arrays=parts.arrays | {name: array}))


@pytest.mark.parametrize(
    "change", [{"at": 9}, {"at": -1}, {"type": "tune"}, {"count": 99}, {"name": 1}]
)
def test_descriptions_that_do_not_fit_are_refused(change: dict[str, object]) -> None:
    parts = encode(_dataset())
    places = [place | change if place["name"] == "sex" else place for place in parts.meta["table"]]
    with pytest.raises(DataError):
        decode(Encoded(parts.type, 1, parts.meta | {"table": places}, parts.arrays, parts.strings))


def test_data_of_old_files_has_no_table() -> None:
    assert decode(encode(Dataset(features=np.eye(2)))).table == ()


def test_dates_reach_back_before_1970() -> None:
    assert dates_in_words(np.array([-86400.0 * 365 * 100, 3600.0])) == [
        "1870-01-25 00:00:00",
        "1970-01-01 01:00:00",
    ]


def test_texts_are_taken_in_any_order() -> None:
    texts = Texts.of(["äb", "", "c"])
    assert texts.take(np.array([2, 0, 0, 1])).tolist() == ["c", "äb", "äb", ""]
    assert texts[-1] == "c"


@pytest.mark.parametrize(
    "numbers", [[0, -1, 9, 10, 99, -100], [2**31 - 1, 2**31, -(2**53)], [-5], []]
)
@pytest.mark.parametrize("quick", [True, False], ids=["by Arrow", "without"])
def test_whole_numbers_are_written_as_python_writes_them(
    numbers: list[int], quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not quick:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    written = Texts.of_whole(np.array(numbers, dtype=np.float64))
    assert written.tolist() == [*map(str, numbers)]


@pytest.mark.parametrize("texts", [["ä", "", "b"], ["a\0b", "c", ""], ["", ""], ["a\nb"], []])
def test_texts_come_back_whatever_is_in_them(texts: list[str]) -> None:
    assert Texts.of(texts).tolist() == texts
