"""The columns of a table as a reader is going to take them, for a person to check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.columns.cells import Cells, coded
from coterie.core.formats.columns.text_cells import read_cells
from coterie.core.formats.columns.typed_table import ColumnChoices, first_of, typed_columns
from coterie.core.formats.files.delimited import Check, Format, peek
from coterie.core.formats.files.notation import Notation
from coterie.core.formats.files.tabular import ColumnAbout, TablePreview
from coterie.core.model.columns import CODED, NUMERIC, Column, dates_in_words, number_in_words

PREVIEWED = 50  # lines that a preview shows
LOOKED_AT = 50_000  # lines from which a preview guesses what the columns are
ENCODED = 1 << 24  # bytes from which a preview guesses the encoding
BINS = 12
EXAMPLES = 3
ROLES = {
    "feature": "feature",
    "label": "truth",
    "name": "items",
    "weight": "weight",
    "information": "information",
}


def preview_text(path: Path, form: Format, choices: ColumnChoices, check: Check) -> TablePreview:
    """Return the first lines of a text table, and what its columns are, by all or many of them.

    Lines of unequal length are shown, so a person sees what is wrong; the columns are then judged
    by the others.
    """
    names, rows = peek(path, form, PREVIEWED)
    choices.require(path.name, names)
    notes = form.in_words()
    try:
        cells = read_cells(path, form, keep=choices.as_text, most=LOOKED_AT + 1, check=check)
    except DataError as error:
        if error.code not in ("malformed-line", "empty-data"):
            raise
        cells = _cells_of_rows(names, rows, form)
    if "encoding" in form.guessed and path.stat().st_size > ENCODED:
        notes.append(f"The encoding is guessed from the first {ENCODED >> 20} megabytes only.")
    if cells and len(cells[0]) > LOOKED_AT:
        notes.append(f"The columns are judged by their first {LOOKED_AT:,} cells.")
    preview = preview_of(cells, choices, form.notation)
    return replace(
        preview,
        columns=tuple(names),
        rows=tuple(tuple(row) for row in rows),
        guessed={**form.guessed, **preview.guessed},
        notes=(*notes, *preview.notes),
    )


def preview_of(
    cells: Sequence[Cells], choices: ColumnChoices, notation: Notation | None = None
) -> TablePreview:
    """Return the preview of a table of these cells."""
    table, problem = _columns(cells, choices, notation)
    label, name = first_of(table, "label", choices.truth), first_of(table, "name", choices.items)
    guessed = {}
    if label is not None and not choices.truth and label.name not in choices.roles:
        guessed["truth"] = label.name
    if name is not None and not choices.items and name.name not in choices.roles:
        guessed["items"] = name.name
    rows = zip(*(_first_texts(each) for each in cells), strict=True)
    return TablePreview(
        columns=tuple(each.name for each in cells),
        rows=tuple(rows),
        roles=tuple(ROLES[column.role] for column in table),
        guessed=guessed,
        about=tuple(about(column) for column in table),
        problem=problem,
    )


def about(column: Column) -> ColumnAbout:
    """Return what there is to say about a column: examples, range, what is missing, a histogram.

    >>> about(Column("a", np.array([1.0, 3.0, np.nan]))).range
    '1 – 3'
    """
    missing = int(column.missing.sum())
    known = np.flatnonzero(~column.missing)
    counts, span = _spread(column)
    return ColumnAbout(
        name=column.name,
        type=column.type,
        role=column.role,
        why=column.why,
        unit=column.unit,
        examples=tuple(column.take(known[:EXAMPLES]).words()),
        range=span,
        missing=missing,
        known=len(column) - missing,
        histogram=counts,
        notes=column.notes,
    )


def _spread(column: Column) -> tuple[tuple[int, ...], str]:
    """How many values are in each of a few bins or categories, and from where to where."""
    if column.type in NUMERIC:
        values = column.values[np.isfinite(column.values)]
        if not len(values):
            return (), ""
        ends = np.array([values.min(), values.max()])
        words = (
            dates_in_words(ends)
            if column.type == "date"
            else [number_in_words(float(f"{end:.6g}")) for end in ends.tolist()]
        )
        return _histogram(values), " – ".join(dict.fromkeys(words))
    if column.type in CODED:
        counts = np.bincount(column.values[column.values >= 0], minlength=len(column.categories))
        shown = counts if column.type == "ordered" else np.sort(counts)[::-1]
        some = ", ".join(column.categories[:EXAMPLES])
        more = " …" if len(column.categories) > EXAMPLES else ""
        return tuple(shown[:BINS].tolist()), f"{len(column.categories)}: {some}{more}"
    return (), f"{len(set(column.words()) - {''}):,} different"


def _histogram(values: np.ndarray) -> tuple[int, ...]:
    low, high = float(values.min()), float(values.max())
    if low == high or not np.isfinite(high - low):
        return (len(values),)
    return tuple(np.histogram(values, BINS, (low, high))[0].tolist())


def _columns(
    cells: Sequence[Cells], choices: ColumnChoices, notation: Notation | None
) -> tuple[list[Column], str]:
    """The columns; as guessed, with the reason, where one cannot be what a person chose."""
    try:
        return typed_columns(cells, choices, notation), ""
    except DataError as error:
        return typed_columns(cells, replace(choices, types={}, roles={}), notation), str(error)


def _cells_of_rows(names: list[str], rows: list[list[str]], form: Format) -> list[Cells]:
    whole = [row for row in rows if len(row) == len(names)]
    found = []
    for j, name in enumerate(names):
        cells = [row[j] for row in whole]
        values, wrong = form.notation.numbers(cells)
        codes, words = coded(cells, form.notation.missing)
        found.append(Cells(name, values) if wrong < 0 else Cells(name, None, codes, words))
    return found


def _first_texts(cells: Cells) -> list[str]:
    """The first cells as text."""
    if cells.numbers is not None:
        return Cells(cells.name, cells.numbers[:PREVIEWED], dates=cells.dates).texts()
    assert cells.codes is not None
    return Cells(cells.name, None, cells.codes[:PREVIEWED], cells.words).texts()
