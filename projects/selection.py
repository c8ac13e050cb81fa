"""The items a person has chosen: one selection, shared by every view."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from psygnal import Signal

from coterie.core.model.arrays import Array, Ints, read_only

Mode = Literal["replace", "add", "subtract", "intersect"]


class Selection:
    """A set of items among n.

    Examples
    --------
    >>> selection = Selection(5)
    >>> selection.update([1, 2, 3])
    >>> selection.update([3, 4], "subtract")
    >>> selection.items.tolist()
    [1, 2]
    """

    changed: ClassVar[Signal] = Signal()
    mode_changed: ClassVar[Signal] = Signal()

    def __init__(self, n: int = 0) -> None:
        self._mask = read_only(np.zeros(n, dtype=bool))
        self._mode: Mode = "replace"

    @property
    def mode(self) -> Mode:
        """What a new selection does to the one there is, where a person does not say otherwise."""
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if mode != self._mode:
            self._mode = mode
            self.mode_changed.emit()

    @property
    def n(self) -> int:
        """Number of items there are."""
        return int(self._mask.size)

    @property
    def count(self) -> int:
        """Number of items selected."""
        return int(np.count_nonzero(self._mask))

    @property
    def mask(self) -> Array:
        """For each item, whether it is selected; the same array until that changes."""
        return self._mask

    @property
    def items(self) -> Ints:
        """Positions of the selected items, ascending."""
        return np.flatnonzero(self._mask)

    def set_size(self, n: int) -> None:
        """Say how many items there are; another number clears the selection."""
        if n != self.n:
            self._mask = read_only(np.zeros(n, dtype=bool))
            self.changed.emit()

    def update(self, chosen: Any, mode: Mode = "replace") -> None:
        """Combine the selection with `chosen`: positions, or a truth value for each item."""
        given = np.asarray(chosen)
        mask = given
        if given.dtype != bool:
            mask = np.zeros(self.n, dtype=bool)
            mask[given.astype(np.int64)] = True
        match mode:
            case "replace":
                new = mask.copy()
            case "add":
                new = self._mask | mask
            case "subtract":
                new = self._mask & ~mask
            case "intersect":
                new = self._mask & mask
        self._replace(new)

    def choose(self, chosen: Any, mode: Mode | None = None) -> None:
        """Take up what a person chose in a view: as they say by `mode`, else as they usually do.

        >>> selection = Selection(5)
        >>> selection.mode = "add"
        >>> for item in ([1], [3]):
        ...     selection.choose(item)
        >>> selection.items.tolist()
        [1, 3]
        """
        self.update(chosen, mode or self.mode)

    def clear(self) -> None:
        """Select nothing."""
        self._replace(np.zeros(self.n, dtype=bool))

    def invert(self) -> None:
        """Select what was not selected."""
        self._replace(~self._mask)

    def _replace(self, mask: Array) -> None:
        if not np.array_equal(mask, self._mask):
            self._mask = read_only(mask)
            self.changed.emit()
