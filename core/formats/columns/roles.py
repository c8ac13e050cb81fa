"""What each column of a table is used for, guessed from all of them together."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from coterie.core.model.arrays import Array
from coterie.core.model.columns import CODED, NUMERIC, WORDED, Column, Role, Texts
from coterie.core.numerics.features.typed_columns import MOST_CATEGORIES

LABELS = (
    *("label", "labels", "class", "species", "target", "truth", "ground truth", "klasse"),
    *("classe", "clase", "klass"),
)
NAMES = (
    *("name", "names", "item", "items", "title", "titel", "nom", "nombre", "nome", "namn"),
    *("full name", "fullname", "item name", "bezeichnung"),
)
# A number that counts on by one is not an identifier when it is called so.
MEASURED = re.compile(
    r"(?:.*\W)?(?:year|jahr|month|monat|week|woche|day|tag|date|datum|time|zeit|hour|stunde|minute|"
    r"second|sekunde|age|alter|frame|step|t|x|y|z|lat|lon|position|distance|depth|height|rank)",
)
_ID = re.compile(
    r"(?:.*[\s_.\-#])?(?:id|ids|uid|uuid|guid|key|index|idx|nr|no|num|number|nummer|numero|número|"
    r"rownames?|row ?id|case|record|#)|.+(?:nummer|number)|unnamed\W*\d+",
)
# Of a few items any numbers may be different: "cancer no" counts them as well as it may name them.
_WHOLE_ID = re.compile(r"id|key|index|idx|nr|no|number|nummer|row ?names?|row ?id|unnamed\W*\d+")
_ONLY_ID = re.compile(r"(?:.*[\s_.\-])?(?:id|ids|uid|uuid|guid)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONG_ENOUGH = 20  # items from which numbers that count on by one are no accident
MANY_CLASSES = 20  # numbers of a class column, however few items there are
FEW = 5
FIRST = 1000
NEARLY = 0.98  # of the cells are different: nearly unique
LONGEST_NAME = 160  # characters of a cell that can name an item


def guessed_roles(table: Sequence[Column], fixed: Collection[str]) -> list[Column]:
    """Return the columns with a role each, and why; those in `fixed` keep theirs.

    >>> from coterie.core.model.columns import category
    >>> columns = [Column("a", np.arange(3.5)), category("class", ["p", "q", "p", "q"])]
    >>> [column.role for column in guessed_roles(columns, ())]
    ['feature', 'label']
    """
    columns = [c if c.name in fixed else _by_itself(c) for c in table]
    columns = _with_label(columns, fixed)
    columns = _with_names(columns, fixed)
    if not any(column.role == "feature" for column in columns):
        columns = [c if c.name in fixed else _better_than_nothing(c) for c in columns]
    return [c if c.name in fixed else _written_out(c) for c in columns]


def _by_itself(column: Column) -> Column:
    """Give a column the role that its own values suggest."""
    if column.role != "feature":
        return column
    if column.type in CODED:
        return _category(column)
    if column.type == "date" and _dates_the_rows(column):
        why = (
            "Its dates rise or fall from row to row: they date the items, and do not compare them."
        )
        return _as(column, "information", why)
    if column.type != "number":
        return _flagged(column)
    if (why := _identifies(column)) != "":
        return _as(column, "information", why)
    return _flagged(column)


def _category(column: Column) -> Column:
    counts = np.bincount(column.values + 1, minlength=len(column.categories) + 1)[1:]
    used, known = int((counts > 0).sum()), int(counts.sum())
    if used <= 1:
        return _as(column, "information", _constant(column))
    if used > MOST_CATEGORIES:
        why = f"{used:,} categories are too many to compare items by."
        return _as(column, "information", why)
    if column.type == "category" and used > max(known / 3, FEW):
        why = f"{used:,} categories in {known:,} cells: few items share one."
        return _as(column, "information", why)
    return column


def _flagged(column: Column) -> Column:
    """Say it when all values are the same; such a column does no harm."""
    values = column.values
    low = np.fmin.reduce(values, initial=np.nan)  # of those that are known
    if low == np.fmax.reduce(values, initial=np.nan) and (values == low).sum() > 1:
        return replace(column, why=f"{column.why} {_constant(column)}".strip())
    return column


def _constant(column: Column) -> str:
    missing = bool(column.missing.any())
    return f"All {'known ' if missing else ''}values are the same."


def _dates_the_rows(column: Column) -> bool:
    """Whether each row is later than the one above it, or earlier, as in records over time."""
    with np.errstate(over="ignore"):
        steps = np.diff(column.values)
    return len(steps) + 1 >= LONG_ENOUGH and bool((steps > 0).all() or (steps < 0).all())


def _identifies(column: Column) -> str:
    """Why a column of numbers identifies items, or nothing when it does not."""
    values: Array = column.values
    for some in (values[:FIRST], values):  # of most columns the first cells say no
        if not (some == np.floor(some)).all() or column.unit:
            return ""
    name = _spelled(column.name)
    if MEASURED.fullmatch(name):
        return ""
    with np.errstate(over="ignore"):
        steps = np.diff(values)
    if len(values) >= LONG_ENOUGH and (steps == 1).all():
        return "A running number, which does not describe the items."
    if not _ID.fullmatch(name) or len(values) < 2:
        return ""
    many = len(values) >= LONG_ENOUGH or _WHOLE_ID.fullmatch(name)
    if _ONLY_ID.fullmatch(name) or (many and _all_different(values)):
        return "By its name and values, it identifies items rather than measuring them."
    return ""


def _with_label(columns: list[Column], fixed: Collection[str]) -> list[Column]:
    """Find the column of known classes: by its name, or because nothing else is a category."""
    if any(column.role == "label" for column in columns):
        return columns
    called = [
        j for j, c in enumerate(columns) if _spelled(c.name) in LABELS and c.name not in fixed
    ]
    last = len(columns) - 1
    called.sort(key=lambda j: j != last)
    for j in called if last in called or len(called) == 1 else ():
        column = columns[j]
        if len(columns) == 1:
            break
        if _has_classes(column, last=j == last):
            columns[j] = _as(column, "label", "Taken as the known classes because of its name.")
            return columns
        if j == last and column.type == "number":
            why = "Its name suggests classes, but its numbers are continuous: kept as information."
            columns[j] = _as(column, "information", why)
            return columns
    return _the_only_category(columns, fixed)


def _has_classes(column: Column, *, last: bool) -> bool:
    known = int((~column.missing).sum())
    if column.type in CODED:
        used = len(np.unique(column.values[column.values >= 0]))
        return 0 < used <= max(MANY_CLASSES, known / 2)
    if column.type in WORDED:  # of a few items each may well have a class of its own
        return last and len(set(column.words()) - {""}) <= MANY_CLASSES
    if column.type != "number" or not last or not known:
        return False
    values = column.values[~np.isnan(column.values)]
    whole = bool((values == np.floor(values)).all())
    return whole and len(np.unique(values)) <= max(MANY_CLASSES, known / 10)


def _the_only_category(columns: list[Column], fixed: Collection[str]) -> list[Column]:
    """A last column of categories after numbers alone says what the items are."""
    if not columns:
        return columns
    last = columns[-1]
    coded = [c for c in columns if c.type in CODED and c.role == "feature"]
    numbers = [c for c in columns if c.type in NUMERIC and c.role == "feature"]
    alone = len(coded) == 1 and coded[0] is last and len(numbers) > 1
    if alone and last.name not in fixed and len(last.categories) > 1:
        why = "The last column and the only one with categories: taken as the known classes."
        columns[-1] = _as(last, "label", why)
    return columns


def _with_names(columns: list[Column], fixed: Collection[str]) -> list[Column]:
    """Find the column that names the items: by its own name, or because each cell is different."""
    if any(column.role == "name" for column in columns):
        return columns
    free = [(j, c) for j, c in enumerate(columns) if c.name not in fixed and c.role != "label"]
    for j, column in free:
        if _spelled(column.name) in NAMES and column.type not in NUMERIC and _mostly_unique(column):
            columns[j] = _as(column, "name", "Taken as the item names because of its name.")
            return columns
    for j, column in free:
        if column.type in WORDED and column.role == "information" and _unique(column):
            columns[j] = _as(
                column, "name", "Every item has a different value: taken as the item names."
            )
            return columns
    for j, column in free:
        if _numbers_that_name(column):
            columns[j] = _as(column, "name", f"{column.why} Taken as the names of the items.")
            return columns
    return columns


def _mostly_unique(column: Column) -> bool:
    words = column.words()
    return len(set(words)) > len(words) / 2


def _unique(column: Column) -> bool:
    words = column.words()
    return (
        1 < len(set(words)) == len(words)
        and "" not in words
        and max(map(len, words)) <= LONGEST_NAME
    )


def _numbers_that_name(column: Column) -> bool:
    """A number that identifies, and is not just the position of the item."""
    if column.type != "number" or column.role != "information" or column.unit:
        return False
    values = column.values
    known = len(values) > 1 and not np.isnan(values).any() and _identifies(column) != ""
    return bool(known and _all_different(values) and values[0] not in (0, 1))


def _all_different(values: Array) -> bool:
    return bool((values[1:] > values[:-1]).all()) or len(np.unique(values)) == len(values)


def _better_than_nothing(column: Column) -> Column:
    """Use numbers and categories that were put aside when there is nothing else to use."""
    usable = column.type in NUMERIC or (column.type in CODED and len(column.categories) > 1)
    if column.role not in ("information", "name") or not usable or column.missing.all():
        return column
    return _as(column, "feature", f"{column.why} Used anyway, because there is no other column.")


def _written_out(column: Column) -> Column:
    """A number that only identifies something is kept as a text."""
    aside = column.type == "number" and column.role in ("information", "name")
    if not aside or column.missing.all() or not _identifies(column):
        return column
    return replace(column, type="identifier", values=Texts.of_whole(column.values))


def _as(column: Column, role: Role, why: str) -> Column:
    return replace(column, role=role, why=why)


def _spelled(name: str) -> str:
    """A name in small letters, its words separated by blanks."""
    return re.sub(r"[\s_]+", " ", _CAMEL.sub(" ", name)).strip().casefold()
