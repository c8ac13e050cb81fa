"""Columns of numbers that grow by doubling, so adding a row costs the same at any length."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from coterie.core.model.arrays import Array, Floats


class GrowingColumns:
    """Columns by name; a name that comes later has no numbers in the rows before.

    >>> columns = GrowingColumns()
    >>> columns.extend({"iteration": [1, 2]})
    >>> columns.extend({"iteration": [3], "stress": [0.5]})
    >>> columns["stress"].tolist()
    [nan, nan, 0.5]
    """

    def __init__(self, capacity: int = 256) -> None:
        self._capacity = capacity
        self._columns: dict[str, Floats] = {}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> Floats:
        """Return one column as it stands: a view, not a copy; all missing if there is none."""
        if name not in self._columns:
            return np.full(self._length, np.nan)
        return self._columns[name][: self._length]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns there are, in the order in which they came."""
        return tuple(self._columns)

    def extend(self, rows: Mapping[str, Array]) -> None:
        """Add rows at the end; columns that are not among them have no number there."""
        length = self._length + max((len(column) for column in rows.values()), default=0)
        while length > self._capacity:
            self._capacity *= 2
        for name in {**self._columns, **rows}:
            column = self._columns.get(name)
            if column is None or len(column) < length:
                larger = np.full(self._capacity, np.nan)
                if column is not None:
                    larger[: self._length] = column[: self._length]
                self._columns[name] = column = larger
            column[self._length : length] = rows.get(name, np.nan)
        self._length = length

    def clear(self) -> None:
        """Forget all columns."""
        self._columns.clear()
        self._length = 0
