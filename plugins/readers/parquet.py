"""Read a table from a Parquet file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Context, Cost, DataError, Dataset, Reader
from coterie.core.formats.columns.cells import Cells, coded
from coterie.core.formats.columns.choosing import ColumnParams
from coterie.core.formats.columns.typed_table import NUMBERS, Choices, typed_dataset
from coterie.core.formats.files.tabular import unique_names

CHECK_EVERY = 64  # columns converted between two looks at the cancel button


class Parquet(Reader):
    """A Parquet table, one item per row. Needs the package pyarrow (coterie[tables]).

    Categories and dates are features too; identifiers and texts are kept as information.
    """

    id, title = "parquet", "Parquet table"
    version = "2"
    extensions = (".parquet", ".pq")

    class Params(ColumnParams):
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
                "Install it with: pip install 'coterie[tables]'.",
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
            columns.append(_cells(name, table.column(j), params.features == NUMBERS))
        return typed_dataset(path, columns, Choices.of(params))

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


def _cells(name: str, values: Any, plain: bool) -> Cells:
    """Numbers as numbers, dates as dates, categories as such, all else as text.

    Truth values are numbers when `plain`, as they were in 0.1.
    """
    from pyarrow import compute, types

    kind = values.type
    if types.is_dictionary(kind):
        return _categories(name, values, ordered=kind.ordered)
    if types.is_boolean(kind) and not plain:
        words = compute.if_else(values, "TRUE", "FALSE")
        return _texts(name, words)
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
        numbers = compute.fill_null(compute.cast(values, "float64"), float("nan"))
        return Cells(name, np.asarray(numbers.to_numpy(), dtype=np.float64))
    if types.is_decimal(kind):
        numbers = compute.fill_null(compute.cast(values, "float64", safe=False), float("nan"))
        return Cells(name, np.asarray(numbers.to_numpy(), dtype=np.float64))
    if types.is_date(kind) or types.is_timestamp(kind):
        return Cells(name, _seconds(values), dates=True)
    if types.is_string(kind) or types.is_large_string(kind):
        return _texts(name, values)
    words = ["" if value is None else str(value).strip() for value in values.to_pylist()]
    codes, different = coded(words, ("",))
    return Cells(name, None, codes, different)


def _texts(name: str, values: Any) -> Cells:
    """Each text once, stripped."""
    from pyarrow import compute

    encoded = compute.utf8_trim_whitespace(values).combine_chunks().dictionary_encode()
    return _of_dictionary(name, encoded)


def _categories(name: str, values: Any, *, ordered: bool) -> Cells:
    cells = _of_dictionary(name, values.combine_chunks())
    why = "The file has it as categories."
    kind = "ordered" if ordered else "category"
    # Texts that are all different were only packed that way.
    repeated = len(cells.words) <= max(1, cells.known() // 2)
    categories = tuple(cells.words) if ordered else ()
    return replace(cells, type=kind, why=why, categories=categories) if repeated else cells


def _of_dictionary(name: str, encoded: Any) -> Cells:
    """Cells of a dictionary array; an empty text is missing."""
    codes = np.asarray(encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False))
    words = ["" if word is None else str(word) for word in encoded.dictionary.to_pylist()]
    known = np.array([*(word != "" for word in words), False])
    position = np.where(known, np.cumsum(known) - 1, -1).astype(np.int32)
    return Cells(name, None, position[codes.astype(np.int64)], [w for w in words if w])


def _seconds(values: Any) -> Any:
    """Seconds since 1970-01-01, NaN where missing."""
    from pyarrow import compute

    moments = compute.cast(values, "timestamp[us]", safe=False)
    counts = compute.cast(compute.cast(moments, "int64"), "float64", safe=False)
    return np.asarray(compute.fill_null(counts, float("nan")).to_numpy(), dtype=np.float64) / 1e6
