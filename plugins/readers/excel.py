"""Read a table from a spreadsheet: Excel or OpenDocument."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from coterie.core import Context, Dataset, Field, Reader
from coterie.core.formats.files.spreadsheets import ENDINGS, PREVIEWED, sheet_columns
from coterie.core.formats.files.tabular import (
    Column,
    TablePreview,
    table_dataset,
    table_preview,
    used_columns,
)


class Excel(Reader):
    """A sheet of a spreadsheet, one item per row; .xlsx, .xlsm, .xlsb, .xls and .ods.

    Empty rows and columns around the table are passed over. Numbers kept as text are numbers here.
    Columns that are not numbers, dates among them, are left out, unless they are the known classes
    or the names of the items.
    """

    id, title = "excel", "Spreadsheet (Excel)"
    extensions = ENDINGS

    class Params(Reader.Params):
        """Which sheet, and what its columns are."""

        sheet: str = Field(
            "",
            description="Name of the sheet, or its number from 1; empty: the first that is filled.",
        )
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first row holds the names of the columns."
        )

        leave_out: list[str] = Field([], description="Columns to leave out.")

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
    columns, notes, guessed = sheet_columns(
        path, sheet=params.sheet, header=params.header, check=context.check, most=most
    )
    used_columns(
        path.name,
        [column.name for column in columns],
        truth=params.truth,
        items=params.items,
        leave_out=params.leave_out,
    )
    return columns, notes, guessed
