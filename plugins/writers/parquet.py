"""Write any result as a Parquet table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from coterie.core import Affinity, Context, Cost, DataError, Field, Writer
from coterie.core.formats.files.tables import table_of, with_columns


class ParquetWriter(Writer):
    """Groups, memberships, ranks, coordinates and tables for programs that read Parquet.

    Needs the package pyarrow (coterie[tables]). The columns are those of `writer/csv`.
    """

    id, title = "parquet", "Parquet table"
    extensions = (".parquet",)

    class Params(Writer.Params):
        """What is written."""

        columns: Literal["result", "all"] = Field(
            "result",
            description="The columns of the result alone, or also all columns of the data.",
        )

    def compute(self, artefact: Any, path: Path, *, params: Params, context: Context) -> None:
        """Write `artefact` to `path`."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise DataError(
                "Parquet files need the package 'pyarrow', which is not installed. "
                "Install it with: pip install 'coterie[tables]', or write CSV.",
                code="missing-package",
            ) from None
        context.check()
        table = table_of(artefact)
        if params.columns == "all":
            table = with_columns(table, getattr(artefact, "dataset", None))
        columns = {}
        for name, values in zip(table.names, table.columns, strict=True):
            context.check()
            # An empty cell stands for nothing known, among numbers as well.
            columns[name] = pyarrow.array([None if value == "" else value for value in values])
        parquet.write_table(pyarrow.table(columns), path)

    def estimate(self, artefact: Any, path: Path, *, params: Params) -> Cost:
        """A dense matrix is written whole; all else is small."""
        cells = artefact.n**2 if isinstance(artefact, Affinity) else 0
        return Cost(bytes=50 * cells + (16 << 20), seconds=cells / 1e7)
