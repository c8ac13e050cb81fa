"""Guesses from the first lines of a text table: its delimiter, number format and header."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import TypeAlias

from coterie.core.errors import DataError
from coterie.core.formats.files.notation import NOTATIONS, THOUSANDS, Notation

Rows: TypeAlias = list[list[str]]

WIDE = 1000  # cells of a line that the guesses look at
MOST_REMARKS = 20  # lines above the table
ALIKE = 0.9  # of the lines must have the usual number of cells for those above to be remarks


def guess_delimiter(
    possible: Iterable[str], rows_by: Callable[[str], Rows], missing: frozenset[str]
) -> str:
    """The one that cuts most lines alike; among those, the one that leaves most numbers.

    Parameters
    ----------
    rows_by : cuts the first lines by a delimiter
    """

    cuts: dict[str, tuple[float, int, Rows]] = {}
    for delimiter in possible:
        try:
            rows = rows_by(delimiter)
        except DataError:
            continue
        lengths = [len(cells) for cells in rows]
        usual = max(set(lengths), key=lengths.count)
        if usual < 2:
            continue
        alike = lengths.count(usual) / len(lengths)
        if lengths[0] != usual:
            alike /= 2  # the comma in 1,5;2,5 cuts all lines alike but that of the names
        # Nine lines in ten alike is as good as all: the ragged one must be found and named.
        cuts[delimiter] = min(1.0, round(alike + 0.1, 1)), usual, rows
    most = max((alike for alike, _, _ in cuts.values()), default=0.0)
    best = [delimiter for delimiter, (alike, _, _) in cuts.items() if alike == most]

    def quality(delimiter: str) -> tuple[float, int]:
        _, usual, rows = cuts[delimiter]
        some = [cells[:WIDE] for cells in rows]
        numbers = max(Notation(*marks, missing).count(some) for marks in NOTATIONS)
        return numbers / sum(map(len, some)), usual

    return max(best, key=quality) if len(best) > 1 else (*best, ",")[0]


def guess_notation(rows: Rows, decimal: str, thousands: str, missing: frozenset[str]) -> Notation:
    """The notation that reads most cells as numbers, of those that agree with what is given."""
    possible = [
        Notation(mark, groups, missing)
        for mark, groups in NOTATIONS
        if decimal in ("auto", mark) and thousands in ("auto", _name_of(groups))
    ]
    if not possible:  # given, and alike: the decimal mark is the one that counts
        return Notation(decimal, "", missing)
    some = [cells[:WIDE] for cells in rows]
    text = "\n".join(map("\n".join, some)).replace("\xa0", " ")
    # Without its own mark a notation reads no more than the one before it that has none.
    useful = [one for one in possible if not one.thousands or one.thousands in text]
    if "," not in text:
        useful = [one for one in useful if one.decimal == "." or one.thousands] or useful
    possible = useful or possible
    if len(possible) == 1:
        return possible[0]
    return max(possible, key=lambda notation: notation.count(some))


def _name_of(groups: str) -> str:
    return next(name for name, mark in THOUSANDS.items() if mark == groups)


LEAST_YEARS = 3


def guess_header(rows: Rows, notation: Notation, headings: Collection[str]) -> bool:
    """A first line is a header when it has a text over numbers, or when all is text."""
    first, *rest = (cells[:WIDE] for cells in rows)
    if notation.count([first, *rest]) == 0:
        if headings:
            return any(cell.lower() in headings for cell in first)
        return not _all_come_again(first, rest)
    other = replace(notation, decimal="," if notation.decimal == "." else ".", thousands="")
    for j, cell in enumerate(first):
        below = [[row[j]] for row in rest if j < len(row) and not notation.is_missing(row[j])]
        is_text = not notation.is_missing(cell) and notation.number(cell) is None
        # A column may have both decimal marks.
        numbers = sum(notation.count([row]) or other.count([row]) for row in below)
        if is_text and 2 * numbers > len(below):
            return True
    return _counts_on(first, notation) and not any(_counts_on(row, notation) for row in rest)


def _counts_on(cells: list[str], notation: Notation) -> bool:
    """Whether a line counts on by one, as years at the head of a table do."""
    numbers = [notation.number(cell) for cell in cells if not notation.is_missing(cell)]
    counted = [number for number in numbers if number is not None]
    steps = {after - before for before, after in itertools.pairwise(counted)}
    return len(counted) > LEAST_YEARS and steps == {1.0}


def _all_come_again(first: list[str], rest: Rows) -> bool:
    """Whether each cell of the first line is one of those below it, as values are, not names."""
    below: list[set[str]] = [set() for _ in first]
    for row in rest:
        for seen, cell in zip(below, row, strict=False):
            seen.add(cell)
    return all(cell in seen for cell, seen in zip(first, below, strict=True))


def remarks_above(rows: Rows, notation: Notation) -> int:
    """Return how many lines come before the table: titles and remarks, shorter than its lines.

    >>> remarks_above([["Report"], ["a", "b"], ["1", "2"], ["3", "4"]], Notation())
    1
    """
    lengths = [len(row) for row in rows]
    usual = max(set(lengths), key=lengths.count)
    first = lengths.index(usual)
    if usual < 2 or max(lengths[:first], default=0) > usual or first > MOST_REMARKS:
        return 0
    below = lengths[first:]
    if first and below.count(usual) < ALIKE * len(below):
        return 0  # lines of all lengths: the one that is wrong must be found and named
    return first + _nearly_empty(rows[first:], usual, notation)


def _nearly_empty(rows: Rows, usual: int, notation: Notation) -> int:
    """Lines of the right length that say next to nothing, above one that has only names."""
    for j, row in enumerate(rows[: MOST_REMARKS + 1]):
        filled = [cell for cell in row if cell]
        if 3 * len(filled) > usual:
            named = len(filled) == usual and notation.count([row]) == 0
            return j if named else 0
    return 0
