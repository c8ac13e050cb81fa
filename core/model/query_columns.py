"""The columns of a data set as queries and expressions know them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, is_sparse
from coterie.core.model.columns import CODED, Column
from coterie.core.model.dataset import Dataset
from coterie.core.model.query import Named


def class_names(data: Dataset) -> list[str]:
    """Return a name for each known class: its own, or by its number, as everywhere."""
    assert data.truth is not None
    names = list(data.truth_names)
    return [*names, *(f"class {c + 1}" for c in range(len(names), int(data.truth.max()) + 1))]


def is_of_category(feature: str, coded: Container[str]) -> bool:
    """Return whether a feature stands for a category of a column, as "sex = m" does for "sex".

    >>> is_of_category("sex = m", {"sex"}), is_of_category("sex", {"sex"})
    (True, False)
    """
    at = feature.find(" = ")
    while at > 0:
        if feature[:at] in coded:
            return True
        at = feature.find(" = ", at + 1)
    return False


class DatasetColumns(Mapping[str, "Array | Named"]):
    """Features, columns of the table, the known class and `item`; read when they are asked for.

    A feature comes before the column of the same name, as a step may have changed it; of categories
    there are the columns themselves, so `sex = m` compares. Dates are texts as in ISO 8601, whose
    order is that of time.
    """

    def __init__(self, data: Dataset) -> None:
        self._data = data
        coded = {column.name for column in data.table if column.type in CODED}
        self._place = {
            name: j for j, name in enumerate(data.columns) if not is_of_category(name, coded)
        }
        self._table = {c.name: c for c in data.table if c.name not in self._place}
        self._classes = {"truth", data.truth_column or "truth"} if data.truth is not None else set()

    def __getitem__(self, name: str) -> Array | Named:
        data = self._data
        if name in self._place and data.features is not None:
            features: Any = data.features
            column = features[:, [self._place[name]]]
            return np.asarray(column.toarray() if is_sparse(column) else column).ravel()
        if name in self._classes:
            assert data.truth is not None
            names = np.array([*class_names(data), ""])
            return names[np.where(data.truth < 0, -1, data.truth)]
        if name in self._table:
            return _queried(self._table[name])
        if name == "item":
            return np.array(data.items) if data.items else np.arange(1, data.n + 1)
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self._place or name in self._classes or name in self._table or name == "item"

    def __iter__(self) -> Iterator[str]:
        yield from self._place
        yield from (name for name in self._table if name not in self._classes)
        yield from sorted(self._classes - self._place.keys())
        if "item" not in self._place and "item" not in self._table:
            yield "item"

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _queried(column: Column) -> Array | Named:
    if column.type == "number":
        return np.asarray(column.values)
    if column.type in CODED:
        return Named(column.values, column.categories)
    if column.type == "date":
        return np.array(column.words())
    return Named(np.arange(len(column)), tuple(column.values))
