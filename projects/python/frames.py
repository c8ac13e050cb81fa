"""Data frames of pandas, polars and Arrow as typed columns, and back.

None of the three is needed: a frame comes from a library that its owner has imported already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.columns import CODED, WORDED, Column, Texts, category
from coterie.core.wording import listed

_SAID = "The data frame says so."
MOST_CATEGORIES = 100  # different texts of a column that repeats them; more are just texts


def library_of(value: Any) -> str:
    """Return which library a frame or series is of: "pandas", "polars", "pyarrow" or ""."""
    root = type(value).__module__.partition(".")[0]
    return root if root in ("pandas", "polars", "pyarrow") else ""


def is_frame(value: Any) -> bool:
    """Return whether a value is a data frame, or an Arrow table or record batch."""
    frames = ("DataFrame", "LazyFrame", "Table", "RecordBatch")
    return bool(library_of(value)) and type(value).__name__ in frames


def columns_of(frame: Any) -> tuple[Column, ...]:
    """Return the columns of a frame with their types; names must be different texts or numbers."""
    if type(frame).__name__ == "LazyFrame":
        raise DataError(
            "A lazy frame of polars has no values yet. Collect it first: frame.collect().",
            code="wrong-type",
        )
    reads: dict[str, Callable[[str, Any], Column]] = {
        "pandas": _of_pandas,
        "polars": _of_polars,
        "pyarrow": _of_arrow,
    }
    library = library_of(frame)
    given = frame.schema.names if library == "pyarrow" else list(frame.columns)
    names = column_names(given)
    if library == "pandas":
        each: Iterable[Any] = (frame.iloc[:, j] for j in range(len(names)))
    elif library == "polars":
        each = frame.get_columns()
    else:
        each = frame.columns
    return tuple(reads[library](name, series) for name, series in zip(names, each, strict=True))


def column_names(given: Sequence[Any]) -> tuple[str, ...]:
    """Return names of columns as texts.

    >>> column_names([0, "size"])
    ('0', 'size')
    """
    wrong = [name for name in given if not isinstance(name, str | int | float | np.number)]
    if wrong:
        raise DataError(
            f"Columns must be named by texts or numbers. Got {wrong[0]!r:.80}. "
            "Give the columns other names first.",
            code="wrong-type",
        )
    names = tuple(str(name) for name in given)
    repeated = sorted({name for name in names if names.count(name) > 1}) if names else []
    if repeated:
        raise DataError(
            f"Two columns have the same name: {listed([repr(name) for name in repeated[:5]])}. "
            "Names must differ.",
            code="duplicate-names",
        )
    return names


def frame_items(frame: Any) -> tuple[str, ...]:
    """Return the names of the items: the index of a pandas frame, unless it only counts."""
    if library_of(frame) != "pandas" or type(frame.index).__name__ == "RangeIndex":
        return ()
    return tuple(str(name) for name in frame.index)


def _of_pandas(name: str, series: Any) -> Column:
    import pandas as pd

    kind = series.dtype
    if isinstance(kind, pd.CategoricalDtype):
        words = tuple(str(value) for value in series.cat.categories)
        return _coded(name, series.cat.codes.to_numpy(), words, ordered=bool(series.cat.ordered))
    if pd.api.types.is_bool_dtype(kind) or pd.api.types.is_numeric_dtype(kind):
        if pd.api.types.is_complex_dtype(kind):
            raise _not_taken(name, kind)
        return Column(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    if pd.api.types.is_datetime64_any_dtype(kind):
        plain = series.dt.tz_localize(None) if getattr(kind, "tz", None) is not None else series
        return _date(name, plain.to_numpy(dtype="datetime64[us]"))
    missing = series.isna().to_numpy()
    return _worded(name, series.tolist(), missing, kind)


def _of_polars(name: str, series: Any) -> Column:
    import polars as pl

    kind = series.dtype
    if kind in (pl.Categorical, pl.Enum):
        cells = ["" if word is None else word for word in series.cast(pl.String).to_list()]
        if kind == pl.Categorical:
            return category(name, cells, why=_SAID)
        words = tuple(kind.categories.to_list())
        position = {word: code for code, word in enumerate(words)}
        codes = np.array([position.get(word, -1) for word in cells], dtype=np.int64)
        return _coded(name, codes, words, ordered=True)
    if kind.is_numeric() or kind == pl.Boolean:
        return Column(name, series.cast(pl.Float64).fill_null(float("nan")).to_numpy())
    if kind in (pl.Date, pl.Datetime):
        return _date(name, series.cast(pl.Datetime("us")).to_numpy())
    return _worded(name, series.to_list(), series.is_null().to_numpy(), kind)


def _of_arrow(name: str, column: Any) -> Column:
    import pyarrow as pa

    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if isinstance(whole, pa.ChunkedArray):  # of no rows, or of dictionaries
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], whole.type)
    kind = whole.type
    if pa.types.is_dictionary(kind):
        words = tuple(str(value) for value in whole.dictionary.to_pylist())
        codes = np.array([-1 if c is None else c for c in whole.indices.to_pylist()], np.int64)
        return _coded(name, codes, words, ordered=bool(kind.ordered))
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        numbers = whole.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return Column(name, numbers)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        plain = whole.cast(pa.timestamp("us"))
        return _date(name, plain.to_numpy(zero_copy_only=False).astype("datetime64[us]"))
    missing = np.asarray(whole.is_null())
    return _worded(name, whole.to_pylist(), missing, kind)


def _coded(name: str, codes: Array, words: tuple[str, ...], *, ordered: bool) -> Column:
    return Column(
        name, codes, type="ordered" if ordered else "category", categories=words,
        why=_SAID,
    )  # fmt: skip


def _date(name: str, stamps: Array) -> Column:
    seconds = stamps.astype("datetime64[us]").astype(np.float64) / 1e6
    return Column(name, np.where(np.isnat(stamps), np.nan, seconds), type="date")


def _worded(name: str, values: list[Any], missing: Array, kind: Any) -> Column:
    """A column of objects: texts, or whatever Python holds that can be a number."""
    known = [value for value, gone in zip(values, missing.tolist(), strict=True) if not gone]
    if all(isinstance(value, str) for value in known):
        words = ["" if gone else value for value, gone in zip(values, missing, strict=True)]
        return text_column(name, words)
    try:
        numbers = [np.nan if gone else value for value, gone in zip(values, missing, strict=True)]
        return Column(name, np.array(numbers, dtype=np.float64))
    except (TypeError, ValueError):
        raise _not_taken(name, kind) from None


def text_column(name: str, words: list[str]) -> Column:
    """A column of texts: categories when they repeat, else texts that only inform.

    >>> text_column("sex", ["f", "m", "m", "f"]).type, text_column("name", ["Ada", "Kay"]).role
    ('category', 'information')
    """
    different = len(set(words) - {""})
    if different <= MOST_CATEGORIES and 2 * different <= len(words):
        return category(name, words, why=f"Its {different} texts repeat.")
    kind = "identifier" if different == len(words) else "text"
    why = "Nearly all its texts differ, so they describe no groups."
    return Column(name, Texts.of(words), type=kind, role="information", why=why)  # type: ignore[arg-type]


def _not_taken(name: str, kind: Any) -> DataError:
    return DataError(
        f"Column '{name:.80}' holds neither numbers, texts, categories nor dates. Got {kind}. "
        "Convert it or leave it out.",
        code="wrong-type",
    )


# Out again ---------------------------------------------------------------------------------------


def to_pandas(columns: dict[str, Any], items: Sequence[str] = ()) -> Any:
    """Return columns as a pandas frame; `items` become its index."""
    pd = _library("pandas")
    series = {name: _as_pandas(pd, values) for name, values in columns.items()}
    index = pd.Index(list(items), name="item") if items else None
    return pd.DataFrame({n: s.set_axis(index) if items else s for n, s in series.items()}, index)


def _as_pandas(pd: Any, values: Any) -> Any:
    if not isinstance(values, Column):
        whole = all(value is None or isinstance(value, int) for value in values)
        some = whole and any(value is None for value in values)
        return pd.Series(values, dtype="Int64" if some else None)
    if values.type in CODED:
        ordered = values.type == "ordered"
        return pd.Series(pd.Categorical.from_codes(values.values, values.categories, ordered))
    if values.type == "date":
        return pd.Series(_stamps(values))
    if values.type in WORDED:
        return pd.Series([word or None for word in values.values], dtype="str")
    return pd.Series(values.values)


def to_polars(columns: dict[str, Any], items: Sequence[str] = ()) -> Any:
    """Return columns as a polars frame, the items' names first."""
    pl = _library("polars")
    named = {"item": list(items), **columns} if items else columns
    return pl.DataFrame([_as_polars(pl, name, values) for name, values in named.items()])


def _as_polars(pl: Any, name: str, values: Any) -> Any:
    if not isinstance(values, Column):
        return pl.Series(name, np.asarray(values) if isinstance(values, np.ndarray) else values)
    if values.type in CODED:
        kind = pl.Enum(list(values.categories)) if values.type == "ordered" else pl.Categorical
        return pl.Series(name, [word or None for word in values.words()], dtype=kind)
    if values.type == "date":
        return pl.Series(name, _stamps(values))
    if values.type in WORDED:
        return pl.Series(name, [word or None for word in values.values], dtype=pl.String)
    return pl.Series(name, values.values).fill_nan(None)


def to_arrow(columns: dict[str, Any], items: Sequence[str] = ()) -> Any:
    """Return columns as an Arrow table, the items' names first."""
    pa = _library("pyarrow", "tables")
    named = {"item": list(items), **columns} if items else columns
    return pa.table({name: _as_arrow(pa, values) for name, values in named.items()})


def _as_arrow(pa: Any, values: Any) -> Any:
    if not isinstance(values, Column):
        return pa.array(values)
    if values.type in CODED:
        codes = pa.array(values.values, mask=np.asarray(values.missing))
        words = pa.array(list(values.categories))
        return pa.DictionaryArray.from_arrays(codes, words, ordered=values.type == "ordered")
    if values.type == "date":
        return pa.array(_stamps(values))
    if values.type in WORDED:
        return pa.array([word or None for word in values.values], pa.string())
    return pa.array(values.values, mask=np.asarray(values.missing))


def _stamps(column: Column) -> Array:
    known = ~np.asarray(column.missing)
    whole = np.where(known, column.values, 0.0)
    stamps = np.round(whole * 1e6).astype(np.int64).astype("datetime64[us]")
    return np.where(known, stamps, np.datetime64("NaT"))


def _library(name: str, extra: str = "") -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        install = f'"coterie[{extra}]"' if extra else name
        raise DataError(
            f"This needs the package '{name}', which is not installed. "
            f"Install it with: pip install {install}.",
            code="missing-package",
        ) from None
