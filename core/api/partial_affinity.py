"""The similarities among a few items while they are being learned, small enough to send."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints

MOST_ITEMS = 128  # 64 KB as float32: nothing at thirty a second, and enough to see blocks


@dataclass(frozen=True, eq=False)
class Glimpse:
    """What a run knows by now of how similar some of its items are.

    Attributes
    ----------
    values : (m, m) the similarities; at most `MOST_ITEMS` items
    items : (m,) which items these are, as positions among all
    n : number of all items

    Examples
    --------
    >>> Glimpse(np.eye(2), np.array([0, 9]), 10).values.shape
    (2, 2)
    """

    values: Floats
    items: Ints
    n: int

    def __post_init__(self) -> None:
        m = len(self.items)
        if m > MOST_ITEMS:
            raise DataError(
                f"A partial affinity has at most {MOST_ITEMS} items. Got {m}; draw them by "
                "evenly_drawn().",
                code="wrong-shape",
            )
        if self.values.shape != (m, m):
            raise DataError(
                f"A partial affinity of {m} items must be {m} × {m}. Got shape "
                f"{self.values.shape}.",
                code="wrong-shape",
            )
        if m and not (self.items.min() >= 0 and self.items.max() < self.n):
            raise DataError(
                f"The items of a partial affinity must be from 0 to {self.n - 1}.",
                code="wrong-shape",
            )


def evenly_drawn(n: int) -> Ints:
    """Return the items that a glimpse of n is of: all when they are few, else evenly spread.

    >>> evenly_drawn(3).tolist(), evenly_drawn(1000)[[0, 1, -1]].tolist()
    ([0, 1, 2], [0, 7, 999])
    """
    return np.linspace(0, n - 1, min(n, MOST_ITEMS)).astype(np.int64)
