"""Read a table from a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Reader
from coterie.core.formats.files.tabular import Column, table_dataset, unique_names

CHECK_EVERY = 64  # columns converted between two looks at the cancel button


class Parquet(Reader):
    """A Parquet table, one item per row. Needs the package pyarrow (coterie[parquet]).

    Columns that are not numbers are left out, unless they are the known classes or the names of
    the items.
    """

    id, title = "parquet", "Parquet table"
    extensions = (".parquet", ".pq")

    class Params(Reader.Params):
        """What the columns are."""

    def compute(self, path: str | Path, *, params: Params, context: Context) -> Dataset:
        """Return the table in the file at `path`."""
        path = Path(path)
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise DataError(
                "Parquet files need the package 'pyarrow', which is not installed. "
                "Install it with: pip install 'coterie[parquet]'.",
                code="missing-package",
            ) from None
        context.check()
        if not path.is_file():
            raise DataError(
                f"There is no file '{path}'. Check its name and folder.", code="file-not-found"
            )
        try:
            table: Any = parquet.ParquetFile(path).read()
        except MemoryError:
            raise DataError(
                f"'{path.name}' needs more memory than is available. Keep fewer rows or columns.",
                code="out-of-memory",
            ) from None
        except (pyarrow.ArrowException, OSError) as error:
            raise DataError(
                f"'{path.name}' cannot be read as Parquet ({error!s:.120}). Save it again.",
                code="file-damaged",
            ) from None
        context.check()
        if table.num_rows == 0:
            raise DataError(
                f"'{path.name}' holds no items. Open a file with at least one row.",
                code="empty-data",
            )
        columns = []
        for j, name in enumerate(unique_names(table.column_names)):
            if j % CHECK_EVERY == 0:
                context.check()
            columns.append(_column(name, table.column(j)))
        return table_dataset(path, columns, truth=params.truth, items=params.items)

    def estimate(self, *args: Any, **kwargs: Any) -> Cost:
        """A few times the numbers that its end promises, which may be packed a thousandfold."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            return super().estimate(*args, **kwargs)
        try:
            with parquet.ParquetFile(args[0]) as file:
                cells = file.metadata.num_rows * file.metadata.num_columns
        except (pyarrow.ArrowException, OSError):
            return super().estimate(*args, **kwargs)
        return Cost(bytes=24 * cells + (8 << 20), seconds=cells / 2e7)


def _column(name: str, values: Any) -> Column:
    """Numbers and truth values as numbers, all else as text."""
    from pyarrow import compute, types

    kind = values.type
    if types.is_dictionary(kind):
        values, kind = values.cast(kind.value_type), kind.value_type
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
        numbers = compute.fill_null(compute.cast(values, "float64"), float("nan"))
        return Column(name, np.asarray(numbers.to_numpy(), dtype=np.float64))
    if types.is_decimal(kind):
        numbers = compute.fill_null(compute.cast(values, "float64", safe=False), float("nan"))
        return Column(name, np.asarray(numbers.to_numpy(), dtype=np.float64))
    words = ["" if value is None else str(value).strip() for value in values.to_pylist()]
    return Column(name, None, words, f"it holds {kind}, not numbers")
