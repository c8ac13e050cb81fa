"""A sheet of a spreadsheet as columns: Excel or OpenDocument."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError, no_file
from coterie.core.formats.files.formulas import unvalued_cells
from coterie.core.formats.files.tabular import MISSING, FileColumn, column_of, unique_names
from coterie.core.formats.files.workbook_sizes import require_modest
from coterie.core.wording import counted

ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
PREVIEWED = 50  # rows that a preview shows
LISTED = 10  # sheets that a message names
MOST_REMARKS = 20  # rows above the table
CHECK_EVERY = 64  # columns converted between two looks at the cancel button


def is_spreadsheet(path: Path) -> bool:
    """Return whether a file is a spreadsheet, by its ending."""
    return path.name.lower().endswith(ENDINGS)


def sheet_columns(
    path: Path,
    *,
    sheet: str = "",
    header: str = "auto",
    check: Callable[[], None] = lambda: None,
    missing: Collection[str] = MISSING,
    most: int | None = None,
) -> tuple[list[FileColumn], list[str], dict[str, Any]]:
    """Return the columns of a sheet, or of each its first `most` cells, with remarks and guesses.

    Parameters
    ----------
    sheet : its name, or its number from 1; empty: the first that is filled
    header : whether the first row holds the names of the columns: "yes", "no" or "auto"
    check : called now and then; raises when the person cancelled
    missing : cells that mean "not known"; of texts, none does
    """
    found = sheet_values(path, sheet=sheet, header=header, check=check)
    columns: list[FileColumn] = []
    for j, cells in enumerate(zip(*found.rows[:most], strict=True)):
        if j % CHECK_EVERY == 0:
            check()
        columns.append(column_of(found.names[j], cells, missing))
    return columns, found.notes, found.guessed


@dataclass(frozen=True)
class Sheet:
    """A table in a spreadsheet: names of columns, rows of values, remarks and guesses.

    `unvalued` are those remarks that say of cells why they have no value.
    """

    names: list[str]
    rows: list[list[Any]]
    notes: list[str]
    guessed: dict[str, Any]
    sheets: tuple[str, ...] = ()
    unvalued: tuple[str, ...] = ()


def sheet_values(
    path: Path,
    *,
    sheet: str = "",
    header: str = "auto",
    check: Callable[[], None] = lambda: None,
) -> Sheet:
    """Return the values of a sheet as they are, below its names; see `sheet_columns`.

    Rows above the names that hold a title or a remark are passed over. A merged cell has its value
    in all its places.
    """
    check()
    require_modest(path, check)
    name, rows, notes, sheets = _rows(path, sheet, check)
    unvalued = unvalued_cells(path, name, check).notes()
    notes += unvalued
    guessed: dict[str, Any] = {} if sheet else {"sheet": name}
    if above := _remarks_above(rows):
        notes.append(
            f"{counted(above, 'row')} above the table {'was' if above == 1 else 'were'} skipped: "
            f"'{_first_text(rows[0]):.60}'{' …' if above > 1 else ''}."
        )
        rows = rows[above:]
    named = header == "yes"
    if header == "auto":
        named = guessed["header"] = _has_header(rows)
        notes.append(f"Guessed: {'first row as names' if named else 'no row of names'}.")
    heads = [_text(cell) if named else "" for cell in rows[0]]
    below = rows[named:]
    if named and _has_parts(rows):
        heads = [_joined(whole, _text(part)) for whole, part in zip(heads, rows[1], strict=True)]
        below = rows[2:]
        notes.append("Guessed: the first two rows as names, as one above stands for several.")
    names = unique_names(heads)
    if not below:
        raise DataError(
            f"Sheet '{name}' of '{path.name}' holds the names of columns but no items. "
            f"{' '.join([*unvalued, 'Choose another sheet.'])}",
            code="empty-data",
        )
    return Sheet(names, below, notes, guessed, tuple(sheets), tuple(unvalued))


def _rows(
    path: Path, wanted: str, check: Callable[[], None]
) -> tuple[str, list[list[Any]], list[str], list[str]]:
    """The name of the sheet, its rows without empty ones, remarks, and the names of all sheets."""
    from python_calamine import CalamineError, CalamineWorkbook

    if not path.is_file():
        raise no_file(path)
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            names = workbook.sheet_names
            notes = []
            for name in [_sheet(path, names, wanted)] if wanted else names:
                sheet = workbook.get_sheet_by_name(name)
                cells = sheet.to_python(skip_empty_area=True)
                merged = _spread_merged(sheet, cells)
                rows = [row for row in cells if any(_text(cell) for cell in row)]
                if rows:
                    if not wanted and len(names) > 1:
                        notes.append(
                            f"Read sheet '{name}', the first of {len(names)} with content."
                        )
                    if merged:
                        notes.append(
                            f"{counted(merged, 'merged cell')}: the value was taken for all places."
                        )
                    return name, rows, notes, names
    except (CalamineError, OSError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a spreadsheet ({error}). "
            "Save it again as .xlsx, or export it as CSV.",
            code="file-damaged",
        ) from None
    asked = [wanted] if wanted else names
    why = [note for name in asked for note in unvalued_cells(path, name, check).notes()]
    raise DataError(
        " ".join([f"{f'Sheet {wanted!r} of ' if wanted else ''}'{path.name}' is empty.", *why]),
        code="empty-data",
    )


def _sheet(path: Path, names: list[str], wanted: str) -> str:
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    shown = ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "")
    raise DataError(
        f"'{path.name}' has no sheet '{wanted}'. Its sheets are: {shown}.", code="unknown-sheet"
    )


def _spread_merged(sheet: Any, cells: list[list[Any]]) -> int:
    """Write the value of each merged cell of the table into all its places; return how many."""
    start = sheet.start or (0, 0)
    count = 0
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        rows = range(max(0, top - start[0]), min(len(cells), bottom - start[0] + 1))
        width = len(cells[0]) if cells else 0
        columns = range(max(0, left - start[1]), min(width, right - start[1] + 1))
        if not rows or not columns or len(columns) == width:  # a title over the whole table
            continue
        value = cells[rows[0]][columns[0]]
        if not _text(value):
            continue
        count += 1
        for i in rows:
            for j in columns:
                cells[i][j] = value
    return count


def _remarks_above(rows: list[list[Any]]) -> int:
    """How many first rows hold next to nothing, above one that is full of texts."""
    width = len(rows[0])
    for j, row in enumerate(rows[: MOST_REMARKS + 1]):
        filled = [cell for cell in row if _text(cell)]
        if 3 * len(filled) > width:
            full = len(filled) >= 0.8 * width and all(isinstance(cell, str) for cell in filled)
            return j if full and width > 1 else 0
    return 0


def _has_parts(rows: list[list[Any]]) -> bool:
    """Whether names in the first row are each above several names in the second: a merged cell."""
    if len(rows) < 3:
        return False
    first, second = (list(map(_text, row)) for row in rows[:2])
    several = any(a and a == b for a, b in pairwise(first))
    texts = all(isinstance(cell, str) for cell in rows[1]) and any(second)
    values = any(not isinstance(cell, str) for row in rows[2:] for cell in row)
    pairs = [f"{a}\n{b}" for a, b in zip(first, second, strict=True)]
    return several and texts and values and len(set(pairs)) == len(pairs)


def _joined(whole: str, part: str) -> str:
    return whole if part in ("", whole) else f"{whole} {part}".strip()


def _first_text(row: list[Any]) -> str:
    return next((_text(cell) for cell in row if _text(cell)), "")


def _has_header(rows: list[list[Any]]) -> bool:
    """A first row is one of names when all that is in it is text, and there are rows below."""
    first = [cell for cell in rows[0] if _text(cell)]
    return len(rows) > 1 and bool(first) and all(isinstance(cell, str) for cell in first)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()
