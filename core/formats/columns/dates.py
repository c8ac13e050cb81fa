"""Dates in the notations that people and programs use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.core.model.columns import SECONDS_A_DAY

MANY = 0.9  # of the cells must be dates for the others to count as impossible ones
_EPOCH = date(1970, 1, 1).toordinal()
_TIME = (
    r"(?:[T ]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?\s*(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?(?:\s*Uhr)?)?"
)
_YEAR, _SHORT = r"(?P<year>\d{4})", r"(?P<year>\d{4}|\d{2})"
_NTH, _NAME = r"(?:st|nd|rd|th)?", r"(?P<name>[^\W\d]{3,10})\.?"
_PATTERNS = {
    "year-month-day": rf"{_YEAR}([-/.])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}})",
    "day.month.year": rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{_SHORT}",
    "day/month/year": rf"(?P<day>\d{{1,2}})([/-])(?P<month>\d{{1,2}})\2{_SHORT}",
    "month/day/year": rf"(?P<month>\d{{1,2}})([/-])(?P<day>\d{{1,2}})\2{_SHORT}",
    "day month year": rf"(?P<day>\d{{1,2}}){_NTH}[. -]+{_NAME}[ ,.-]+{_SHORT}",
    "month day, year": rf"{_NAME}\s+(?P<day>\d{{1,2}}){_NTH},?\s+{_YEAR}",
    "year-month": rf"{_YEAR}[-/](?P<month>0[1-9]|1[0-2])",
}
_COMPILED = {name: re.compile(pattern + _TIME) for name, pattern in _PATTERNS.items()}
_MONTHS = (
    ("jan", "ene", "gen", "sty"),
    ("feb", "fév", "fev", "lut"),
    ("mar", "mär", "mrz", "mrt"),
    ("apr", "avr", "abr", "kwi"),
    ("may", "mai", "mag", "mei", "maj"),
    ("jun", "juin", "giu", "cze"),
    ("jul", "juil", "lug", "lip"),
    ("aug", "aoû", "aou", "ago", "sie"),
    ("sep", "set", "wrz"),
    ("oct", "okt", "ott", "out", "paź"),
    ("nov", "lis"),
    ("dec", "dez", "déc", "dic", "gru"),
)
# The longest beginning decides: "juin" and "juil" both begin with "jui".
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
LOOKED_AT = 50  # words that say which notations are possible
_LONGEST = 40  # characters of a date


@dataclass(frozen=True)
class Dates:
    """Words read as dates.

    Attributes
    ----------
    seconds : since 1970-01-01 for each word, NaN where it is not a date
    wrong : indices of the words that are not, or that are of no calendar
    notation : how they are written, such as "day.month.year"
    unsure : whether day and month could as well be the other way round
    """

    seconds: Floats
    wrong: tuple[int, ...]
    notation: str
    unsure: bool = False


def read_dates(
    words: Sequence[str],
    counts: Array,
    *,
    day_first: bool = False,
    most_wrong: float | None = None,
) -> Dates | None:
    """Read the different words of a column as dates; None if they are not mostly dates.

    Parameters
    ----------
    counts : how many cells have each word
    day_first : how 1/2/2020 is read when nothing in the column decides
    most_wrong : share of the cells that need not be dates; by default one in ten

    Examples
    --------
    >>> read_dates(["1970-01-02", "1970-01-03"], np.array([1, 1])).seconds.tolist()
    [86400.0, 172800.0]
    """
    most_wrong = 1 - MANY if most_wrong is None else most_wrong
    total = int(counts.sum())
    # A sample from the whole column, as its first cells may be remarks.
    step = max(1, len(words) // LOOKED_AT)
    looked_at = [word for word in words[::step] if len(word) <= _LONGEST]
    likely = [
        name
        for name, pattern in _COMPILED.items()
        if any(pattern.fullmatch(word) for word in looked_at)
    ]
    slashes = ("day/month/year", "month/day/year")
    if not day_first and slashes[0] in likely:
        likely.sort(key=lambda name: name == slashes[0])
    found: dict[str, Floats] = {name: _seconds(words, _COMPILED[name]) for name in likely}
    missed = {name: int(counts[np.isnan(s)].sum()) for name, s in found.items()}
    if not missed:
        return None
    best = min(missed, key=missed.__getitem__)
    if missed[best] > most_wrong * total or np.isnan(found[best]).all():
        return None
    other = next((name for name in slashes if name != best), "")
    unsure = best in slashes and missed.get(other, total) == missed[best]
    wrong = tuple(np.flatnonzero(np.isnan(found[best])).tolist())
    return Dates(found[best], wrong, best, unsure)


def _seconds(words: Sequence[str], pattern: re.Pattern[str]) -> Floats:
    return np.array(
        [_moment(pattern.fullmatch(word[: _LONGEST + 1])) for word in words], dtype=np.float64
    )


def _moment(found: re.Match[str] | None) -> float:
    """Seconds since 1970-01-01; NaN when there is no such day."""
    if found is None:
        return np.nan
    parts = found.groupdict()
    name = (parts.get("name") or "").casefold()
    month = _month(name) if name else int(parts["month"])
    year = int(parts["year"])
    if len(parts["year"]) == 2:
        year += 2000 if year < 69 else 1900  # as POSIX reads them
    try:
        day = date(year, month, int(parts.get("day") or 1)).toordinal() - _EPOCH
    except ValueError:
        return np.nan
    return day * SECONDS_A_DAY + _time_of_day(parts)


def _month(name: str) -> int:
    return next((_MONTH_OF[name[:k]] for k in (4, 3) if name[:k] in _MONTH_OF), 0)


def _time_of_day(parts: dict[str, str | None]) -> float:
    if not parts["hour"]:
        return 0.0
    hour, minute, second = (int(parts[name] or 0) for name in ("hour", "minute", "second"))
    if half := (parts["half"] or "").lower():
        if not 1 <= hour <= 12:
            return np.nan
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if hour > 24 or minute > 59 or second > 60:
        return np.nan
    seconds = 3600.0 * hour + 60 * minute + second
    zone = parts["zone"] or ""
    if zone[:1] in ("+", "-"):
        digits = zone[1:].replace(":", "")
        ahead = 3600 * int(digits[:2]) + 60 * int(digits[2:])
        seconds -= ahead if zone[0] == "+" else -ahead
    return seconds
