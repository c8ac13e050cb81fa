"""Read a table from a text file: comma, semicolon or tab between the cells."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from coterie.core import Context, DataError, Dataset, Field, Reader
from coterie.core.formats.columns.arrow_cells import read_by_arrow
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.previews import ENCODED, preview_text
from coterie.core.formats.columns.text_cells import read_cells
from coterie.core.formats.columns.typed_table import (
    ALL_MISSING,
    NUMBERS,
    ColumnChoices,
    typed_dataset,
)
from coterie.core.formats.files.delimited import Format, find_format
from coterie.core.formats.files.tabular import MISSING, TablePreview


class CSV(Reader):
    """Text tables, one item per line, separated by commas, semicolons, tabs, bars or spaces.

    How the file is written is guessed from its first lines, what its columns hold from all of them,
    and each guess is noted. Numbers may have a currency, a percent sign or groups of digits.
    Categories and dates are features too; identifiers and texts are kept as information. Compressed
    (.gz) files are read as they are.
    """

    id, title = "csv", "Text table (CSV)"
    version = "3"
    extensions = (".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
    default_for = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")

    class Params(ColumnParams):
        """How the file is written, and what its columns are."""

        delimiter: Literal["auto", ",", ";", "tab", "|", "space"] = Field(
            "auto", description="Column separator."
        )
        decimal: Literal["auto", ".", ","] = Field(
            "auto", description="Decimal point or decimal comma."
        )
        thousands: Literal["auto", "none", ",", ".", "space", "'"] = Field(
            "auto", description="Thousands separator, as in 1,234,567."
        )
        encoding: str = Field("auto", description="Character encoding, such as utf-8 or cp1252.")
        header: Literal["auto", "yes", "no"] = Field(
            "auto", description="Whether the first line holds the names of the columns."
        )
        missing: str = Field(
            "auto",
            description="Cells that mean 'missing', separated by spaces; auto: empty, NA, N/A, "
            "NaN, null, none, k.A., ?, - and the like.",
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        choices = ColumnChoices.of(params)

        def kept(names: list[str]) -> set[str]:
            choices.require(path.name, names)
            return choices.as_text(names)

        # The encoding is guessed from a part; Arrow checks that all of the file is written in it.
        form = _format(path, params, context, most=ENCODED)
        notes: list[str] = []
        cells = read_by_arrow(path, form, keep=kept, check=context.check)
        if cells is None:
            if "encoding" in form.guessed and path.stat().st_size > ENCODED:
                form = _format(path, params, context)
            cells = read_cells(path, form, keep=kept, check=context.check, notes=notes)
        return typed_dataset(
            path,
            cells,
            choices,
            notation=form.notation,
            notes=[*form.in_words(), *notes],
            guessed=form.guessed,
            advice="Check the delimiter and the decimal mark.",
        )

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview:
        """Return the first lines as they would be read, and every guess made for that."""
        path = Path(path)
        form = _format(path, params, context, most=ENCODED)
        return preview_text(path, form, ColumnChoices.of(params), context.check)


def _format(path: Path, params: CSV.Params, context: Context, most: int | None = None) -> Format:
    if params.decimal == params.thousands != "auto":
        raise DataError(
            f"'{params.decimal}' cannot be both the thousands separator and the decimal mark. "
            "Change one of the two.",
            code="invalid-parameters",
        )
    typed = params.features != NUMBERS
    return find_format(
        path,
        encoding=params.encoding,
        delimiter=params.delimiter,
        decimal=params.decimal,
        thousands=params.thousands,
        header=params.header,
        missing=params.missing,
        marks=ALL_MISSING if typed else MISSING,
        amounts=typed,
        check=context.check,
        most=most,
    )
