"""Arrays that grow by doubling, so adding a row costs the same at any length."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Array


class Growing:
    """A table of numbers with a fixed width; rows are added at the end.

    >>> rows = Growing(2)
    >>> rows.add(1, 10)
    >>> rows.add(2, 20)
    >>> rows.column(1).tolist()
    [10.0, 20.0]
    """

    def __init__(self, width: int, capacity: int = 256) -> None:
        self._values = np.empty((width, capacity))
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, *row: float) -> None:
        """Add one row."""
        self.extend(np.array([row]))

    def extend(self, rows: Array) -> None:
        """Add many rows at once."""
        width, capacity = self._values.shape
        length = self._length + len(rows)
        if length > capacity:
            larger = np.empty((width, max(2 * capacity, length)))
            larger[:, : self._length] = self._values[:, : self._length]
            self._values = larger
        self._values[:, self._length : length] = rows.T
        self._length = length

    def column(self, index: int) -> Array:
        """Return one column as it stands: a view, contiguous, not a copy."""
        return self._values[index, : self._length]

    def clear(self) -> None:
        """Forget all rows, keep the space."""
        self._length = 0
