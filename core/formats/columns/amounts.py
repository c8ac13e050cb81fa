"""Numbers as people write them: with a currency, a percent sign or a unit, in their notation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.formats.files.notation import NOTATIONS, Notation
from coterie.core.model.arrays import Array, Floats

MANY = 0.9  # of the cells must be numbers for the others to count as mistakes
FEW_MARKS = 2  # different words that may stand for missing among the numbers of half the cells
FEWEST_NUMBERS = 10  # different ones; fewer may as well be the codes of answers
LOOKED_AT = 1000  # words by which the notation is chosen
CURRENCIES = (
    *("€", "$", "£", "¥", "₹", "₽", "₺", "₩", "₪", "₫", "฿", "₴", "¢"),
    *("US$", "R$", "A$", "C$", "CHF", "EUR", "USD", "GBP", "JPY", "CNY", "INR", "SEK", "NOK"),
    *("DKK", "PLN", "CZK", "HUF", "TRY", "BRL", "CAD", "AUD", "Euro", "Fr.", "kr", "kr."),
    *("zł", "Kč", "Ft", "TL"),
)
UNITS = (
    *("%", "‰", "°C", "°F", "°", "kg", "g", "mg", "t", "km", "m", "cm", "mm", "l", "ml", "h"),
    *("min", "s", "ms", "kWh", "kW", "km/h", "m²", "m2", "lb", "lbs", "ft", "mi"),
)
_LONGEST_FIRST = sorted((*CURRENCIES, *UNITS), key=len, reverse=True)
_AFTER = "|".join(map(re.escape, _LONGEST_FIRST))
_BEFORE = "|".join(map(re.escape, sorted((*CURRENCIES, "%"), key=len, reverse=True)))
_AMOUNT = re.compile(
    rf"(?P<sign>[-+−–]?)\s*(?:(?P<before>{_BEFORE})\s*)?(?P<inner>[-+−–]?)\s*"
    rf"(?P<number>\d[\d.,'’\s\u00a0\u202f]*(?:[eE][-+]?\d+)?|[.,]\d+)(?P<minus>[-−]?)\s*"
    rf"(?P<after>{_AFTER})?",
    re.IGNORECASE,
)
_LETTERS = {unit.casefold(): unit for unit in (*CURRENCIES, *UNITS)}
_LONGEST = 60  # characters of an amount
_SPACES = re.compile(r"[\s\u00a0\u202f]+")
_TIME = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?")
_TIMES, _DAY = ("h:m", "h:m:s"), 86_400
_TWO_MARKS = re.compile(r"\d{1,3}(?:,\d{3})+\.\d*|\d{1,3}(?:\.\d{3})+,\d*")
_ONE_MARK = re.compile(r"\d+[.,]\d+|\d+")
_GROUP_LIKE = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")


@dataclass(frozen=True)
class Amounts:
    """Words read as numbers.

    Attributes
    ----------
    values : one for each word, NaN where it is not a number
    wrong : the indices of the words that are not
    unit : that of all of them, "" for none
    mixed : whether two notations are used
    """

    values: Floats
    wrong: tuple[int, ...]
    unit: str
    mixed: bool = False


def read_amounts(words: Sequence[str], notation: Notation) -> Amounts | None:
    """Read the different words of a column as numbers with at most one unit; None if there is none.

    The notation of the file is tried first, then the others, then both marks at once.

    >>> read_amounts(["1.295,08 €", "3 €"], Notation()).values.tolist()
    [1295.08, 3.0]
    """
    parts = _alike([_parts(word) for word in words])
    units = Counter(unit for unit, _ in parts if unit)
    if len(units) > 1:
        return None  # amounts in two currencies are not one column of numbers
    unit = next(iter(units), "")
    unit = "s" if unit == _TIMES[1] else unit
    bare = [number for _, number in parts]
    if not any(bare):
        return None
    best = _best_notation(bare, notation)
    values = _numbers(bare, best)
    mixed = False
    if np.isnan(values).any():
        either = _numbers_by_either_mark(bare, best)
        mixed = bool(np.isnan(either).sum() < np.isnan(values).sum())
        values = either if mixed else values
    values = np.where(np.isfinite(values), values, np.nan)
    wrong = tuple(np.flatnonzero(np.isnan(values)).tolist())
    return None if len(wrong) == len(words) else Amounts(values, wrong, unit, mixed)


def bare_number(cell: str) -> str:
    """Return the number of a cell without its unit, or the cell as it is when it is not one.

    >>> bare_number("1.295,08 €"), bare_number("none")
    ('1.295,08', 'none')
    """
    return _parts(cell)[1] or cell


def mostly_numbers(amounts: Amounts, counts: Array) -> bool:
    """Whether so many cells are numbers that the others are mistakes or remarks."""
    wrong = int(counts[list(amounts.wrong)].sum())
    different = len(amounts.values) - len(amounts.wrong)
    # A word or two that come again and again stand for what is not known.
    most = 1 - MANY if len(amounts.wrong) > FEW_MARKS else 0.5
    return wrong <= most * int(counts.sum()) and different >= FEWEST_NUMBERS


def _parts(word: str) -> tuple[str, str]:
    """The unit of a word, and its number in the notation of the file; "" when it is not one."""
    if len(word) > _LONGEST:
        return "", ""
    if time := _TIME.fullmatch(word):  # of a day, or how long something takes
        hours, minutes, seconds = (int(part or 0) for part in time.groups())
        return _TIMES[time[3] is not None], str(3600 * hours + 60 * minutes + seconds)
    bracketed = word.startswith("(") and word.endswith(")")
    found = _AMOUNT.fullmatch(word[1:-1].strip() if bracketed else word)
    if found is None or (found["before"] and found["after"]):
        return "", ""
    marks = [found["sign"], found["inner"], found["minus"]]
    negative = bracketed or any(mark and mark in "-−–" for mark in marks)
    unit = found["before"] or found["after"] or ""
    if bracketed and not unit and not re.search(r"\d[.,]\d", word):
        return "", ""  # a remark such as (1) rather than a loss
    number = _SPACES.sub(" ", found["number"].strip()).replace("’", "'")
    return _LETTERS.get(unit.casefold(), unit), f"-{number}" if negative else number


def _alike(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Times or plain numbers, whichever are more: 12:30 among scores is not 45,000 points.

    Beside 1:02:10, and where a day has no such hour, 59:30 is minutes and seconds.
    """
    units = [unit if unit or not number else "plain" for unit, number in parts]
    plain, times = units.count("plain"), sum(unit in _TIMES for unit in units)
    if plain and times:
        wrong = _TIMES if times <= plain else ("plain",)
        parts = [("", "") if u in wrong else part for u, part in zip(units, parts, strict=True)]
    short = [int(number) for unit, number in parts if unit == _TIMES[0]]
    shorter = len(short) < times and max(short, default=0) >= _DAY
    return [
        (_TIMES[1], str(int(number) // 60 if shorter and unit == _TIMES[0] else number))
        if unit in _TIMES
        else (unit, number)
        for unit, number in parts
    ]


def _best_notation(bare: Sequence[str], notation: Notation) -> Notation:
    step = max(1, len(bare) // LOOKED_AT)
    some = [[number for number in bare[::step] if number]]
    # Of those that read as many cells, the first: that of the file.
    possible = [notation, *(Notation(*marks, notation.missing) for marks in NOTATIONS)]
    return max(possible, key=lambda one: one.count(some))


def _numbers(bare: Sequence[str], notation: Notation) -> Floats:
    found = [notation.number(number) if number else None for number in bare]
    return np.array([np.nan if value is None else value for value in found])


def _numbers_by_either_mark(bare: Sequence[str], notation: Notation) -> Floats:
    """Both 1,5 and 2.5 are numbers; what may be a group of digits is read as the notation says."""

    def number(text: str) -> float:
        found = notation.number(text) if text else None
        if found is not None:
            return found
        plain = text.lstrip("-")
        if _TWO_MARKS.fullmatch(plain):  # the last of the two is the decimal mark
            last = max(text, key=lambda mark: text.rfind(mark) if mark in ".," else -1)
            return float(text.replace(".,".replace(last, ""), "").replace(last, "."))
        if not _ONE_MARK.fullmatch(plain) or _GROUP_LIKE.fullmatch(plain):
            return np.nan
        return float(text.replace(",", "."))

    return np.array([number(text) for text in bare])
