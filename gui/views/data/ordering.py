"""Which items the rows of a table show: all as they were opened, or sorted, or filtered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Ints
from coterie.gui.views.shown_items.columns import ItemColumn
from coterie.gui.views.shown_items.row_filter import filtered


@dataclass(frozen=True, eq=False)
class Ordering:
    """The items of the rows, from top to bottom.

    Attributes
    ----------
    n : number of items
    items : of the rows; None for all items as they were opened
    places : (n,) the row of each item, −1 for one without; None as long as that is `items` itself
    problem : why what was typed as a filter cannot be followed
    """

    n: int = 0
    items: Ints | None = None
    places: Array | None = None
    problem: str = ""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.n if self.items is None else len(self.items)

    def item(self, row: int) -> int:
        """Return which item a row shows."""
        return row if self.items is None else int(self.items[row])

    def row(self, item: int) -> int:
        """Return in which row an item is shown; −1 for none."""
        if not 0 <= item < self.n:
            return -1
        return item if self.places is None else int(self.places[item])

    def between(self, first: int, last: int) -> Ints:
        """Return the items of the rows `first` to `last`, both included."""
        if self.items is None:
            return np.arange(first, last + 1)
        return self.items[first : last + 1]


def ordered(
    columns: Sequence[ItemColumn], n: int, sorted_by: tuple[str, bool] | None, text: str
) -> Ordering:
    """Return the rows sorted by a column (its key, and whether descending), and filtered."""
    items: Array | None = None
    for column in columns:
        if sorted_by is not None and column.key == sorted_by[0]:
            items = column.order(descending=sorted_by[1]).astype(np.int32)
    found = filtered(columns, n, text) if text.strip() else None
    if found is not None:
        items = np.flatnonzero(found.kept) if items is None else items[found.kept[items]]
    problem = "" if found is None else found.problem
    if items is None:
        return Ordering(n, problem=problem)
    places = np.full(n, -1, dtype=np.int32)
    places[items] = np.arange(len(items), dtype=np.int32)
    return Ordering(n, items, places, problem)
