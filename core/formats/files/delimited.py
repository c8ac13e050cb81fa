"""Text tables: the separator, number format and header, guessed where they are not given.

Every guess is made from the first lines and reported; nothing is guessed silently.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np

from coterie.core.errors import DataError
from coterie.core.formats.columns.amounts import bare_number
from coterie.core.formats.columns.orange import Declared, declared_columns
from coterie.core.formats.files.format_guesses import (
    guess_delimiter,
    guess_header,
    guess_notation,
    remarks_above,
)
from coterie.core.formats.files.notation import THOUSANDS, Notation
from coterie.core.formats.files.tabular import MISSING, FileColumn, unique_names
from coterie.core.formats.files.textfiles import find_encoding, open_text
from coterie.core.model.arrays import Floats

Check = Callable[[], None]

CHUNK = 4096  # rows converted at once; a few milliseconds of work
LOOKED_AT = 200  # lines that the guesses are made from
ENOUGH = 1 << 15  # characters that are enough for them, after the first `FEWEST` lines
FEWEST = 20
# Beyond any table: a line is taken into memory whole, and then cut into cells.
MOST_LINE = 1 << 26
MOST_COLUMNS = 1_000_000
DELIMITERS = {",": ",", ";": ";", "tab": "\t", "|": "|", "space": " "}
_IN_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}


@dataclass(frozen=True)
class Format:
    """How a text table is to be read, whether given or guessed.

    Attributes
    ----------
    guessed : what was not given, by the name of the parameter that would give it
    above : lines of remarks before the table
    declared : type and role of each column, where two lines below their names say them
    """

    encoding: str
    delimiter: str
    notation: Notation
    header: bool
    guessed: dict[str, str | bool] = field(default_factory=dict)
    above: int = 0
    declared: tuple[Declared, ...] = ()

    def in_words(self) -> list[str]:
        """Return what was guessed as a sentence; nothing when all was given."""
        said = []
        if "delimiter" in self.guessed:
            said.append(f"cells separated by {_IN_WORDS[self.delimiter]}")
        if "decimal" in self.guessed:
            said.append("decimal point" if self.notation.decimal == "." else "decimal comma")
        if self.guessed.get("thousands", "none") != "none":
            said.append(f"thousands separated by '{self.notation.thousands}'")
        if "encoding" in self.guessed:
            said.append(f"encoding {self.encoding}")
        if "header" in self.guessed:
            said.append("first line as names" if self.header else "no line of names")
        if self.guessed.get("missing"):
            said.append(f"{self.guessed['missing']} as missing")
        words = [f"Guessed from the file: {', '.join(said)}."] if said else []
        if self.above:
            lines = "line" if self.above == 1 else f"{self.above} lines"
            words.append(f"Skipped the remarks above the table: the first {lines}.")
        if self.declared:
            words.append("The types and roles of the columns are those of the file's header.")
        return words


def find_format(
    path: Path,
    *,
    encoding: str = "auto",
    delimiter: str = "auto",
    decimal: str = "auto",
    thousands: str = "auto",
    header: str = "auto",
    missing: str = "auto",
    marks: Collection[str] = MISSING,
    amounts: bool = False,
    comment: str = "",
    headings: Collection[str] = (),
    check: Check | None = None,
    most: int | None = None,
) -> Format:
    """Take what is given, and guess from the first lines of the file what is "auto".

    Parameters
    ----------
    delimiter : "auto" or a name in `DELIMITERS`
    decimal : "auto", "." or ","
    thousands : "auto" or a name in `THOUSANDS`
    header : "auto", "yes" or "no"
    missing : "auto" (`marks`) or the marks, separated by spaces
    amounts : whether a number may have a currency or another unit
    comment : lines that begin with one of these characters are passed over
    headings : lower-case words that mark a first line of names where all is text; by default such
        a first line is one
    most : bytes from which the encoding is guessed; by default all
    """
    guessed: dict[str, str | bool] = {}
    if encoding == "auto":
        encoding = guessed["encoding"] = find_encoding(path, check=check, most=most)
    with open_text(path, encoding) as stream:
        first = _first_lines(without_comments(bounded(path, stream), comment))
    if not any(line.strip() for line in first):
        raise DataError(
            f"'{path.name}' is empty. Open a file with at least one line of values.",
            code="empty-data",
        )

    def rows_by(mark: str) -> list[list[str]]:
        return [cells for _, cells in cut(path, first, mark)]

    absent = frozenset(missing.lower().split() if missing != "auto" else marks) | {""}
    if delimiter == "auto":
        parted = guessed["delimiter"] = guess_delimiter(_IN_WORDS, rows_by, absent)
    else:
        parted = DELIMITERS[delimiter]
    rows = rows_by(parted)
    written = [[bare_number(cell) for cell in row] for row in rows] if amounts else rows
    notation = guess_notation(written, decimal, thousands, absent)
    above = remarks_above(written, notation)
    rows, written = rows[above:], written[above:]
    if decimal == "auto":
        guessed["decimal"] = notation.decimal
    if thousands == "auto":
        guessed["thousands"] = next(k for k, v in THOUSANDS.items() if v == notation.thousands)
    has_header = header == "yes"
    if header == "auto":
        has_header = guessed["header"] = guess_header(written, notation, headings)
    if missing == "auto":
        body = rows[has_header:]
        seen = {cell for cells in body for cell in cells if cell and notation.is_missing(cell)}
        guessed["missing"] = " ".join(sorted(seen))
    types, flags = rows[1:3] if has_header and len(rows) > 2 else ([], [])
    declared = declared_columns(types, flags)
    return Format(encoding, parted, notation, has_header, guessed, above, declared)


def bounded(path: Path, stream: TextIO) -> Iterator[str]:
    """Return the lines of a file; refuse one that is longer than any table's."""
    number = 0
    while line := stream.readline(MOST_LINE + 1):
        number += 1
        if len(line) > MOST_LINE:
            raise DataError(
                f"Line {number} of '{path.name}' is longer than {MOST_LINE >> 20} million "
                "characters. It does not look like a table with one item per line; choose the "
                "reader for its format.",
                code="malformed-line",
            )
        yield line


def without_comments(lines: Iterable[str], marks: str) -> Iterator[str]:
    """Return the lines, with an empty one in the place of each that begins with one of `marks`."""
    if not marks:
        return iter(lines)
    return ("\n" if line.lstrip()[:1] in set(marks) else line for line in lines)


def cut(
    path: Path,
    lines: Iterable[str],
    delimiter: str,
    *,
    whole: bool = False,
    hollow: list[int] | None = None,
) -> Iterator[tuple[int, list[str]]]:
    """Return the lines that hold something, each with its number in the file, cells stripped.

    A quote that is never closed would swallow the lines after it. It is refused when `whole`; the
    first lines alone may well end within a quoted cell. Lines of several cells that are all empty
    are added to `hollow`.
    """
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=whole)
    try:
        for cells in reader:
            if len(cells) > MOST_COLUMNS:
                raise DataError(
                    f"Line {reader.line_num} of '{path.name}' has {len(cells)} cells (separated by "
                    f"{_IN_WORDS.get(delimiter, delimiter)}); a table has at most {MOST_COLUMNS}. "
                    "Choose another delimiter, or save it with one item per line.",
                    code="malformed-line",
                )
            stripped = [cell.strip() for cell in cells]
            if delimiter == " ":  # several in a row part two cells only once
                stripped = [cell for cell in stripped if cell]
            if any(stripped):
                yield reader.line_num, stripped
            elif hollow is not None and len(stripped) > 1:
                hollow.append(reader.line_num)
    except csv.Error as error:
        raise DataError(
            f"'{path.name}' cannot be read near line {reader.line_num}: {error}. "
            "Check the quotes there.",
            code="malformed-line",
        ) from None


def read_columns(
    path: Path,
    form: Format,
    *,
    keep: Callable[[list[str]], Collection[str]] = lambda names: (),
    comment: str = "",
    check: Check | None = None,
) -> list[FileColumn]:
    """Read all columns, chunk by chunk, stopping at the first line of another length.

    Parameters
    ----------
    keep : given the names of the columns, those whose cells are wanted as text
    """
    with open_text(path, form.encoding) as stream:
        lines = without_comments(bounded(path, stream), comment)
        rows = islice(cut(path, lines, form.delimiter, whole=True), form.above, None)
        return _read(path, rows, form, keep, check)


def peek(path: Path, form: Format, count: int) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns and the first `count` lines, cell by cell."""
    with open_text(path, form.encoding) as stream:
        lines = cut(path, bounded(path, stream), form.delimiter)
        heads = heading_lines(form)
        some = islice(lines, form.above, form.above + count + max(1, heads))
        rows = [cells for _, cells in some]
    names = unique_names(rows[0] if form.header else [""] * len(rows[0]))
    return names, rows[heads:][:count]


def heading_lines(form: Format) -> int:
    """How many lines of the table come before its values."""
    return int(form.header) + 2 * bool(form.declared)


@dataclass
class _Growing:
    """A column as far as it has been read: numbers until a cell is not one, then only texts."""

    name: str
    keep_texts: bool
    numbers: list[Floats] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    trouble: str = ""

    def take(self, cells: Sequence[str], lines: list[int], notation: Notation) -> None:
        if self.keep_texts:
            self.texts.extend("" if notation.is_missing(cell) else cell for cell in cells)
        if self.trouble:
            return
        values, wrong = quick_numbers(cells, notation)
        if wrong >= 0:
            self.trouble = f"'{cells[wrong]:.40}' on line {lines[wrong]} is not a number"
            self.numbers.clear()
        else:
            self.numbers.append(values)

    def grown(self) -> FileColumn:
        return FileColumn(
            self.name,
            None if self.trouble else np.concatenate(self.numbers),
            tuple(self.texts) if self.keep_texts else None,
            self.trouble,
        )


def _read(
    path: Path,
    rows: Iterator[tuple[int, list[str]]],
    form: Format,
    keep: Callable[[list[str]], Collection[str]],
    check: Check | None,
) -> list[FileColumn]:
    line, first = next(rows)
    names = unique_names(first if form.header else [""] * len(first))
    wanted = set(keep(names))
    columns = [_Growing(name, name in wanted) for name in names]
    rows = islice(rows, max(0, heading_lines(form) - 1), None)
    pending = [] if form.header else [(line, first)]
    count = 0
    while chunk := pending + list(islice(rows, CHUNK - len(pending))):
        pending = []
        if check is not None:
            check()
        require_length(path, chunk, len(names), form)
        lines = [number for number, _ in chunk]
        by_column = zip(*(cells for _, cells in chunk), strict=True)
        for column, cells in zip(columns, by_column, strict=True):
            column.take(cells, lines, form.notation)
        count += len(chunk)
    require_items(path, count)
    return [column.grown() for column in columns]


def require_items(path: Path, count: int) -> None:
    """Refuse a table that has names of columns and nothing else."""
    if not count:
        raise DataError(
            f"'{path.name}' holds the names of columns but no items. "
            "Open a file with at least one line of values.",
            code="empty-data",
        )


def quick_numbers(cells: Sequence[str], notation: Notation) -> tuple[Floats, int]:
    """As `Notation.numbers`, several times faster where all cells are plain numbers."""
    plain = notation.decimal == "." and not notation.thousands
    if plain and notation.missing.isdisjoint(cells):
        try:
            values = np.array(list(map(float, cells)))
        except ValueError:
            pass
        else:
            if "_" not in "".join(cells):
                return values, -1
    return notation.numbers(cells)


def require_length(
    path: Path, chunk: list[tuple[int, list[str]]], length: int, form: Format
) -> None:
    """Refuse a line that has more or fewer cells than the first."""
    for line, cells in chunk:
        if len(cells) != length:
            raise DataError(
                f"Line {line} of '{path.name}' has {len(cells)} cells, the first line {length} "
                f"(separated by {_IN_WORDS[form.delimiter]}). Correct that line, or choose another "
                "delimiter.",
                code="malformed-line",
            )


def _first_lines(lines: Iterable[str]) -> list[str]:
    """Enough lines to guess from; of a very wide table a few are enough."""
    first: list[str] = []
    length = 0
    for line in islice(lines, LOOKED_AT):
        first.append(line)
        length += len(line)
        if length > ENOUGH and len(first) >= FEWEST:
            break
    return first
