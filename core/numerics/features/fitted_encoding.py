"""The default encoding of a table as it was fitted, so new items become the same features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats
from coterie.core.model.columns import CODED, NUMERIC, Column
from coterie.core.numerics.features.typed_columns import (
    OTHERS,
    category_features,
    feature_names,
)

Entry = Mapping[str, Any]


def fitted_encoding(table: Sequence[Column]) -> list[dict[str, Any]]:
    """Return how each feature column of a table is encoded, as JSON.

    >>> fitted_encoding([Column("size", np.arange(2.0))])
    [{'name': 'size', 'type': 'number'}]
    """
    entries: list[dict[str, Any]] = []
    for column in table:
        if not feature_names(column):
            continue
        entry: dict[str, Any] = {"name": column.name, "type": column.type}
        if column.type == "ordered":
            entry["levels"] = list(column.categories)
        elif column.type == "category":
            found = category_features(column)
            entry |= {"levels": found.names, "first": found.first, "scale": found.scale}
        entries.append(entry)
    return entries


def encoded_like(
    entries: Sequence[Entry], table: Sequence[Column], title: str
) -> tuple[Floats, tuple[str, ...]]:
    """Return the features of new items, whose columns are found by name and type.

    A category that was not seen when the encoding was fitted counts as missing, or as one of the
    rare ones where those share a feature.
    """
    by_name = {column.name: column for column in table}
    features: list[Floats] = []
    names: list[str] = []
    for entry in entries:
        column = by_name.get(entry["name"])
        _require(column, entry, title)
        assert column is not None
        values, called = _encoded(column, entry)
        features += values
        names += called
    return np.column_stack(features), tuple(names)


def _encoded(column: Column, entry: Entry) -> tuple[list[Floats], list[str]]:
    if column.type in NUMERIC:
        return [column.values], [column.name]
    levels = list(entry["levels"])
    other = len(levels) - 1 if levels[-1:] == [OTHERS] else -1
    place = {level: code for code, level in enumerate(levels)}
    known = np.array([*(place.get(name, other) for name in column.categories), -1])
    codes = known[column.values]
    missing = codes < 0
    if entry["type"] == "ordered":
        return [np.where(missing, np.nan, codes)], [column.name]
    chosen = range(int(entry["first"]), len(levels))
    scale = float(entry["scale"])
    return (
        [np.where(missing, np.nan, scale * (codes == code)) for code in chosen],
        [f"{column.name} = {levels[code]}" for code in chosen],
    )


def _require(column: Column | None, entry: Entry, title: str) -> None:
    """Refuse a table without a column of that name and sort."""
    wanted, name = str(entry["type"]), str(entry["name"])
    if column is None:
        got = "it is missing"
    elif column.type == wanted or {column.type, wanted} <= {*CODED}:
        return
    else:
        got = f"it is of type {column.type}"
    raise DataError(
        f"The models were fitted to a column '{name:.80}' of type {wanted}, but in "
        f"'{title:.80}' {got}. Choose data with the same columns.",
        code="columns-mismatch",
    )
