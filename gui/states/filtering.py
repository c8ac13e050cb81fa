"""What is typed to see fewer rows: a part of a name, or comparisons such as "age > 3".

Comparisons are joined by "and"; a column's name is written as it stands above the column.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.arrays import Array
from coterie.gui.states.columns import Column

_COMPARISON = re.compile(r"(.*?)\s*(<=|>=|!=|≤|≥|≠|=|<|>)\s*(.*)")
_COMPARE: dict[str, Callable[[Array, float], Array]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
    "≤": operator.le, "≥": operator.ge, "=": operator.eq, "!=": operator.ne, "≠": operator.ne,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Filtered:
    """A mask of the rows to show, and a sentence when what was typed cannot be followed."""

    kept: Array
    problem: str = ""


def filtered(columns: Sequence[Column], n: int, text: str) -> Filtered:
    """Return which of n rows match what was typed; all, when it cannot be followed."""
    everything = np.ones(n, dtype=bool)
    text = text.strip()
    if not text:
        return Filtered(everything)
    terms = re.split(r"\s+and\s+", text, flags=re.IGNORECASE)
    comparisons = [_COMPARISON.fullmatch(term) for term in terms]
    # A text with a sign in it that names no column is still a text to look for.
    known = {column.title.casefold(): column for column in columns}
    first = comparisons[0]
    if first is None or (len(terms) == 1 and first[1].strip().casefold() not in known):
        if first is not None and _is_number(first[3]):
            return Filtered(everything, _no_column(first[1].strip(), columns))
        return Filtered(containing(columns, n, text))
    kept = everything
    for term, found in zip(terms, comparisons, strict=True):
        if found is None:
            return Filtered(
                everything, f"“{term}” compares nothing. Write for example: age > 3 and group = 1."
            )
        name, sign, value = (part.strip() for part in found.groups())
        column = known.get(name.casefold())
        if column is None:
            return Filtered(everything, _no_column(name, columns))
        outcome = _compared(column, sign, value.strip("\"'“”"), n)
        if isinstance(outcome, str):
            return Filtered(everything, outcome)
        kept = kept & outcome
    return Filtered(kept)


def containing(columns: Sequence[Column], n: int, text: str) -> Array:
    """Return a mask of the rows with `text` in a name: the item's, its group's or its class's."""
    wanted = text.casefold()
    found = np.zeros(n, dtype=bool)
    for column in columns:
        if column.kind == "item":
            names = column.names or tuple(str(i + 1) for i in range(n))
            found |= np.fromiter((wanted in name.casefold() for name in names), bool, n)
        elif column.names:
            codes = [c for c, name in enumerate(column.names) if wanted in name.casefold()]
            found |= np.isin(column.values, codes)
    return found


def _compared(column: Column, sign: str, value: str, n: int) -> Array | str:
    if column.kind == "item" or column.names:
        if sign not in ("=", "!=", "≠"):
            return f"“{column.title}” holds names: compare it with = or ≠."
        same = _named(column, value, n)
        return same if sign == "=" else ~same
    if not _is_number(value):
        return f"“{column.title}” holds numbers. Got “{value}”."
    values = column.values.astype(float)
    return np.asarray(np.isfinite(values) & _COMPARE[sign](values, _number(value)))


def _named(column: Column, value: str, n: int) -> Array:
    """Rows of that name; a group may be told by its number, and – or nothing by having none."""
    wanted = value.casefold()
    if column.kind == "item":
        names = column.names or tuple(str(i + 1) for i in range(n))
        return np.fromiter((name.casefold() == wanted for name in names), bool, n)
    codes = [c for c, name in enumerate(column.names) if name.casefold() == wanted]
    if not codes and column.kind == "group" and wanted.isdecimal():
        codes = [int(wanted) - 1]
    if wanted in ("", "-", "–", "unassigned", "unknown"):
        codes = [-1]
    return np.isin(column.values, codes)


def _no_column(name: str, columns: Sequence[Column]) -> str:
    known = ", ".join(column.title for column in columns[:8]) + (", …" if columns[8:] else "")
    return f"There is no column “{name}”. Columns: {known}."


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "."))


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(_number(text)))
    except ValueError:
        return False
