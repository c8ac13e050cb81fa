"""Tables of plain numbers alone, read by Arrow: as fast as there is, the text never in memory.

Anything that is not plain is left to the careful way (`text_cells`), which also says what is wrong.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.formats.columns.cells import Cells
from coterie.core.formats.columns.column_types import is_code
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

WORTH_IT = 1 << 22  # bytes: below, the careful way takes no time either
BLOCK = 1 << 23  # bytes that Arrow parses at once
_UTF8 = ("utf-8", "utf-8-sig", "ascii")


def read_plain_numbers(path: Path, form: Format, check: Check | None) -> list[Cells] | None:
    """Return the columns of a table that holds nothing but numbers and missing cells, else None.

    None also for small files, other encodings and notations, and where Arrow is not installed.
    """
    if not _is_plain(path, form):
        return None
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError:
        return None
    names = _names_of_numbers(path, form)
    if not names:
        return None
    marks = {mark for one in form.notation.missing for mark in (one, one.upper(), one.title())}
    parts: list[Any] = []
    try:
        with csv.open_csv(
            path,
            csv.ReadOptions(
                column_names=names, skip_rows_after_names=form.above + heading_lines(form),
                block_size=BLOCK,
            ),
            csv.ParseOptions(delimiter=form.delimiter),
            csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.float64()),
                null_values=sorted(marks | {""}),
                strings_can_be_null=True,
            ),
        ) as reader:  # fmt: skip
            for batch in reader:
                if check is not None:
                    check()
                part = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
                gaps = [
                    np.isnan(c) for c, of in zip(part, batch.columns, strict=True) if of.null_count
                ]
                if len(gaps) == len(part) and np.logical_and.reduce(gaps).any():
                    return None  # an empty line, or one that holds only marks
                parts.append(part)
    except pa.ArrowInvalid:
        return None
    columns = zip(*parts, strict=True)
    return [
        Cells(name, np.concatenate(column)) for name, column in zip(names, columns, strict=True)
    ]


def _is_plain(path: Path, form: Format) -> bool:
    if form.declared or form.encoding not in _UTF8 or form.delimiter == " ":
        return False
    if form.notation.decimal != "." or form.notation.thousands:
        return False
    with path.open("rb") as stream:
        compressed = stream.read(2) == GZIP_MAGIC
    return not compressed and path.stat().st_size >= WORTH_IT


def _names_of_numbers(path: Path, form: Format) -> list[str]:
    """The names of the columns, if the first lines hold numbers alone, none of them codes."""
    with open_text(path, form.encoding) as stream:
        lines = cut(path, bounded(path, stream), form.delimiter)
        heads = heading_lines(form)
        rows = [cells for _, cells in islice(lines, form.above, form.above + heads + CHUNK)]
    names = unique_names(rows[0] if form.header else [""] * len(rows[0]))
    body = rows[heads:]
    if not body or any(len(row) != len(names) for row in body):
        return []
    for cells in zip(*body, strict=True):
        if any(map(is_code, cells)) or quick_numbers(cells, form.notation)[1] >= 0:
            return []
    return names
