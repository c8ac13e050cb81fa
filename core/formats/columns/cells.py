"""One column of a file before anything is decided about it: its cells, each text kept once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.model.columns import dates_in_words, number_in_words

Place = Callable[[int], str]


def as_item(position: int) -> str:
    """Say where a cell is by the number of its item.

    >>> as_item(0)
    'of item 1'
    """
    return f"of item {position + 1}"


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a column, as numbers or as texts.

    Attributes
    ----------
    numbers : its values, NaN where missing, where all cells are numbers as the file writes them
    codes : for each cell an index into `words`, −1 where it is missing, where they are not
    words : the different texts, in the order in which they come
    dates : whether the numbers are seconds since 1970-01-01
    type, role : what the file itself says about it; "" when it says nothing
    categories : those that the file declares, in its order
    why : what in the file says so
    place : where a cell is, in words
    """

    name: str
    numbers: Floats | None = None
    codes: Array | None = None
    words: Sequence[str] = ()
    dates: bool = False
    type: str = ""
    role: str = ""
    categories: tuple[str, ...] = ()
    unit: str = ""
    why: str = ""
    place: Place = field(default=as_item)

    def __len__(self) -> int:
        return len(self.numbers if self.numbers is not None else self._codes)

    @property
    def _codes(self) -> Array:
        assert self.codes is not None
        return self.codes

    def counts(self) -> Array:
        """How many cells have each of the words."""
        return self._counted

    @cached_property
    def _counted(self) -> Array:
        return np.bincount(self._codes + 1, minlength=len(self.words) + 1)[1:]

    def known(self) -> int:
        """How many cells are not missing."""
        if self.numbers is not None:
            return len(self.numbers) - int(np.count_nonzero(np.isnan(self.numbers)))
        return int(self._counted.sum())

    def texts(self) -> list[str]:
        """All cells as text, "" where missing; whole numbers without a decimal point."""
        if self.numbers is None:
            return [*map((*self.words, "").__getitem__, self._codes.tolist())]
        if self.dates:
            return dates_in_words(self.numbers)
        return [number_in_words(value) for value in self.numbers.tolist()]

    def as_words(self) -> Cells:
        """The same cells as texts."""
        if self.numbers is None:
            return self
        codes, words = coded(self.texts(), ("",))
        return Cells(self.name, None, codes, words, place=self.place)

    def first(self, chosen: Collection[int]) -> int:
        """The position of the first cell that has one of the words at these indices."""
        found = np.isin(self._codes, list(chosen))
        return int(np.argmax(found)) if found.any() else 0


@dataclass
class Growing:
    """Texts that are taken in piece by piece, each kept once."""

    missing: frozenset[str]
    index: dict[str, int] = field(default_factory=dict)
    codes: list[Array] = field(default_factory=list)

    def take(self, cells: Iterable[str]) -> None:
        """Add cells."""
        index = self.index
        found = [index.setdefault(cell, len(index)) for cell in cells]
        self.codes.append(np.array(found, dtype=np.int32))

    def take_coded(self, words: Sequence[str], codes: Array) -> None:
        """Add cells that are given as indices into words."""
        index = self.index
        here = np.array([index.setdefault(word, len(index)) for word in words], dtype=np.int32)
        same = np.array_equal(here, np.arange(len(here)))
        self.codes.append(codes.astype(np.int32, copy=False) if same else here[codes])

    def grown(self) -> tuple[Array, list[str]]:
        """Return the code of each cell, −1 where missing, and the words."""
        codes = np.concatenate(self.codes) if self.codes else np.zeros(0, np.int32)
        words = list(self.index)
        absent = [word.casefold() in self.missing for word in words]
        if any(absent):
            known = ~np.array(absent)
            renumbered = np.where(known, np.cumsum(known) - 1, -1).astype(np.int32)
            codes = renumbered[codes]
            words = [w for w, out in zip(words, absent, strict=True) if not out]
        return codes, words


def coded(cells: Iterable[str], missing: Collection[str]) -> tuple[Array, list[str]]:
    """Return the code of each cell, −1 where missing, and the different texts.

    >>> coded(["b", "a", "", "b"], [""])[1]
    ['b', 'a']
    """
    growing = Growing(frozenset(missing))
    growing.take(cells)
    return growing.grown()


def cells_of(
    name: str,
    values: Sequence[Any],
    missing: Collection[str] = ("",),
    *,
    truth_as_numbers: bool = False,
) -> Cells:
    """Return Python values as cells: numbers, truth values, dates, texts, None for missing.

    A text that reads as a number is one: spreadsheets often keep numbers as text.

    Parameters
    ----------
    truth_as_numbers : whether true and false are 1 and 0, rather than categories

    >>> cells_of("a", [1, "2.5", None]).numbers
    array([1. , 2.5, nan])
    """
    absent = frozenset(missing)
    numbers = np.full(len(values), np.nan)
    kinds = set()
    texts: list[str] = []
    for i, value in enumerate(values):
        if truth_as_numbers and isinstance(value, bool):
            value = int(value)
        kind, number, text = _read(value, absent)
        kinds.add(kind)
        numbers[i] = number
        texts.append(text)
    kinds.discard("")
    if kinds <= {"number"} or kinds == {"date"}:
        return Cells(name, numbers, dates=kinds == {"date"})
    codes, words = coded(texts, ("",))
    return Cells(name, None, codes, words)


def _read(value: Any, missing: frozenset[str]) -> tuple[str, float, str]:
    """What kind of cell it is, as a number and as a text; no kind when it is missing."""
    from datetime import date, datetime, time, timedelta

    match value:
        case None:
            return "", np.nan, ""
        case bool():
            return "truth", np.nan, "TRUE" if value else "FALSE"
        case int() | float():
            number = float(value)
            return ("number" if number == number else ""), number, number_in_words(number)
        case datetime() | date():
            seconds = _seconds(value)
            return "date", seconds, dates_in_words(np.array([seconds]))[0]
        case time():
            seconds = 3600.0 * value.hour + 60.0 * value.minute + value.second
            return "number", seconds, number_in_words(seconds)
        case timedelta():
            return "number", value.total_seconds(), number_in_words(value.total_seconds())
    text = str(value).strip()
    if text.casefold() in missing:
        return "", np.nan, ""
    try:
        return "number", float(text.replace("_", "x")), text
    except ValueError:
        return "text", np.nan, text


def _seconds(value: Any) -> float:
    """Seconds since 1970-01-01 in the date's own time zone."""
    from datetime import datetime

    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    return float((moment.replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds())
