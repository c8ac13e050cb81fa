"""The default encoding of typed columns as features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints, is_sparse
from coterie.core.model.columns import CODED, NUMERIC, Column
from coterie.core.model.dataset import Dataset

OTHERS = "any other"
ROWS = 8192  # encoded at once
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
    parts: list[tuple[Array, Floats | None]] = []
    names: list[str] = []
    for column in table:
        if called := feature_names(column):
            parts.append(_by_code(column))
            names += called
    if not parts:
        return None, ()
    n = len(parts[0][0])
    features = np.empty((n, len(names)))
    for start in range(0, n, ROWS):  # a part that the processor's cache holds
        rows, at = slice(start, start + ROWS), 0
        for values, of_code in parts:
            width = 1 if of_code is None else of_code.shape[1]
            some = values[rows] if of_code is None else of_code[values[rows]]
            features[rows, at : at + width] = some.reshape(-1, width)
            at += width
    return features, tuple(names)


def is_default_encoding(data: Dataset) -> bool:
    """Return whether the features of a data set are its columns as `encoded` makes them.

    By all names and the values of one column: what transforms make differs in all columns or in
    their names.

    >>> from coterie.core.model.columns import category
    >>> table = (category("sex", ["f", "m", "m"]), Column("size", np.arange(3.0)))
    >>> values, names = encoded(table)
    >>> data = Dataset(features=values, columns=names, table=table)
    >>> is_default_encoding(data), is_default_encoding(data.with_features(2 * values))
    (True, False)
    """
    if not data.table or data.features is None or is_sparse(data.features):
        return False
    names = [name for column in data.table for name in feature_names(column)]
    if names != list(data.columns):
        return False
    column = min(
        (column for column in data.table if feature_names(column)),
        key=lambda column: column.type not in NUMERIC,
    )
    values, called = encoded_column(column)
    there = np.asarray(data.features[:, names.index(called[0])])
    return bool(np.array_equal(values[0], there, equal_nan=True))


def feature_names(column: Column) -> list[str]:
    """The names of the features of one column; none when it is not a feature."""
    if column.role != "feature" or (column.type in CODED and not column.categories):
        return []
    if column.type in NUMERIC or column.type == "ordered":
        return [column.name]
    if column.type != "category":
        return []
    called = _frequent(column)[1]
    return [f"{column.name} = {name}" for name in (called[1:] if len(called) == 2 else called)]


def encoded_column(column: Column) -> tuple[list[Floats], list[str]]:
    """The features of one column, and their names; none when it is not a feature."""
    found, names = encoded([column])
    return ([], []) if found is None else ([*found.T], [*names])


def _by_code(column: Column) -> tuple[Array, Floats | None]:
    """The values of a column of numbers; the codes of another, with the features of each code.

    Those of the code −1, a missing value, come last.
    """
    if column.type in NUMERIC:
        return column.values, None
    if column.type == "ordered":
        ranks = np.arange(len(column.categories) + 1.0)[:, None]
        ranks[-1] = np.nan
        return column.values, ranks
    found = category_features(column)
    of_code = np.vstack([found.scale * np.eye(len(found.names)), np.full(len(found.names), np.nan)])
    return found.codes, of_code[:, found.first :]


@dataclass(frozen=True, eq=False)
class CategoryFeatures:
    """How the categories of a column become features.

    Attributes
    ----------
    codes : of the items, as indices into `names`
    names : of the categories, the rare ones taken together
    first : the first that gets a feature; of two categories one feature is enough
    scale : the value of a feature where an item has that category
    """

    codes: Ints
    names: list[str]
    first: int
    scale: float


def category_features(column: Column) -> CategoryFeatures:
    """Return the scale at which the variances of a column's features add up to 1."""
    codes, called = _frequent(column)
    counts = np.bincount(codes + 1, minlength=len(called) + 1)[1:]
    shares = counts / max(1, counts.sum())
    spread = 1.0 - float(np.square(shares).sum())
    scale = 1.0 / float(np.sqrt(spread)) if spread > 0 else 1.0
    if len(called) == 2:
        # One feature in the place of two that mirror each other: the same distances.
        return CategoryFeatures(codes, called, 1, scale * float(np.sqrt(2.0)))
    return CategoryFeatures(codes, called, 0, scale)


def _frequent(column: Column) -> tuple[Ints, list[str]]:
    """Codes and names, with the categories beyond the most frequent ones taken together."""
    names = list(column.categories)
    if len(names) <= MOST_CATEGORIES:
        return column.values, names
    counts = np.bincount(column.values[column.values >= 0], minlength=len(names))
    kept = np.sort(np.argsort(-counts, kind="stable")[: MOST_CATEGORIES - 1])
    position = np.full(len(names) + 1, MOST_CATEGORIES - 1)
    position[kept], position[-1] = np.arange(len(kept)), -1
    return position[column.values], [*(names[code] for code in kept), OTHERS]
