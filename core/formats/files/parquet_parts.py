"""Parquet tables part by part: a file, or a folder of files, that may be larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.errors import DataError, no_file
from coterie.core.formats.columns.cells import Cells, coded
from coterie.core.formats.files.tabular import unique_names
from coterie.core.model.arrays import Ints

ENDINGS = (".parquet", ".pq")
CHUNK = 100_000  # rows that are in memory at once, for each thread
EXACT = 1 << 53  # up to which a double has every whole number
CHECK_EVERY = 64  # columns converted between two looks at the cancel button

Check = Callable[[], None]


def require_pyarrow() -> Any:
    """Return the module that reads Parquet, or say how to install it."""
    try:
        from pyarrow import parquet
    except ImportError:
        raise DataError(
            "Parquet files need the package 'pyarrow', which is not installed. "
            "Install it with: pip install 'coterie[tables]'.",
            code="missing-package",
        ) from None
    return parquet


@dataclass(frozen=True)
class Piece:
    """Some row groups of a file, read together.

    Attributes
    ----------
    path : the file
    groups : which of its row groups
    first : row of the file at which they begin, from 0
    rows : how many
    names : of the columns, in the order of the first file
    """

    path: Path
    groups: tuple[int, ...]
    first: int
    rows: int
    names: tuple[str, ...]

    def batches(self) -> Iterator[tuple[int, Any]]:
        """Yield the first row, from 0, and an Arrow table of each `CHUNK` rows or fewer."""
        import pyarrow

        first = self.first
        with _opened(self.path) as file:
            try:
                for batch in file.iter_batches(CHUNK, row_groups=list(self.groups)):
                    table = pyarrow.Table.from_batches([batch])
                    same = tuple(table.column_names) == self.names
                    yield first, table if same else table.select(self.names)
                    first += batch.num_rows
            except (pyarrow.ArrowException, OSError) as error:
                raise damaged(self.path, error) from None


@dataclass(frozen=True)
class ParquetParts:
    """The files of a table.

    Attributes
    ----------
    path : the file or the folder
    files : those of it, by name
    rows : how many each has
    names : of their columns, in the order of the first
    """

    path: Path
    files: tuple[Path, ...]
    rows: tuple[int, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, path: Path) -> ParquetParts:
        """Look at the ends of all files, where Parquet says what they hold.

        Raises
        ------
        DataError : where there is no file, one cannot be read, or their columns differ
        """
        require_pyarrow()
        files = files_of(path)
        first: dict[str, str] = {}
        names: tuple[str, ...] = ()
        rows = []
        for file in files:
            with _opened(file) as opened:
                schema, metadata = opened.schema_arrow, opened.metadata
                rows.append(int(metadata.num_rows))
            kinds = {field.name: _kind(field.type) for field in schema}
            first, names = first or kinds, names or tuple(schema.names)
            _require_alike(files[0].name, first, file.name, kinds)
        return cls(path, files, tuple(rows), names)

    @property
    def n(self) -> int:
        """Number of rows in all."""
        return sum(self.rows)

    def pieces(self) -> Iterator[Piece]:
        """Yield all row groups, small ones together, in the order of the files."""
        for file in self.files:
            with _opened(file) as opened:
                metadata = opened.metadata
                sizes = [metadata.row_group(j).num_rows for j in range(metadata.num_row_groups)]
            first = start = 0
            for group in range(len(sizes)):
                count = sum(sizes[start : group + 1])
                if count >= CHUNK or group == len(sizes) - 1:
                    yield Piece(file, tuple(range(start, group + 1)), first, count, self.names)
                    first, start = first + count, group + 1

    def whole(self, check: Check) -> Any:
        """Return all rows as an Arrow table."""
        return self.taken(None, check)

    def taken(self, positions: Ints | None, check: Check) -> Any:
        """Return the rows at sorted `positions`, counted through all files, as an Arrow table.

        Row groups without any of them are not read.
        """
        found, before, place = [], 0, {}
        for file, rows in zip(self.files, self.rows, strict=True):
            place[file] = before
            before += rows
        for piece in self.pieces():
            if positions is not None:
                ends = place[piece.path] + piece.first + np.array([0, piece.rows])
                if not np.diff(np.searchsorted(positions, ends))[0]:
                    continue
            for first, table in piece.batches():
                check()
                if positions is not None:
                    start = place[piece.path] + first
                    wanted = np.searchsorted(positions, [start, start + table.num_rows])
                    table = table.take(positions[wanted[0] : wanted[1]] - start)
                found.append(table)
        return _joined(found)


def files_of(path: Path) -> tuple[Path, ...]:
    """Return a file itself, or the Parquet files of a folder by name; hidden ones are left out."""
    if not path.exists():
        raise no_file(path)
    if not path.is_dir():
        return (path,)
    files = tuple(
        file
        for file in sorted(path.iterdir())
        if file.name.lower().endswith(ENDINGS) and file.name[0] not in "._" and file.is_file()
    )
    if not files:
        raise DataError(
            f"The folder '{path.name}' has no Parquet file. Choose a folder with files that end "
            "in .parquet.",
            code="no-reader",
        )
    return files


def cells_of(table: Any, plain: bool, check: Check) -> list[Cells]:
    """Return the columns of an Arrow table; truth values are numbers when `plain`."""
    columns = []
    for j, name in enumerate(unique_names(table.column_names)):
        if j % CHECK_EVERY == 0:
            check()
        columns.append(_cells(name, table.column(j), plain))
    return columns


def _joined(tables: list[Any]) -> Any:
    """Return all rows in one table; columns of one kind that files keep as different types too."""
    import pyarrow
    from pyarrow import types as kinds_of

    schemas = {table.schema.remove_metadata() for table in tables}
    if len(schemas) > 1:
        common = {"numbers": "float64", "dates": "timestamp[us]", "texts": "string"}
        wanted = {}
        for name in tables[0].column_names:
            types = {schema.field(name).type for schema in schemas} - {pyarrow.null()}
            kinds = {_kind(type_) for type_ in types}
            categories = all(map(kinds_of.is_dictionary, types))
            if len(types) > 1 and not categories and (kind := kinds.pop()) in common:
                wanted[name] = common[kind]
        tables = [_cast(table, wanted) for table in tables]
    return pyarrow.concat_tables(tables, promote_options="permissive")


def _cast(table: Any, wanted: dict[str, str]) -> Any:
    """Return a table with some columns of other types."""
    from pyarrow import compute

    for place, name in enumerate(table.column_names):
        if name in wanted:
            values = compute.cast(table.column(place), wanted[name], safe=False)
            table = table.set_column(place, name, values)
    return table


def _opened(path: Path) -> Any:
    import pyarrow

    try:
        return require_pyarrow().ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise damaged(path, error) from None


def damaged(path: Path, error: BaseException) -> DataError:
    """Return what to say of a file that cannot be read."""
    return DataError(
        f"'{path.name}' cannot be read as Parquet ({error!s:.120}). Save it again.",
        code="file-damaged",
    )


def _kind(type_: Any) -> str:
    """What a column is read as: columns of one kind can be joined."""
    from pyarrow import types

    if types.is_dictionary(type_):
        type_ = type_.value_type
    if types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_):
        return "numbers"
    if types.is_date(type_) or types.is_timestamp(type_):
        return "dates"
    if types.is_null(type_):
        return "nothing"
    return "truth values" if types.is_boolean(type_) else "texts"


def _require_alike(first: str, wanted: dict[str, str], name: str, columns: dict[str, str]) -> None:
    """Refuse files that are not parts of one table."""
    alike = "Give all files of the folder the same columns, or open them one by one."
    for more, less, there, gone in (
        (wanted, columns, first, name),
        (columns, wanted, name, first),
    ):
        if absent := [column for column in more if column not in less]:
            raise DataError(
                f"'{gone}' has no column '{absent[0]:.80}', which '{there}' has. {alike}",
                code="columns-mismatch",
            )
    for column, kind in wanted.items():
        other = columns[column]
        if kind != other and "nothing" not in (kind, other):
            raise DataError(
                f"Column '{column:.80}' holds {kind} in '{first}' and {other} in '{name}'. {alike}",
                code="columns-mismatch",
            )


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
    if types.is_integer(kind) and _is_beyond(values):
        return _texts(name, compute.cast(values, "string"))
    whole = types.is_integer(kind) or types.is_boolean(kind)
    if whole or types.is_floating(kind) or types.is_decimal(kind):
        numbers = compute.fill_null(compute.cast(values, "float64", safe=False), float("nan"))
        return Cells(name, np.asarray(numbers.to_numpy(), dtype=np.float64))
    if types.is_date(kind) or types.is_timestamp(kind):
        return Cells(name, _seconds(values), dates=True)
    if types.is_string(kind) or types.is_large_string(kind):
        return _texts(name, values)
    words = ["" if value is None else str(value).strip() for value in values.to_pylist()]
    codes, different = coded(words, ("",))
    return Cells(name, None, codes, different)


def _is_beyond(values: Any) -> bool:
    """Whether whole numbers are too large for a double: names of things, which have all digits."""
    from pyarrow import compute

    ends = compute.min_max(values).as_py()
    return ends["min"] is not None and max(-ends["min"], ends["max"]) > EXACT


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
