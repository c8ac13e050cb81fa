"""A sheet of a spreadsheet as columns: Excel or OpenDocument."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from coterie.core.errors import DataError
from coterie.core.formats.files.tabular import MISSING, Column, column_of, unique_names
from coterie.core.formats.files.workbook_sizes import require_modest

ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
PREVIEWED = 50  # rows that a preview shows
LISTED = 10  # sheets that a message names
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
) -> tuple[list[Column], list[str], dict[str, Any]]:
    """Return the columns of a sheet, or of each its first `most` cells, with remarks and guesses.

    Parameters
    ----------
    sheet : its name, or its number from 1; empty: the first that is filled
    header : whether the first row holds the names of the columns: "yes", "no" or "auto"
    check : called now and then; raises when the person cancelled
    missing : cells that mean "not known"; of texts, none does
    """
    check()
    require_modest(path, check)
    name, rows, notes = _rows(path, sheet)
    guessed: dict[str, Any] = {} if sheet else {"sheet": name}
    named = header == "yes"
    if header == "auto":
        named = guessed["header"] = _has_header(rows)
        notes.append(f"Guessed: {'first row as names' if named else 'no row of names'}.")
    names = unique_names(_text(cell) for cell in rows[0]) if named else []
    body = rows[named:][:most]
    if not body:
        raise DataError(
            f"Sheet '{name}' of '{path.name}' holds the names of columns but no items. "
            "Choose another sheet.",
            code="empty-data",
        )
    names = names or unique_names("" for _ in rows[0])
    columns: list[Column] = []
    for j, cells in enumerate(zip(*body, strict=True)):
        if j % CHECK_EVERY == 0:
            check()
        columns.append(column_of(names[j], cells, missing))
    return columns, notes, guessed


def _rows(path: Path, wanted: str) -> tuple[str, list[list[Any]], list[str]]:
    """The name of the sheet, its rows with rows that are all empty left out, and remarks."""
    from python_calamine import CalamineError, CalamineWorkbook

    if not path.is_file():
        raise DataError(
            f"There is no file '{path}'. Check its name and folder.", code="file-not-found"
        )
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            names = workbook.sheet_names
            notes = []
            for name in [_sheet(path, names, wanted)] if wanted else names:
                cells = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
                rows = [row for row in cells if any(_text(cell) for cell in row)]
                if rows:
                    if not wanted and len(names) > 1:
                        notes.append(
                            f"Read sheet '{name}', the first of {len(names)} with content."
                        )
                    return name, rows, notes
    except (CalamineError, OSError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a spreadsheet ({error}). "
            "Save it again as .xlsx, or export it as CSV.",
            code="file-damaged",
        ) from None
    raise DataError(
        f"{f'Sheet {wanted!r} of ' if wanted else ''}'{path.name}' is empty.", code="empty-data"
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


def _has_header(rows: list[list[Any]]) -> bool:
    """A first row is one of names when all that is in it is text, and there are rows below."""
    first = [cell for cell in rows[0] if _text(cell)]
    return len(rows) > 1 and bool(first) and all(isinstance(cell, str) for cell in first)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()
