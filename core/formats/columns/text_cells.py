"""The cells of a text table, column by column: numbers as numbers, texts each kept once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from coterie.core.formats.columns.arrow_cells import Keep
from coterie.core.formats.columns.cells import Cells, Growing
from coterie.core.formats.columns.column_types import has_code
from coterie.core.formats.columns.orange import as_declared
from coterie.core.formats.files.delimited import (
    CHUNK,
    Check,
    Format,
    bounded,
    cut,
    heading_lines,
    quick_numbers,
    require_items,
    require_length,
)
from coterie.core.formats.files.notation import Notation
from coterie.core.formats.files.tabular import unique_names
from coterie.core.formats.files.textfiles import open_text
from coterie.core.model.arrays import Array, Floats
from coterie.core.wording import counted


def read_cells(
    path: Path,
    form: Format,
    *,
    keep: Keep = lambda names: (),
    most: int | None = None,
    check: Check | None = None,
    notes: list[str] | None = None,
) -> list[Cells]:
    """Read all columns, or of each its first `most` cells.

    A column whose first cells are numbers is read as numbers. When a text comes late in one, the
    file is read a second time, so the cells before it are texts too.

    Parameters
    ----------
    keep : given the names of the columns, those whose cells are wanted as text
    notes : what was left out is added to these
    """
    texts: set[str] = set()
    while True:
        hollow: list[int] = []
        found, late = _read(path, form, keep, texts, most, check, hollow)
        if not late:
            if hollow and notes is not None:
                lines = counted(len(hollow), "line")
                first = "" if len(hollow) == 1 else "the first is "
                notes.append(f"{lines} without any value left out: {first}line {hollow[0]}.")
            return found
        texts |= late


@dataclass
class _Column:
    """A column as far as it has been read: numbers until a cell is not one, then texts."""

    name: str
    as_text: bool
    words: Growing
    numbers: list[Floats] = field(default_factory=list)
    late: bool = False

    def take(self, cells: Sequence[str], notation: Notation) -> None:
        if self.late:
            return
        if not self.as_text:
            values, wrong = quick_numbers(cells, notation)
            code = not self.numbers and has_code(cells)
            if wrong < 0 and not code:
                self.numbers.append(values)
                return
            self.late = bool(self.numbers)
            self.as_text = True
        if not self.late:
            self.words.take(cells)

    def grown(self, lines: Array) -> Cells:
        def place(position: int) -> str:
            return f"on line {lines[position]}"

        if not self.as_text:
            return Cells(self.name, np.concatenate(self.numbers), place=place)
        codes, words = self.words.grown()
        return Cells(self.name, None, codes, words, place=place)


def _read(
    path: Path,
    form: Format,
    keep: Keep,
    texts: set[str],
    most: int | None,
    check: Check | None,
    hollow: list[int],
) -> tuple[list[Cells], set[str]]:
    """The columns, and the names of those in which a text came after a chunk of numbers."""
    lines: list[Array] = []
    with open_text(path, form.encoding) as stream:
        lines_of_table = cut(path, bounded(path, stream), form.delimiter, whole=True, hollow=hollow)
        names, chunks = _chunks(islice(lines_of_table, form.above, None), form, most)
        wanted = set(keep(names)) | texts
        wanted |= {name for name, by in zip(names, form.declared, strict=False) if by.categories}
        missing = form.notation.missing
        columns = [_Column(name, name in wanted, Growing(missing)) for name in names]
        for chunk in chunks:
            if check is not None:
                check()
            require_length(path, chunk, len(names), form)
            lines.append(np.array([number for number, _ in chunk]))
            by_column = zip(*(cells for _, cells in chunk), strict=True)
            for column, cells in zip(columns, by_column, strict=True):
                column.take(cells, form.notation)
    require_items(path, sum(map(len, lines)))
    late = {column.name for column in columns if column.late}
    if late:
        return [], late
    places = np.concatenate(lines)
    grown = [column.grown(places) for column in columns]
    if form.declared:
        grown = [as_declared(cells, by) for cells, by in zip(grown, form.declared, strict=True)]
    return grown, set()


def _chunks(
    rows: Iterator[tuple[int, list[str]]], form: Format, most: int | None
) -> tuple[list[str], Iterator[list[tuple[int, list[str]]]]]:
    line, first = next(rows)
    names = unique_names(first if form.header else [""] * len(first))
    rows = islice(rows, max(0, heading_lines(form) - 1), None)

    def chunks() -> Iterator[list[tuple[int, list[str]]]]:
        pending = [] if form.header else [(line, first)]
        left = most
        while chunk := pending + list(islice(rows, CHUNK - len(pending))):
            pending.clear()
            yield chunk if left is None else chunk[:left]
            left = None if left is None else left - len(chunk)
            if left is not None and left <= 0:
                return

    return names, chunks()
