"""The cells of a large text table, read by Arrow: each text is kept once, the file never whole.

What Arrow might take differently is left to the careful way (`text_cells`), which also says what is
wrong with a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.formats.columns.cells import Cells, Growing
from coterie.core.formats.columns.column_types import has_code
from coterie.core.formats.files.delimited import (
    CHUNK,
    Check,
    Format,
    bounded,
    cut,
    heading_lines,
    quick_numbers,
)
from coterie.core.formats.files.tabular import unique_names
from coterie.core.formats.files.textfiles import GZIP_MAGIC, open_text
from coterie.core.model.arrays import Array, Floats

Keep = Callable[[list[str]], Collection[str]]

WORTH_IT = 1 << 22  # bytes: below, the careful way takes no time either
BLOCK = 1 << 22  # bytes that Arrow parses at once
_UTF8 = ("utf-8", "utf-8-sig", "ascii")
_COLUMN = re.compile(r"In CSV column #(\d+)")


def read_by_arrow(
    path: Path,
    form: Format,
    *,
    keep: Keep = lambda names: (),
    check: Check | None = None,
) -> list[Cells] | None:
    """Return the columns of a table as the careful way does, or None where that has to read it.

    None for small files, other encodings, digit groups, lines that are empty or of unequal length,
    and where Arrow is not installed.
    """
    if not _is_suitable(path, form):
        return None
    try:
        import pyarrow as pa
    except ImportError:
        return None
    names, columns = _columns(path, form, keep)
    marks = _marks(str(form.guessed.get("missing", "")).split())
    while columns:
        try:
            return _read(path, form, names, columns, marks, check)
        except _UnsuitableError:
            return None
        except pa.ArrowInvalid as error:
            late = _COLUMN.search(str(error))
            place = int(late[1]) if late else len(columns)
            if place >= len(columns) or isinstance(columns[place], _Words):
                return None
            columns = [type(each)(form) for each in columns]
            if marks != (every := _marks(form.notation.missing)):
                marks = every  # many of them make reading slower, and few files have more than one
            else:  # a text late in a column of numbers: its other cells are texts as well
                columns[place] = _Words(form)
    return None


def _marks(missing: Iterable[str]) -> list[str]:
    """What stands for a missing number, as people write it."""
    return sorted({form for mark in missing for form in (mark, mark.upper(), mark.title())} | {""})


class _UnsuitableError(Exception):
    """The careful way has to read this file."""


@dataclass
class _Numbers:
    """A column of numbers as far as it has been read."""

    form: Format
    values: Floats = field(default_factory=lambda: np.empty(0))
    count: int = 0

    def take(self, column: Any, expected: int) -> Array | None:
        """Add the cells of a block; return which of them are empty, or None where no cell is."""
        after = self.count + len(column)
        if after > len(self.values):  # pages that nothing is written to take no memory
            roomy = np.empty(max(expected, 2 * after))
            roomy[: self.count] = self.values[: self.count]
            self.values = roomy
        values = self.values[self.count : after]
        values[:] = column.to_numpy(zero_copy_only=False)
        self.count = after
        return np.isnan(values) if column.null_count else None

    def grown(self, name: str) -> Cells:
        """Return all of the column."""
        return Cells(name, self.values[: self.count])


@dataclass
class _Words:
    """A column of texts as far as it has been read, each kept once."""

    form: Format
    blocks: list[Any] = field(default_factory=list)

    def take(self, column: Any, expected: int) -> Array | None:
        """Add the cells of a block; return which of them are empty, or None where no cell is."""
        from pyarrow import compute

        words = compute.utf8_trim_whitespace(column.dictionary)
        if compute.any(compute.starts_with(words, '"')).as_py():
            # A quote after a blank: Arrow takes it for a part of the text.
            raise _UnsuitableError
        self.blocks.append(column)
        gaps = np.flatnonzero(compute.equal(words, "").to_numpy(zero_copy_only=False))
        return np.isin(column.indices.to_numpy(), gaps) if len(gaps) else None

    def grown(self, name: str) -> Cells:
        """Return all of the column."""
        import pyarrow as pa

        growing = Growing(self.form.notation.missing)
        if self.blocks:
            whole = pa.chunked_array(self.blocks).unify_dictionaries()
            words = [word.strip() for word in whole.chunk(0).dictionary.to_pylist()]
            codes = np.concatenate([block.indices.to_numpy() for block in whole.chunks])
            growing.take_coded(words, codes)
        self.blocks.clear()
        return Cells(name, None, *growing.grown())


def _read(
    path: Path,
    form: Format,
    names: Sequence[str],
    columns: Sequence[_Numbers | _Words],
    marks: list[str],
    check: Check | None,
) -> list[Cells]:
    import pyarrow as pa
    from pyarrow import csv

    words = pa.dictionary(pa.int32(), pa.string())
    types = [words if isinstance(each, _Words) else pa.float64() for each in columns]
    skipped = form.above + heading_lines(form)
    expected = 0
    with csv.open_csv(
        path,
        csv.ReadOptions(column_names=names, skip_rows_after_names=skipped, block_size=BLOCK),
        csv.ParseOptions(delimiter=form.delimiter),
        csv.ConvertOptions(
            column_types=dict(zip(names, types, strict=True)),
            null_values=marks,
            strings_can_be_null=False,
            decimal_point=form.notation.decimal,
        ),
    ) as reader:
        for batch in reader:
            if check is not None:
                check()
            # As many lines in every block as in the first, and some to spare.
            expected = expected or int(1.1 * len(batch) * (path.stat().st_size / BLOCK + 1))
            each_with = zip(columns, batch.columns, strict=True)
            gaps = [each.take(of, expected) for each, of in each_with]
            empty = [gap for gap in gaps if gap is not None]
            if len(empty) == len(columns) and np.logical_and.reduce(empty).any():
                raise _UnsuitableError  # an empty line, or one that holds only marks
    return [each.grown(name) for each, name in zip(columns, names, strict=True)]


def _is_suitable(path: Path, form: Format) -> bool:
    if form.declared or form.encoding not in _UTF8 or form.delimiter == " ":
        return False
    if form.notation.thousands:
        return False
    with path.open("rb") as stream:
        compressed = stream.read(2) == GZIP_MAGIC
    return not compressed and path.stat().st_size >= WORTH_IT


def _columns(path: Path, form: Format, keep: Keep) -> tuple[list[str], list[_Numbers | _Words]]:
    """Names and kinds of the columns by the first lines; none where these are not suitable."""
    with open_text(path, form.encoding) as stream:
        lines = cut(path, bounded(path, stream), form.delimiter)
        heads = heading_lines(form)
        rows = [cells for _, cells in islice(lines, form.above, form.above + heads + CHUNK)]
    names = unique_names(rows[0] if form.header else [""] * len(rows[0]))
    kept = set(keep(names))
    body = rows[heads:]
    if not body or any(len(row) != len(names) for row in body):
        return names, []

    def kind(name: str, cells: Sequence[str]) -> _Numbers | _Words:
        wrong = name in kept or has_code(cells)
        wrong = wrong or quick_numbers(cells, form.notation)[1] >= 0
        return _Words(form) if wrong else _Numbers(form)

    return names, [kind(*each) for each in zip(names, zip(*body, strict=True), strict=True)]
