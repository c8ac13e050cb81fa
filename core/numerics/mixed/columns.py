"""The columns of a data set as numbers and categories, and the weights of its items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, is_sparse
from coterie.core.model.columns import CODED, NUMERIC, Column
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.similarity.distances import require_squares


def table_of(data: Dataset) -> MixedTable:
    """Return the typed columns used as features, or the features as numbers where there are none.

    Numbers, dates and the ranks of ordered categories are numbers; other categories are codes.
    Numbers are taken from the features of the same name, so a step that scaled, filled in or left
    out columns counts; categories from the columns themselves. Features with names of their own,
    such as principal components, are numbers. Values that are not finite count as missing.
    """
    used = used_columns(data)
    only_numbers = not any(column.type in CODED for column in used)
    if not used or (only_numbers and data.features is not None):
        return _of_features(data)
    numbers = [column for column in used if column.type != "category"]
    coded = [column for column in used if column.type == "category"]
    return _table(
        data,
        [(column.name, _numbers(data, column)) for column in numbers],
        [(column.name, column.values, column.categories) for column in coded],
    )


def used_columns(data: Dataset) -> tuple[Column, ...]:
    """Return the typed columns that the features of a data set stand for.

    None of them when some feature stands for no column: then the features are others.
    """
    columns = [
        column
        for column in data.table
        if column.role == "feature" and column.type in (*NUMERIC, *CODED)
    ]
    if data.features is None:
        return tuple(columns)
    names = {column.name for column in columns}
    used = {column_of(feature, names) for feature in data.columns}
    return () if "" in used else tuple(column for column in columns if column.name in used)


def has_categories(data: Dataset) -> bool:
    """Return whether a category is among the columns that the features stand for."""
    return any(column.type == "category" for column in used_columns(data))


def layout_of(table: MixedTable) -> dict[str, Any]:
    """Return the names of the columns and of their categories, as JSON for a model."""
    return {
        "numbers": list(table.number_names),
        "categories": [
            {"name": name, "levels": list(levels)}
            for name, levels in zip(table.category_names, table.level_names, strict=True)
        ],
    }


def table_like(data: Dataset, layout: Mapping[str, Any]) -> MixedTable:
    """Return new items in the columns of a model, found by name and type.

    Categories that the model does not know count as missing; columns in another order, or more of
    them, do not matter.
    """
    table = table_of(data)
    numbers = dict(zip(table.number_names, table.numbers.T, strict=True))
    codes = dict(
        zip(
            table.category_names,
            zip(table.codes.T, table.level_names, strict=True),
            strict=True,
        )
    )
    for name in layout["numbers"]:
        if name not in numbers:
            raise _mismatch(data, name, "numbers", name in codes)
    coded: list[tuple[str, Array, tuple[str, ...]]] = []
    for column in layout["categories"]:
        name, levels = column["name"], tuple(column["levels"])
        if name not in codes:
            raise _mismatch(data, name, "categories", name in numbers)
        place = {level: code for code, level in enumerate(levels)}
        own, words = codes[name]
        known = np.array([*(place.get(word, -1) for word in words), -1])
        coded.append((name, known[own], levels))
    return _table(data, [(name, numbers[name]) for name in layout["numbers"]], coded)


def without_weights(source: Any) -> Any:
    """Return items, or the similarities of items, whose weights are information alone."""
    if not isinstance(source, Dataset):
        items = None if source.dataset is None else without_weights(source.dataset)
        return source if items is source.dataset else replace(source, dataset=items)
    if not any(column.role == "weight" for column in source.table):
        return source
    table = [replace(c, role="information") if c.role == "weight" else c for c in source.table]
    return replace(source, table=tuple(table))


def item_weights(data: Dataset) -> Floats | None:
    """Return the weight of each item, if a column has that role; several are multiplied."""
    found: Any = None
    for column in data.table:
        if column.role != "weight":
            continue
        values = np.asarray(column.values, dtype=np.float64) if column.type == "number" else None
        if values is None or not (
            np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0
        ):
            raise DataError(
                f"The weights in column '{column.name:.80}' must be known, not negative "
                "and not all 0. Correct them, or give the column another role.",
                code="missing-values",
            )
        found = values if found is None else found * values
    return None if found is None else np.asarray(found * (len(found) / found.sum()))


def column_of(feature: str, names: set[str]) -> str:
    """The column that a feature encodes, by its name (`typed_columns`, `encoding`); "" for none."""
    if feature in names:
        return feature
    for mark in (" = ", ", "):
        at = feature.find(mark)
        while at > 0:
            if feature[:at] in names:
                return feature[:at]
            at = feature.find(mark, at + 1)
    return ""


def _numbers(data: Dataset, column: Column) -> Floats:
    if data.features is not None and column.name in data.columns:
        values: Any = data.features[:, [data.columns.index(column.name)]]
        return np.asarray(values.toarray() if is_sparse(values) else values, np.float64).ravel()
    if column.type == "ordered":
        return np.where(column.values < 0, np.nan, column.values)
    return np.asarray(column.values)


def _of_features(data: Dataset) -> MixedTable:
    values: Any = data.features
    if values is None or 0 in values.shape:
        values = data.clean_features()  # says what is wrong
    dense = np.asarray(values.toarray() if is_sparse(values) else values, dtype=np.float64)
    return _table(data, zip(data.columns, dense.T, strict=True), [])


def _table(
    data: Dataset,
    numbers: Iterable[tuple[str, Floats]],
    coded: list[tuple[str, Array, tuple[str, ...]]],
) -> MixedTable:
    named = list(numbers)
    values = np.column_stack([v for _, v in named]) if named else np.zeros((data.n, 0))
    values = np.where(np.isfinite(values), values, np.nan)
    codes = [np.asarray(own, dtype=np.int32) for _, own, _ in coded]
    table = MixedTable(
        values,
        np.column_stack(codes) if codes else np.zeros((data.n, 0), dtype=np.int32),
        tuple(max(1, len(levels)) for _, _, levels in coded),
        tuple(name for name, _ in named),
        tuple(name for name, _, _ in coded),
        tuple(levels for _, _, levels in coded),
    )
    return _checked(table, data)


def _checked(table: MixedTable, data: Dataset) -> MixedTable:
    if not table.n:
        raise DataError(
            f"'{data.title}' has no items. Open a file with at least one.", code="empty-data"
        )
    if not table.known.any():
        raise DataError(
            f"'{data.title}' has no known value at all. Open a table with some.",
            code="missing-values",
        )
    require_squares(np.nan_to_num(table.numbers))
    return table


def _mismatch(data: Dataset, name: str, what: str, is_other: bool) -> DataError:
    other = "categories" if what == "numbers" else "numbers"
    got = f"it holds {other}" if is_other else "it is missing"
    return DataError(
        f"The model was fitted to a column '{name:.80}' of {what}, but in '{data.title}' {got}. "
        "Choose data with the same columns.",
        code="columns-mismatch",
    )
