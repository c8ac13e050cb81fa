"""Read a table from a spreadsheet: Excel or OpenDocument."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from coterie.core import Context, DataError, Dataset, Field, Reader, hookimpl
from coterie.core.files.tabular import (
    Column,
    TablePreview,
    column_of,
    table_dataset,
    table_preview,
    unique_names,
    used_columns,
)

PREVIEWED = 50  # rows that a preview shows
LISTED = 10  # sheets that a message names
CHECK_EVERY = 64  # columns converted between two looks at the cancel button


class Excel(Reader):
    """A sheet of a spreadsheet, one item a row; .xlsx, .xlsm, .xlsb, .xls and .ods.

    Empty rows and columns around the table are passed over. Numbers kept as text are numbers here.
    Columns that are not numbers, dates among them, are left out, unless they are the known classes
    or the names of the items.
    """

    id, title = "excel", "Spreadsheet (Excel)"
    extensions = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")

    class Params(Reader.Params):
        """Which sheet, and what its columns are."""

        sheet: str = Field(
            "",
            description="Name of the sheet, or its number from 1; empty: the first that is filled.",
        )
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first row holds the names of the columns."
        )

        leave_out: list[str] = Field([], description="Columns that are not to be used.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the sheet."""
        path = Path(path)
        columns, notes, guessed = _columns(path, params, context)
        return table_dataset(
            path,
            [column for column in columns if column.name not in params.leave_out],
            truth=params.truth,
            items=params.items,
            notes=notes,
            guessed=guessed,
            advice="Choose another sheet.",
        )

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview:
        """Return the first rows as they would be read, and every guess made for that."""
        columns, notes, guessed = _columns(Path(path), params, context, most=PREVIEWED)
        return table_preview(
            columns,
            truth=params.truth,
            items=params.items,
            leave_out=params.leave_out,
            guessed=guessed,
            notes=notes,
        )


def _columns(
    path: Path, params: Excel.Params, context: Context, most: int | None = None
) -> tuple[list[Column], list[str], dict[str, Any]]:
    """The columns, or of each its first `most` cells, with remarks and guesses."""
    context.check()
    sheet, rows, notes = _rows(path, params.sheet)
    guessed: dict[str, Any] = {} if params.sheet else {"sheet": sheet}
    header = params.header == "yes"
    if params.header == "auto":
        header = guessed["header"] = _has_header(rows)
        notes.append(f"Guessed: {'first row as names' if header else 'no row of names'}.")
    names = unique_names(_text(cell) for cell in rows[0]) if header else []
    body = rows[header:][:most]
    if not body:
        raise DataError(
            f"Sheet '{sheet}' of '{path.name}' holds the names of columns but no items. "
            "Choose another sheet."
        )
    names = names or unique_names("" for _ in rows[0])
    used_columns(
        path.name, names, truth=params.truth, items=params.items, leave_out=params.leave_out
    )
    columns: list[Column] = []
    for j, cells in enumerate(zip(*body, strict=True)):
        if j % CHECK_EVERY == 0:
            context.check()
        columns.append(column_of(names[j], cells))
    return columns, notes, guessed


def _rows(path: Path, wanted: str) -> tuple[str, list[list[Any]], list[str]]:
    """The name of the sheet, its rows with rows that are all empty left out, and remarks."""
    from python_calamine import CalamineError, CalamineWorkbook

    if not path.is_file():
        raise DataError(f"There is no file '{path}'. Check its name and place.")
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            names = workbook.sheet_names
            notes = []
            for name in [_sheet(path, names, wanted)] if wanted else names:
                cells = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
                rows = [row for row in cells if any(_text(cell) for cell in row)]
                if rows:
                    if not wanted and len(names) > 1:
                        notes.append(f"Sheet '{name}' was read, the first filled of {len(names)}.")
                    return name, rows, notes
    except (CalamineError, OSError) as error:
        raise DataError(
            f"'{path.name}' cannot be read as a spreadsheet ({error}). "
            "Save it again as .xlsx, or export it as CSV."
        ) from None
    raise DataError(f"{f'Sheet {wanted!r} of ' if wanted else ''}'{path.name}' is empty.")


def _sheet(path: Path, names: list[str], wanted: str) -> str:
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    shown = ", ".join(names[:LISTED]) + (", …" if len(names) > LISTED else "")
    raise DataError(f"'{path.name}' has no sheet '{wanted}'. Its sheets are: {shown}.")


def _has_header(rows: list[list[Any]]) -> bool:
    """A first row is one of names when all that is in it is text, and there are rows below."""
    first = [cell for cell in rows[0] if _text(cell)]
    return len(rows) > 1 and bool(first) and all(isinstance(cell, str) for cell in first)


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


@hookimpl
def coterie_readers() -> Sequence[type[Reader]]:
    """Offer the reader of spreadsheets."""
    return [Excel]
