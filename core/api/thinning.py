"""Keeps long histories short, and the same for the same run whatever its speed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

from coterie.core.model.arrays import Array

T = TypeVar("T")


class Thinned(Generic[T]):
    """A list that, when full, drops every second entry and takes only every second from then on.

    Thinning depends on counts alone, never on time. The newest entry is always there, as the last.

    >>> few = Thinned(4)
    >>> for number in range(10):
    ...     few.add(number)
    >>> few.entries
    [0, 4, 8, 9]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.clear()

    def clear(self) -> None:
        """Forget all entries."""
        self._kept: list[T] = []
        self._newest: list[T] = []  # one, when the newest is not among those kept
        self._stride, self._offered = 1, 0

    def add(self, entry: T) -> None:
        """Take an entry in; older ones may go."""
        self._newest = [entry]
        if self._offered % self._stride == 0:
            self._kept.append(entry)
            self._newest = []
            if len(self._kept) >= self._most:
                self._newest = [] if len(self._kept) % 2 else self._kept[-1:]
                self._kept = self._kept[::2]
                self._stride *= 2
        self._offered += 1

    @property
    def entries(self) -> list[T]:
        """What is kept, with the newest."""
        return [*self._kept, *self._newest]


class ThinnedStates:
    """States of a run that differ from each other: more of them where the run moves more.

    Populations run for ten iterations and creep for a thousand; kept evenly, all that could be
    looked at afterwards would be the creeping. What is kept follows from the states alone, never
    from time. The newest is always there, as the last.

    Parameters
    ----------
    distance : how far a state is from another
    """

    def __init__(
        self, most: int, dtype: type[np.generic], distance: Callable[[Array, Array], float]
    ) -> None:
        self._most, self._dtype, self._distance = most, dtype, distance
        self._kept: list[tuple[int, Array]] = []
        self._passing: Array | None = None  # the newest, while it is too near the last kept
        self._newest: int | None = None
        self._last = np.empty(0)
        self._step = 0.0

    def add(self, iteration: int, state: Array) -> None:
        """Take a state in; the run goes on writing into its array, so it is copied."""
        if self._kept and self._distance(state, self._last) <= self._step:
            if self._passing is None:
                self._passing = np.empty(state.shape, dtype=self._dtype)
            self._passing[:] = state
            self._newest = iteration
            return
        self._last = np.array(state)  # as it came: comparing numbers of two types takes twice
        self._kept.append((iteration, np.array(state, dtype=self._dtype)))
        self._newest = None
        if len(self._kept) >= self._most:
            self._thin()

    def _thin(self) -> None:
        """Ask for twice the distance; where that leaves more than half, drop every second."""
        if not self._step:
            ways = sorted(self._distance(b, a) for (_, a), (_, b) in pairwise(self._kept))
            self._step = ways[len(ways) // 2] / 2
        self._step *= 2
        last, kept = self._kept[-1], self._kept[:1]
        for entry in self._kept[1:]:
            if self._distance(entry[1], kept[-1][1]) > self._step:
                kept.append(entry)
        self._kept = kept[::2] if len(kept) > self._most // 2 else kept
        if self._kept[-1] is not last:
            self._passing, self._newest = np.array(last[1]), last[0]
            self._last = np.array(self._kept[-1][1], dtype=self._last.dtype)

    @property
    def entries(self) -> list[tuple[int, Array]]:
        """What is kept, with the newest: iterations and states."""
        if self._newest is None or self._passing is None:
            return self._kept
        return [*self._kept, (self._newest, self._passing)]

    def stacked(self) -> tuple[Array, Array] | tuple[None, None]:
        """Return the iterations and the states, an array each; None when there are none."""
        if not self.entries:
            return None, None
        iterations, states = zip(*self.entries, strict=True)
        return np.array(iterations, dtype=np.int64), np.stack(states)
