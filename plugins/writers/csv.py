"""Write any result as a text table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from coterie.core import Affinity, Context, Cost, Field, Writer
from coterie.core.formats.files.tables import Table, table_of, with_columns, write_csv

ROWS = 10_000  # written between two looks at the cancel button
DELIMITERS = {",": ",", ";": ";", "tab": "\t"}


class CSVWriter(Writer):
    """Groups, memberships, ranks, coordinates, tables and scores as text, one item per line.

    Numbers keep all their digits; what is missing is left empty. UTF-8, with names in the first
    line: every spreadsheet and `reader/csv` read it.
    """

    id, title = "csv", "Text table (CSV)"
    extensions = (".csv", ".tsv")

    class Params(Writer.Params):
        """How the table is written."""

        delimiter: Literal["auto", ",", ";", "tab"] = Field(
            "auto", description="Column separator; auto: a tab in .tsv files, otherwise a comma."
        )
        decimal: Literal[".", ","] = Field(".", description="Decimal point or decimal comma.")
        columns: Literal["result", "all"] = Field(
            "result",
            description="The columns of the result alone, or also all columns of the data.",
        )
        formulas: Literal["keep", "quote"] = Field(
            "keep",
            description="How to write texts that a spreadsheet would compute, such as =1+1: as "
            "they are, or after an apostrophe.",
        )

    def compute(self, artefact: Any, path: Path, *, params: Params, context: Context) -> None:
        """Write `artefact` to `path`."""
        context.check()
        table = table_of(artefact)
        if params.columns == "all":
            table = with_columns(table, getattr(artefact, "dataset", None))
        delimiter = "\t" if path.suffix == ".tsv" else (";" if params.decimal == "," else ",")
        if params.delimiter != "auto":
            delimiter = DELIMITERS[params.delimiter]
        with path.open("w", encoding="utf-8", newline="") as stream:
            for start in range(0, max(1, len(table)), ROWS):
                context.progress(start, max(1, len(table)), "writing")
                part = tuple(column[start : start + ROWS] for column in table.columns)
                write_csv(
                    Table(table.names, part),
                    stream,
                    delimiter=delimiter,
                    decimal=params.decimal,
                    header=start == 0,
                    formulas=params.formulas == "keep",
                )

    def estimate(self, artefact: Any, path: Path, *, params: Params) -> Cost:
        """A dense matrix is written whole; all else is small."""
        cells = artefact.n**2 if isinstance(artefact, Affinity) else 0
        return Cost(
            bytes=40 * cells + (16 << 20),
            seconds=cells / 2e6,
            alternatives=("write the edges of a sparse graph with writer/edges",),
        )
