"""Numbers and categories side by side, as plain arrays with what is missing marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints


@dataclass(frozen=True, eq=False)
class MixedTable:
    """n items described by p numbers and q categories.

    Attributes
    ----------
    numbers : (n, p), not a number where missing; dates and ranks are numbers too
    codes : (n, q) int32, the category of each item from 0, −1 where missing
    levels : for each category column, its number of categories
    number_names, category_names : of the columns
    level_names : for each category column, the names of its categories; may be left out
    """

    numbers: Floats
    codes: Array
    levels: tuple[int, ...]
    number_names: tuple[str, ...] = ()
    category_names: tuple[str, ...] = ()
    level_names: tuple[tuple[str, ...], ...] = field(default=())

    @property
    def n(self) -> int:
        return len(self.numbers)

    @property
    def p(self) -> int:
        return int(self.numbers.shape[1])

    @property
    def q(self) -> int:
        return int(self.codes.shape[1])

    @property
    def names(self) -> tuple[str, ...]:
        """Of all columns, numbers first."""
        return (*self.number_names, *self.category_names)

    @property
    def known(self) -> Array:
        """(n, p + q) where a value is known."""
        return np.column_stack([~np.isnan(self.numbers), self.codes >= 0])

    def take(self, items: Ints) -> MixedTable:
        """Return the items at these positions."""
        return MixedTable(
            self.numbers[items],
            self.codes[items],
            self.levels,
            self.number_names,
            self.category_names,
            self.level_names,
        )


def mixed_table(
    numbers: Any, codes: Any, levels: Sequence[int], names: Sequence[str] = ()
) -> MixedTable:
    """Return checked arrays as a table.

    >>> mixed_table([[1.0], [np.nan]], [[0], [-1]], [2]).known.tolist()
    [[True, True], [False, False]]
    """
    values = np.array(numbers, dtype=np.float64, ndmin=2)
    values[~np.isfinite(values)] = np.nan
    coded = np.array(codes, dtype=np.int32, ndmin=2)
    if len(values) != len(coded):
        raise DataError(
            f"Numbers and categories must be of the same items. Got {len(values)} and "
            f"{len(coded)} rows.",
            code="wrong-shape",
        )
    for column, count in zip(coded.T, levels, strict=True):
        if column.size and int(column.max()) >= count:
            raise DataError(
                f"A column of {count} categories has the code {int(column.max())}. "
                "Codes go from 0 to one less than the number of categories.",
                code="wrong-shape",
            )
    p, q = values.shape[1], coded.shape[1]
    names = tuple(names) or tuple(f"x{j + 1}" for j in range(p + q))
    return MixedTable(values, coded, tuple(levels), tuple(names[:p]), tuple(names[p:]))


def indicators(table: MixedTable) -> Floats:
    """Return (n, Σ levels) ones and zeros: the category of each item; zeros where missing.

    >>> indicators(mixed_table([[0.0], [0.0]], [[1], [-1]], [3])).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    starts = np.cumsum([0, *table.levels])
    made = np.zeros((table.n, int(starts[-1])))
    for column, start in zip(table.codes.T, starts, strict=False):
        rows = np.flatnonzero(column >= 0)
        made[rows, start + column[rows]] = 1.0
    return made


def most_shared(numbers: Floats, items: Floats | None = None) -> Floats:
    """Return for each number the share of the items that have its most frequent value.

    Items count by their weights; those that miss a value do not count for it.

    >>> most_shared(np.array([[0.0, 1.0], [0.0, 2.0], [3.0, np.nan], [0.0, 4.0]])).round(3).tolist()
    [0.75, 0.333]
    """
    found = np.zeros(numbers.shape[1])
    for j, column in enumerate(numbers.T):
        known = np.isfinite(column)
        if known.any():
            _, place = np.unique(column[known], return_inverse=True)
            counts = np.bincount(place, None if items is None else items[known])
            found[j] = float(counts.max() / max(counts.sum(), 1e-300))
    return found


def standardised(table: MixedTable) -> tuple[Floats, Floats, Floats]:
    """Return the numbers with mean 0 and deviation 1, what is missing kept, mean and deviation.

    A constant column becomes 0, and so its deviation is given as 0.
    """
    known = ~np.isnan(table.numbers)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, table.numbers, 0.0).sum(axis=0) / counts
    centred = table.numbers - mean
    deviation = np.sqrt((np.where(known, centred, 0.0) ** 2).sum(axis=0) / counts)
    for j in range(table.p):
        own = table.numbers[known[:, j], j]
        if not len(own) or own.min() == own.max():  # rounding of the mean is not variation
            deviation[j] = 0.0
            centred[known[:, j], j] = 0.0
    return centred / np.where(deviation > 0, deviation, 1.0), mean, deviation
