"""Read a table from a Parquet file, or from a folder of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Field, Reader
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.typed_table import NUMBERS, ColumnChoices, typed_dataset
from coterie.core.formats.files.parquet_parts import (
    ENDINGS,
    ParquetParts,
    cells_of,
    damaged,
    require_pyarrow,
)
from coterie.core.wording import counted


class Parquet(Reader):
    """A Parquet table, one item per row. Needs the package pyarrow (coterie[tables]).

    A folder whose name ends in .parquet is one table in several files. Of tables larger than memory
    draw a `sample`, which is read part by part; `coterie classify` then labels all rows the same
    way. Categories and dates are features too; identifiers and texts are kept as information.
    """

    id, title = "parquet", "Parquet table"
    version = "2"
    extensions = ENDINGS

    class Params(ColumnParams):
        """What the columns are, and how many of the rows are taken."""

        sample: int = Field(
            0,
            ge=0,
            description="Number of rows drawn at random, for tables larger than memory; 0: all.",
            json_schema_extra={"unit": "rows"},
        )

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file or folder at `path`."""
        path = Path(path)
        require_pyarrow()
        import pyarrow

        context.check()
        parts = ParquetParts.of(path)
        if parts.n == 0:
            raise DataError(
                f"'{path.name}' holds no items. Open a file with at least one row.",
                code="empty-data",
            )
        drawn = None
        if 0 < params.sample < parts.n:
            drawn = np.sort(context.rng.choice(parts.n, params.sample, replace=False))
        try:
            table: Any = parts.taken(drawn, context.check)
        except MemoryError:
            raise DataError(
                f"'{path.name}' needs more memory than is available. Draw some of its rows with "
                "the parameter 'sample', or keep fewer columns.",
                code="out-of-memory",
            ) from None
        except (pyarrow.ArrowException, OSError) as error:
            raise damaged(path, error) from None
        cells = cells_of(table, params.features == NUMBERS, context.check)
        found = typed_dataset(path, cells, ColumnChoices.of(params))
        if drawn is None:
            return found
        note = f"A sample of {counted(params.sample, 'row')} of {parts.n:,}."
        return replace(
            found,
            notes=(note, *found.notes),
            details={**found.details, "positions": drawn.tolist()},
        )

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """A few times the numbers that its end promises, which may be packed a thousandfold."""
        try:
            parts = ParquetParts.of(Path(args[0]))
        except DataError:
            return super().estimate(*args, **kwargs)
        params = kwargs.get("params")
        sample = params.sample if isinstance(params, self.Params) else 0
        cells = min(parts.n, sample or parts.n) * len(parts.names)
        return Cost(
            bytes=24 * cells + (64 << 20),
            seconds=parts.n * len(parts.names) / 1e8 + cells / 2e7,
            alternatives=("draw some of the rows with the parameter 'sample'",),
        )
