"""The default encoding of typed columns as features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.columns import CODED, NUMERIC, Column

MOST_CATEGORIES = 100  # of a column that get a feature each; the rarer ones share one


def encoded(table: Sequence[Column]) -> tuple[Floats | None, tuple[str, ...]]:
    """Return the features of the columns whose role is "feature", and their names.

    A number or a date is one feature as it is, an ordered category its rank from 0. A category of
    two values is one feature, one of more values a feature for each, scaled so that the variances
    of its features add up to 1: it weighs as much as one number of unit variance. What is
    missing is NaN. None when no column is a feature.

    >>> from coterie.core.model.columns import category
    >>> values, names = encoded([category("sex", ["f", "m", "m", "f"])])
    >>> names, values.ravel().tolist()
    (('sex = m',), [0.0, 2.0, 2.0, 0.0])
    """
    columns: list[Floats] = []
    names: list[str] = []
    for column in table:
        values, called = encoded_column(column)
        columns += values
        names += called
    if not columns:
        return None, ()
    # Columns are read far more often than rows here; methods get rows.
    return np.column_stack(columns), tuple(names)


def feature_columns(table: Sequence[Column]) -> Ints:
    """Return for each feature of `encoded` the position of its column in the table."""
    counts = [len(encoded_column(column)[1]) for column in table]
    return np.repeat(np.arange(len(table)), counts)


def encoded_column(column: Column) -> tuple[list[Floats], list[str]]:
    """The features of one column, and their names; none when it is not a feature."""
    if column.role != "feature":
        return [], []
    if column.type in NUMERIC:
        return [column.values], [column.name]
    if column.type not in CODED or not column.categories:
        return [], []
    missing = column.values < 0
    if column.type == "ordered":
        return [np.where(missing, np.nan, column.values)], [column.name]
    codes, called = _frequent(column)
    counts = np.bincount(codes[~missing], minlength=len(called))
    shares = counts / max(1, counts.sum())
    spread = 1.0 - float(np.square(shares).sum())
    scale = 1.0 / np.sqrt(spread) if spread > 0 else 1.0
    chosen = range(len(called))
    if len(called) == 2:
        # One feature in the place of two that mirror each other: the same distances.
        chosen, scale = range(1, 2), scale * np.sqrt(2.0)
    return (
        [np.where(missing, np.nan, scale * (codes == code)) for code in chosen],
        [f"{column.name} = {called[code]}" for code in chosen],
    )


def _frequent(column: Column) -> tuple[Ints, list[str]]:
    """Codes and names, with the categories beyond the most frequent ones taken together."""
    names = list(column.categories)
    if len(names) <= MOST_CATEGORIES:
        return column.values, names
    counts = np.bincount(column.values[column.values >= 0], minlength=len(names))
    kept = np.sort(np.argsort(-counts, kind="stable")[: MOST_CATEGORIES - 1])
    position = np.full(len(names) + 1, MOST_CATEGORIES - 1)
    position[kept], position[-1] = np.arange(len(kept)), -1
    return position[column.values], [*(names[code] for code in kept), "any other"]
