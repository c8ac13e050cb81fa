"""The columns of a data set as numbers and categories, and the weights of its items."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.mixed.table import MixedTable, mixed_table
from coterie.core.numerics.similarity.distances import require_squares


def table_of(data: Dataset) -> MixedTable:
    """Return the typed columns used as features, or the features as numbers where there are none.

    Numbers and dates are numbers, ordered categories their ranks, other categories codes. Values
    that are not finite count as missing.
    """
    columns = [
        column
        for column in _columns(data)
        if column.role == "feature" and column.type in ("number", "date", "ordered", "category")
    ]
    if not any(column.type in ("category", "ordered") for column in columns):
        return _of_features(data)
    numbers = [column for column in columns if column.type != "category"]
    coded = [column for column in columns if column.type == "category"]
    values = [
        np.where(column.values < 0, np.nan, column.values)
        if column.type == "ordered"
        else column.values
        for column in numbers
    ]
    return _checked(
        mixed_table(
            np.column_stack(values) if values else np.zeros((data.n, 0)),
            np.column_stack([c.values for c in coded]) if coded else np.zeros((data.n, 0)),
            [len(column.categories) for column in coded],
            [column.name for column in (*numbers, *coded)],
        ),
        data,
    )


def item_weights(data: Dataset) -> Floats | None:
    """Return the weight of each item, if a column has that role; several are multiplied."""
    found: Any = None
    for column in _columns(data):
        if column.role != "weight":
            continue
        values = np.asarray(column.values, dtype=np.float64)
        if not (np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0):
            raise DataError(
                f"The weights in column '{column.name:.80}' must be known, not negative, and not "
                "all 0. Correct them, or give the column another role.",
                code="missing-values",
            )
        found = values if found is None else found * values
    return None if found is None else np.asarray(found * (len(found) / found.sum()))


def _columns(data: Dataset) -> Any:
    return getattr(data, "table", ())


def _of_features(data: Dataset) -> MixedTable:
    values: Any = data.features
    if values is None or 0 in values.shape:
        values = data.clean_features()  # says what is wrong
    dense = np.asarray(values.toarray() if is_sparse(values) else values, dtype=np.float64)
    return _checked(mixed_table(dense, np.zeros((len(dense), 0)), (), data.columns), data)


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
