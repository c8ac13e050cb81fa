"""Read a table from a text file: comma, semicolon or tab between the cells."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from coterie.core import Context, DataError, Dataset, Field, Reader
from coterie.core.formats.files.delimited import Format, find_format, read_columns
from coterie.core.formats.files.previewing import LOOKED_AT, preview_text_table
from coterie.core.formats.files.tabular import (
    TablePreview,
    table_dataset,
    truth_by_name,
    used_columns,
)


class CSV(Reader):
    """Text tables, one item per line, separated by commas, semicolons, tabs, bars or spaces.

    What is not given is guessed from the first lines, and noted. Compressed (.gz) files
    are read as they are. Columns that are not numbers are left out, unless they are the known
    classes or the names of the items.
    """

    id, title = "csv", "Text table (CSV)"
    version = "2"
    extensions = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")

    class Params(Reader.Params):
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
            "NaN, null, none, ? and -.",
        )

        leave_out: list[str] = Field([], description="Columns to leave out.")

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        form = _format(path, params, context)

        def kept(names: list[str]) -> set[str]:
            used = _used(path, names, params)
            return {params.truth or truth_by_name(used), params.items} - {""}

        columns = read_columns(path, form, keep=kept, check=context.check)
        return table_dataset(
            path,
            [column for column in columns if column.name not in params.leave_out],
            truth=params.truth,
            items=params.items,
            notes=form.in_words(),
            guessed=form.guessed,
            advice="Check the delimiter and the decimal mark.",
        )

    def preview(self, path: str | Path, *, params: Params, context: Context) -> TablePreview:
        """Return the first lines as they would be read, and every guess made for that."""
        path = Path(path)
        return preview_text_table(
            path,
            _format(path, params, context, most=LOOKED_AT),
            truth=params.truth,
            items=params.items,
            leave_out=params.leave_out,
        )


def _used(path: Path, names: list[str], params: CSV.Params) -> list[str]:
    return used_columns(
        path.name, names, truth=params.truth, items=params.items, leave_out=params.leave_out
    )


def _format(path: Path, params: CSV.Params, context: Context, most: int | None = None) -> Format:
    if params.decimal == params.thousands != "auto":
        raise DataError(
            f"'{params.decimal}' cannot be both the thousands separator and the decimal mark. "
            "Change one of the two.",
            code="invalid-parameters",
        )
    return find_format(
        path,
        encoding=params.encoding,
        delimiter=params.delimiter,
        decimal=params.decimal,
        thousands=params.thousands,
        header=params.header,
        missing=params.missing,
        check=context.check,
        most=most,
    )
