"""Read a table from a text file: comma, semicolon or tab between the cells."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal, TextIO

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Field, Floats, Ints, Reader, hookimpl
from coterie.core.textfiles import find_encoding, open_text

CHUNK = 4096  # rows converted at once; a few milliseconds of work
LOOKED_AT = 200  # rows that the guesses are made from
MISSING = ("", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-")
TRUTH_NAMES = ("label", "class", "species", "target", "truth")
DELIMITERS = {",": ",", ";": ";", "tab": "\t", "|": "|", "space": " "}
WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}


@dataclass(frozen=True)
class _Format:
    """How the file is to be read, whether given or guessed."""

    encoding: str
    delimiter: str
    decimal: str
    header: bool
    missing: frozenset[str]
    guessed: dict[str, str | bool]


@dataclass
class _Column:
    """A column as far as it has been read: numbers until a cell is none, then only texts."""

    name: str
    keep_texts: bool
    numbers: list[Floats] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    wrong_cell: str = ""
    wrong_line: int = 0
    missing: int = 0

    @property
    def numeric(self) -> bool:
        return not self.wrong_line


class CSV(Reader):
    """Tables as text, one item a line, cells parted by commas, semicolons, tabs, bars or spaces.

    What is not given is guessed from the first lines and said in the notes. Compressed (.gz) files
    are read as they are. Columns that are not numbers are left out, unless they are the known
    classes or the names of the items.
    """

    id, title = "csv", "Text table (CSV)"
    extensions = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")

    class Params(Reader.Params):
        """How the file is written, and what its columns are."""

        delimiter: Literal["auto", ",", ";", "tab", "|", "space"] = Field(
            "auto", description="What parts the cells of a line."
        )
        decimal: Literal["auto", ".", ","] = Field(
            "auto", description="Decimal point or decimal comma."
        )
        encoding: str = Field("auto", description="Character encoding, such as utf-8 or cp1252.")
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first line holds the names of the columns."
        )
        missing: str = Field(
            "auto",
            description="Cells that mean 'not known', parted by spaces; auto: empty, NA, N/A, "
            "NaN, null, none, ? and -.",
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        encoding = params.encoding
        if encoding == "auto":
            encoding = find_encoding(path, check=context.check)
        with open_text(path, encoding) as stream:
            form = _format(path, stream, encoding, params)
        with open_text(path, encoding) as stream:
            columns, rows = _read(path, stream, form, params, context)
        if not rows:
            raise DataError(
                f"'{path.name}' holds the names of columns but no items. "
                "Open a file with at least one line of values."
            )
        return _dataset(path, columns, rows, form, params)

    def estimate(self, path: str | Path, *, params: Params) -> Cost:
        """A few times the size of the file; compressed ones unfold to several times as much."""
        path = Path(path)
        size = path.stat().st_size if path.is_file() else 0
        unfolded = size * (6 if path.suffix == ".gz" else 1)
        return Cost(bytes=3 * unfolded + (8 << 20), seconds=unfolded / 2e7)


def _rows(
    path: Path, lines: Iterable[str], delimiter: str, *, whole: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """The lines that hold something, each with its number in the file, cells stripped.

    A quote that is never closed would swallow the lines after it. It is refused when `whole`; the
    first lines alone may well end within a quoted cell.
    """
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=whole)
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if delimiter == " ":  # several in a row part two cells only once
                stripped = [cell for cell in stripped if cell]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        raise DataError(
            f"'{path.name}' cannot be read near line {reader.line_num}: {error}. "
            "Check the quotes there."
        ) from None


def _format(path: Path, stream: TextIO, encoding: str, params: CSV.Params) -> _Format:
    """Take what is given, and guess the rest from the first lines."""
    first = list(islice(stream, LOOKED_AT))
    if not any(line.strip() for line in first):
        raise DataError(f"'{path.name}' is empty. Open a file with at least one line of values.")
    marks = params.missing.split() if params.missing != "auto" else MISSING
    missing = frozenset(mark.lower() for mark in marks) | {""}
    guessed: dict[str, str | bool] = {}
    if params.encoding == "auto":
        guessed["encoding"] = encoding
    if params.delimiter == "auto":
        delimiter = _guess_delimiter(path, first, missing)
        guessed["delimiter"] = delimiter
    else:
        delimiter = DELIMITERS[params.delimiter]
    rows = [cells for _, cells in _rows(path, first, delimiter)]
    decimal: str = params.decimal
    if decimal == "auto":
        decimal = "."
        if delimiter != ",":
            decimal = max(".,", key=lambda mark: _numbers(rows, mark, missing))
        guessed["decimal"] = decimal
    if params.header == "auto":
        header = _guess_header(rows, decimal, missing)
        guessed["header"] = header
    else:
        header = params.header == "yes"
    return _Format(encoding, delimiter, decimal, header, missing, guessed)


def _guess_delimiter(path: Path, lines: list[str], missing: frozenset[str]) -> str:
    """The one that cuts most lines alike; among those, the one that leaves most numbers."""

    def quality(delimiter: str) -> tuple[float, float, int]:
        try:
            rows = [cells for _, cells in _rows(path, lines, delimiter)]
        except DataError:
            return 0.0, 0.0, 0
        lengths = [len(cells) for cells in rows]
        usual = max(set(lengths), key=lengths.count)
        if usual < 2:
            return 0.0, 0.0, 0
        alike = lengths.count(usual) / len(lengths)
        numbers = max(_numbers(rows, mark, missing) for mark in ".,")
        # Nine lines in ten alike is as good as all: the ragged one must be found and named.
        return min(1.0, round(alike + 0.1, 1)), numbers / sum(lengths), usual

    best = max(WORDS, key=quality)
    return best if quality(best) > (0.0, 0.0, 0) else ","


def _guess_header(rows: list[list[str]], decimal: str, missing: frozenset[str]) -> bool:
    """A first line is a header when it has a text over numbers, or when all is text."""
    if len(rows) == 1:
        return _numbers(rows, decimal, missing) == 0
    first, rest = rows[0], rows[1:]
    for j, cell in enumerate(first):
        below = [[row[j]] for row in rest if j < len(row) and row[j].lower() not in missing]
        is_text = cell.lower() not in missing and _number(cell, decimal) is None
        if is_text and 2 * _numbers(below, decimal, missing) > len(below):
            return True
    return _numbers(rows, decimal, missing) == 0


def _numbers(rows: list[list[str]], decimal: str, missing: frozenset[str]) -> int:
    """How many cells are numbers."""
    return sum(
        _number(cell, decimal) is not None
        for cells in rows
        for cell in cells
        if cell.lower() not in missing
    )


def _number(cell: str, decimal: str) -> float | None:
    """The number a cell holds, or None. Python's digit groups (1_000) are not a number here."""
    if decimal == ",":
        if "." in cell:
            return None
        cell = cell.replace(",", ".")
    if "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def _read(
    path: Path, stream: TextIO, form: _Format, params: CSV.Params, context: Context
) -> tuple[list[_Column], int]:
    """Read all columns chunk by chunk, stopping at the first line of another length."""
    rows = _rows(path, stream, form.delimiter, whole=True)
    line, first = next(rows)
    names = _unique_names(first if form.header else [""] * len(first))
    _require_column(path, names, params.truth, "truth")
    _require_column(path, names, params.items, "items")
    wanted = {params.truth, params.items} - {""} or set()
    guess = _truth_by_name(names) if not params.truth else ""
    columns = [_Column(name, keep_texts=name in wanted or name == guess) for name in names]
    count = 0
    pending = [] if form.header else [(line, first)]
    while chunk := pending + list(islice(rows, CHUNK - len(pending))):
        pending = []
        context.check()
        _require_length(path, chunk, len(names), form)
        numbers = [number for number, _ in chunk]
        for column, cells in zip(
            columns, zip(*(cells for _, cells in chunk), strict=True), strict=True
        ):
            _take_in(column, cells, numbers, form)
        count += len(chunk)
    return columns, count


def _take_in(column: _Column, cells: Sequence[str], lines: list[int], form: _Format) -> None:
    if column.keep_texts:
        column.texts.extend("" if cell.lower() in form.missing else cell for cell in cells)
    if not column.numeric:
        return
    values = np.empty(len(cells))
    for i, cell in enumerate(cells):
        number = np.nan if cell.lower() in form.missing else _number(cell, form.decimal)
        if number is None:
            column.wrong_cell, column.wrong_line = cell, lines[i]
            column.numbers.clear()
            return
        values[i] = number
    column.missing += int(np.isnan(values).sum())
    column.numbers.append(values)


def _require_length(
    path: Path, chunk: list[tuple[int, list[str]]], length: int, form: _Format
) -> None:
    for line, cells in chunk:
        if len(cells) != length:
            raise DataError(
                f"Line {line} of '{path.name}' has {len(cells)} cells, the first line {length} "
                f"(parted by {WORDS[form.delimiter]}). Correct that line, or choose another "
                "delimiter."
            )


def _require_column(path: Path, names: list[str], wanted: str, role: str) -> None:
    if wanted and wanted not in names:
        shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        raise DataError(
            f"'{path.name}' has no column '{wanted}' to take as {role}. Its columns are: {shown}."
        )


def _unique_names(names: list[str]) -> list[str]:
    """Give nameless columns a name, and repeated ones a number."""
    unique: list[str] = []
    for j, name in enumerate(names, 1):
        candidate = name = name or f"column {j}"
        repeat = 2
        while candidate in unique:
            candidate, repeat = f"{name} ({repeat})", repeat + 1
        unique.append(candidate)
    return unique


def _truth_by_name(names: list[str]) -> str:
    return names[-1] if len(names) > 1 and names[-1].lower() in TRUTH_NAMES else ""


def _dataset(
    path: Path, columns: list[_Column], rows: int, form: _Format, params: CSV.Params
) -> Dataset:
    """Put the columns to their uses, and say what was guessed and left out."""
    by_name = {column.name: column for column in columns}
    truth_name = params.truth or _truth_by_name(list(by_name))
    guessed = dict(form.guessed)
    if truth_name and not params.truth:
        guessed["truth"] = truth_name
    features: list[_Column] = []
    notes = list(_guess_notes(guessed, form))
    for column in columns:
        if column.name in (truth_name, params.items):
            continue
        if not column.numeric:
            notes.append(
                f"Column '{column.name}' was left out: '{column.wrong_cell:.40}' on line "
                f"{column.wrong_line} is not a number."
            )
        elif column.missing == rows:
            notes.append(f"Column '{column.name}' was left out: it holds no values.")
        else:
            features.append(column)
    if not features:
        raise DataError(
            f"'{path.name}' has no column of numbers. {' '.join(notes[-3:])} "
            "Check the delimiter and the decimal mark."
        )
    missing = sum(column.missing for column in features)
    if missing:
        notes.append(
            f"{missing} {'cell is' if missing == 1 else 'cells are'} missing, in "
            f"{sum(column.missing > 0 for column in features)} of {len(features)} columns."
        )
    truth: Ints | None = None
    truth_names: tuple[str, ...] = ()
    if truth_name:
        truth, truth_names = _classes(by_name[truth_name].texts)
    values = np.empty((rows, len(features)))
    for j, column in enumerate(features):
        values[:, j] = np.concatenate(column.numbers)
    return Dataset(
        title=path.name.removesuffix(".gz").rsplit(".", 1)[0] or path.name,
        features=values,
        columns=tuple(column.name for column in features),
        items=tuple(by_name[params.items].texts) if params.items else (),
        truth=truth,
        truth_names=truth_names,
        truth_column=truth_name,
        notes=tuple(notes),
        details={"guessed": guessed},
    )


def _guess_notes(guessed: dict[str, str | bool], form: _Format) -> Iterator[str]:
    said = []
    if "delimiter" in guessed:
        said.append(f"cells parted by {WORDS[form.delimiter]}")
    if "decimal" in guessed:
        said.append("decimal point" if form.decimal == "." else "decimal comma")
    if "encoding" in guessed:
        said.append(f"encoding {form.encoding}")
    if "header" in guessed:
        said.append("first line as names" if form.header else "no line of names")
    if said:
        yield f"Guessed from the file: {', '.join(said)}."
    if "truth" in guessed:
        yield f"Column '{guessed['truth']}' was taken as the known classes, for its name."


def _classes(texts: list[str]) -> tuple[Ints, tuple[str, ...]]:
    """Classes in the order of numbers when all are numbers, otherwise of the alphabet."""
    names = set(texts) - {""}
    numbers = {name: _number(name, ".") for name in names}
    ordered = sorted(names, key=lambda name: (numbers[name] is None, numbers[name] or 0.0, name))
    position = {name: j for j, name in enumerate(ordered)} | {"": -1}
    return np.array([position[text] for text in texts], dtype=np.int64), tuple(ordered)


@hookimpl
def coterie_readers() -> Sequence[type[Reader]]:
    """Offer the reader of text tables."""
    return [CSV]
