"""Read a table from a spreadsheet: Excel or OpenDocument."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from coterie.core import Context, Dataset, Field, Reader
from coterie.core.formats.columns.cells import Cells, cells_of
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.previews import preview_of
from coterie.core.formats.columns.typed_table import (
    ALL_MISSING,
    NUMBERS,
    ColumnChoices,
    typed_dataset,
)
from coterie.core.formats.files.spreadsheets import CHECK_EVERY, ENDINGS, Sheet, sheet_values
from coterie.core.formats.files.tabular import MISSING, TablePreview


class Excel(Reader):
    """A sheet of a spreadsheet, one item per row; .xlsx, .xlsm, .xlsb, .xls and .ods.

    Empty rows and columns around the table, and titles above it, are passed over. Of a formula its
    last value is read. Numbers kept as text are numbers here. Categories and dates are features
    too; identifiers and texts are kept as information.
    """

    id, title = "excel", "Spreadsheet (Excel)"
    version = "2"
    extensions = ENDINGS

    class Params(ColumnParams):
        """Which sheet, and what its columns are."""

        sheet: str = Field(
            "",
            description="Name of the sheet, or its number from 1; empty: the first that is filled.",
        )
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first row holds the names of the columns."
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the sheet."""
        path = Path(path)
        sheet = _sheet(path, params, context)
        return typed_dataset(
            path,
            _cells(sheet, params, context),
            ColumnChoices.of(params),
            notes=sheet.notes,
            guessed=sheet.guessed,
            advice=" ".join([*sheet.unvalued, "Choose another sheet."]),
        )

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview:
        """Return the first rows as they would be read, and every guess made for that."""
        sheet = _sheet(Path(path), params, context)
        choices = ColumnChoices.of(params)
        choices.require(Path(path).name, sheet.names)
        shown = preview_of(_cells(sheet, params, context), choices)
        return replace(
            shown,
            guessed={**sheet.guessed, **shown.guessed},
            notes=(*sheet.notes, *shown.notes),
            choices={"sheet": sheet.sheets} if len(sheet.sheets) > 1 else {},
        )


def _sheet(path: Path, params: Excel.Params, context: Context) -> Sheet:
    return sheet_values(path, sheet=params.sheet, header=params.header, check=context.check)


def _cells(sheet: Sheet, params: Excel.Params, context: Context) -> list[Cells]:
    plain = params.features == NUMBERS
    missing = MISSING if plain else ALL_MISSING
    found = []
    for j, values in enumerate(zip(*sheet.rows, strict=True)):
        if j % CHECK_EVERY == 0:
            context.check()
        found.append(cells_of(sheet.names[j], values, missing, truth_as_numbers=plain))
    return found
