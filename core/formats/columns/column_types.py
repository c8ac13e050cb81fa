"""The type of one column: guessed from all its cells, or as a person asked for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.columns.amounts import Amounts, mostly_numbers, read_amounts
from coterie.core.formats.columns.cells import Cells
from coterie.core.formats.columns.dates import Dates, read_dates
from coterie.core.formats.columns.scales import no_and_yes, steps_of_a_scale
from coterie.core.formats.files.notation import Notation
from coterie.core.model.arrays import Array
from coterie.core.model.columns import CODED, WORDED, Column, ColumnType, sorted_categories
from coterie.core.wording import counted

FEW = 5  # words that may be categories however few cells there are, if any comes twice
WORDS_OF_A_TEXT = 6  # on average; a category has fewer
SHOWN = 3  # cells that a message names
# A double has all whole numbers of 15 digits; of more than 300 it has none.
EXACT_DIGITS, MOST_DIGITS = 15, 300
_LIKE_CODE = re.compile(rf"^(?:0\d+|\d{{{EXACT_DIGITS + 1},}})$", re.MULTILINE)
_CODE = re.compile(r"[^\s]{0,40}\d[^\s]{0,40}")
_DATED = re.compile(r"date|datum|fecha|data|день|日", re.IGNORECASE)
_COMPACT = re.compile(r"(1[5-9]|2[01])\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")


def guessed_column(cells: Cells, notation: Notation) -> Column:
    """Return the column with the type that fits all its cells, and why.

    Its role is that of the type: a feature, or information for texts and identifiers.
    """
    if not cells.known():
        none = np.full(len(cells), np.nan)
        return Column(cells.name, none, role="information", why="It holds no values.")
    if cells.type:
        return replace(asked_column(cells, cells.type, notation), why=cells.why)
    if cells.numbers is not None:
        return _of_numbers(cells)
    found = _as_amounts(cells, cells.counts(), notation) or _as_dates(cells, notation)
    return found or _of_words(cells)


def asked_column(cells: Cells, asked: str, notation: Notation) -> Column:
    """Return the column with the type that a person or the file asks for, or say why it cannot be.

    A number or date that cannot be read as one is missing, and named in the notes; that none can
    is refused.
    """
    about: dict[str, Any] = {"unit": cells.unit}
    if asked in WORDED:
        return _typed(cells.name, cells.texts(), asked, role="information", **about)
    if asked in CODED:
        return _coded(cells.as_words(), asked, cells.categories, **about)
    if cells.numbers is not None and (asked == "number" or cells.dates):
        known, said = _finite(cells)
        return _typed(cells.name, known, asked, notes=said, **about)
    texts = cells.as_words()
    if not texts.known():
        return _typed(cells.name, np.full(len(cells), np.nan), asked, **about)
    found: Amounts | Dates | None
    if asked == "date":
        found = _dates(texts, notation, strictly=False)
    else:
        found = read_amounts(texts.words, notation)
    if found is None:
        raise DataError(
            f"Column '{cells.name:.80}' cannot be read as a {asked}: {_some(texts, range(SHOWN))}. "
            "Choose another type for it.",
            code="wrong-type",
        )
    values = found.seconds if isinstance(found, Dates) else found.values
    unit = cells.unit or (found.unit if isinstance(found, Amounts) else "")
    notes = (_mistakes(texts, found.wrong, asked),) if found.wrong else ()
    return _typed(cells.name, _spread(values, texts), asked, unit=unit, notes=notes)


def is_code(word: str) -> bool:
    """Return whether a number is written as a code: a zero in front, or too many digits.

    A long whole number that is not exact as a double names something.

    >>> is_code("007"), is_code("0.7"), is_code("1152921504606846977"), is_code("1000")
    (True, False, True, False)
    """
    if word[:1] == "0":
        return word[1:].isdecimal()
    long = EXACT_DIGITS < len(word) <= MOST_DIGITS and word.isdecimal()
    return long and int(float(word)) != int(word)


def has_code(words: Iterable[str]) -> bool:
    """Return whether any of the words is a code; quick where none looks like one.

    >>> has_code(["1", "2.5", "x"]), has_code(["1", "007"])
    (False, True)
    """
    words = list(words)
    return bool(_LIKE_CODE.search("\n".join(words))) and any(map(is_code, words))


def _of_numbers(cells: Cells) -> Column:
    assert cells.numbers is not None
    if cells.dates:
        return Column(cells.name, cells.numbers, "date", why="All cells are dates.")
    if _DATED.search(cells.name) and (dates := _compact_dates(cells)) is not None:
        return Column(
            cells.name, dates, "date", why="Written as year, month and day without marks."
        )
    values, notes = _finite(cells)
    why = "Nearly all cells are numbers." if notes else "All cells are numbers."
    return Column(cells.name, values, unit=cells.unit, why=why, notes=notes)


def _finite(cells: Cells) -> tuple[Array, tuple[str, ...]]:
    """The numbers of cells, infinite ones missing, and a note that says so."""
    values = cells.numbers
    assert values is not None
    endless = np.isinf(values)
    if not (count := int(endless.sum())):
        return values, ()
    shown = np.flatnonzero(endless)[:SHOWN].tolist()
    said = ", ".join(f"'{values[row]}' of item {row + 1}" for row in shown)
    verb = "is" if count == 1 else "are"
    note = f"{counted(count, 'cell')} {verb} infinite and counted as missing: {said}."
    return np.where(endless, np.nan, values), (note,)


def _compact_dates(cells: Cells) -> Array | None:
    texts = cells.as_words()
    if not all(_COMPACT.fullmatch(word) for word in texts.words):
        return None
    written = [f"{word[:4]}-{word[4:6]}-{word[6:]}" for word in texts.words]
    found = read_dates(written, texts.counts())
    return None if found is None or found.wrong else _spread(found.seconds, texts)


def _as_amounts(cells: Cells, counts: Array, notation: Notation) -> Column | None:
    if has_code(cells.words):
        return None
    found = read_amounts(cells.words, notation)
    if found is None or (found.wrong and not mostly_numbers(found, counts)):
        return None
    why = f"Numbers in {found.unit}." if found.unit else "All cells are numbers."
    notes = []
    if found.wrong:
        why = f"Nearly all cells are numbers{f' in {found.unit}' if found.unit else ''}."
        notes.append(_mistakes(cells, found.wrong, "number"))
    if found.mixed:
        notes.append("Both '.' and ',' are used as the decimal mark; each was read as one.")
    return Column(
        cells.name, _spread(found.values, cells), unit=found.unit, why=why, notes=tuple(notes)
    )


def _dates(cells: Cells, notation: Notation, *, strictly: bool = True) -> Dates | None:
    counts = cells.counts()
    # With few dates among other texts, those that are dates decide how they are written.
    return read_dates(
        cells.words, counts, day_first=notation.decimal == ",", most_wrong=None if strictly else 1.0
    )


def _as_dates(cells: Cells, notation: Notation) -> Column | None:
    found = _dates(cells, notation)
    if found is None:
        return None
    notes = [_mistakes(cells, found.wrong, "date")] if found.wrong else []
    if found.unsure:
        notes.append(f"Read as {found.notation}; nothing in the column shows which comes first.")
    why = f"Dates, written as {found.notation}."
    return Column(cells.name, _spread(found.seconds, cells), "date", why=why, notes=tuple(notes))


def _of_words(cells: Cells) -> Column:
    words, known = cells.words, cells.known()
    different = len(words)
    if (pair := no_and_yes(words)) is not None:
        return _coded(cells, "category", pair, why="Its two values mean no and yes.")
    if (scale := steps_of_a_scale(words)) is not None:
        why = f"Its values are steps of a scale, from {scale[0]} to {scale[-1]}."
        return _coded(cells, "ordered", scale, why=why)
    length = sum(len(word.split()) for word in words) / different
    repeated = different <= max(known / 2, min(known - 1, FEW))
    if repeated and (length < WORDS_OF_A_TEXT or different <= known / 10):
        why = f"{counted(different, 'different text')} in {counted(known, 'cell')}."
        return _coded(cells, "category", (), why=why)
    codes = sum(_CODE.fullmatch(word) is not None for word in words)
    kind = "identifier" if codes > 0.9 * different else "text"
    said = "codes" if kind == "identifier" else "texts"
    unique = (
        "all different" if different == known else f"{different:,} different in {known:,} cells"
    )
    why = f"Its {said} are {unique}."
    return _typed(cells.name, cells.texts(), kind, role="information", why=why)


def _coded(cells: Cells, kind: str, order: Sequence[str], **about: Any) -> Column:
    """A column of categories, in the given order, else that of numbers and of the alphabet."""
    names = tuple(order)
    if set(cells.words) - set(names):
        names = (*names, *sorted_categories(set(cells.words) - set(names)))
    position = {name: code for code, name in enumerate(names)}
    table = np.array([*(position[word] for word in cells.words), -1], dtype=np.int32)
    assert cells.codes is not None
    return _typed(cells.name, table[cells.codes], kind, categories=names, **about)


def _typed(name: str, values: Any, kind: str, **about: Any) -> Column:
    return Column(name, values, cast(ColumnType, kind), **about)


def _spread(values: Array, cells: Cells) -> Array:
    """The value of each cell, from those of the words."""
    assert cells.codes is not None
    return np.append(values, np.nan)[cells.codes]


def _mistakes(cells: Cells, wrong: Sequence[int], kind: str) -> str:
    count = int(cells.counts()[list(wrong)].sum())
    verb = "is" if count == 1 else "are"
    said = _some(cells, wrong[:SHOWN])
    return f"{counted(count, 'cell')} {verb} not a {kind} and counted as missing: {said}."


def _some(cells: Cells, chosen: Sequence[int]) -> str:
    named = [
        f"'{cells.words[j]:.40}' {cells.place(cells.first([j]))}"
        for j in chosen
        if j < len(cells.words)
    ]
    return ", ".join(named)
