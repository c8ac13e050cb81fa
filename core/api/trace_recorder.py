"""Keeps the history of a run small, and the same for the same run whatever the speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.results import Trace

if TYPE_CHECKING:
    from coterie.core.api.context import Frame

MOST_ROWS = 2048
MOST_STATES = 128
MOST_ITEMS = 20_000  # as many as a live picture shows; all states of them are 10 MB, mostly zeros
SOME_ITEMS = 2048  # of still more; to look at all in every iteration would cost more than it

T = TypeVar("T")


class _Thinned(Generic[T]):
    """A list that, when full, drops every second entry and takes only every second from then on.

    Thinning depends on counts alone, never on time, so a run repeated with the same seed
    leaves the same history. The newest entry is always there, as the last.
    """

    def __init__(self, most: int) -> None:
        self._kept: list[tuple[int, T]] = []
        self._newest: tuple[int, T] | None = None
        self._most = most
        self._stride = 1
        self._offered = 0

    @property
    def keeps_next(self) -> bool:
        """Whether the next entry will stay, rather than be replaced by the one after it."""
        return self._offered % self._stride == 0

    def add(self, iteration: int, value: T) -> None:
        """Take an entry in; older ones may go."""
        self._newest = (iteration, value)
        if self.keeps_next:
            self._kept.append(self._newest)
            self._newest = None
            if len(self._kept) >= self._most:
                last = self._kept[-1]
                self._kept = self._kept[::2]
                self._newest = None if self._kept[-1] is last else last
                self._stride *= 2
        self._offered += 1

    @property
    def entries(self) -> list[tuple[int, T]]:
        """What is kept, with the newest."""
        return self._kept if self._newest is None else [*self._kept, self._newest]

    @property
    def iterations(self) -> Array:
        """The iteration of each entry."""
        return np.array([iteration for iteration, _ in self.entries], dtype=np.int64)


class _Waypoints:
    """States of a run that differ from each other: the more, the more of them there are.

    Populations run for ten iterations and creep for a thousand; kept evenly, all that could be
    looked at afterwards would be the creeping. What is kept follows from the states alone, never
    from time. The newest is always there, as the last.

    Parameters
    ----------
    apart : how far a state is from another
    """

    def __init__(
        self, most: int, dtype: type[np.generic], apart: Callable[[Array, Array], float]
    ) -> None:
        self._most, self._dtype, self._apart = most, dtype, apart
        self._kept: list[tuple[int, Array]] = []
        self._passing: Array | None = None  # of the newest, while that is too near the last kept
        self._newest: int | None = None
        self._last = np.empty(0)
        self._step = 0.0

    def add(self, iteration: int, state: Array) -> None:
        """Take a state in; the run goes on writing into its array, so it is copied."""
        if self._kept and self._apart(state, self._last) <= self._step:
            if self._passing is None:
                self._passing = np.empty(len(state), dtype=self._dtype)
            self._passing[:] = state
            self._newest = iteration
            return
        self._last = np.array(state)  # as it came: to compare numbers of two sorts takes twice
        self._kept.append((iteration, np.array(state, dtype=self._dtype)))
        self._newest = None
        if len(self._kept) >= self._most:
            self._thin()

    def _thin(self) -> None:
        """Ask for twice the distance; where that leaves more than half, drop every second."""
        if not self._step:
            ways = sorted(self._apart(b, a) for (_, a), (_, b) in pairwise(self._kept))
            self._step = ways[len(ways) // 2] / 2
        self._step *= 2
        last, kept = self._kept[-1], self._kept[:1]
        for entry in self._kept[1:]:
            if self._apart(entry[1], kept[-1][1]) > self._step:
                kept.append(entry)
        self._kept = kept[::2] if len(kept) > self._most // 2 else kept
        if self._kept[-1] is not last:
            self._passing, self._newest = np.array(last[1]), last[0]
            self._last = np.array(self._kept[-1][1], dtype=self._last.dtype)

    @property
    def entries(self) -> list[tuple[int, Array]]:
        """What is kept, with the newest."""
        if self._newest is None or self._passing is None:
            return self._kept
        return [*self._kept, (self._newest, self._passing)]

    @property
    def iterations(self) -> Array:
        """The iteration of each entry."""
        return np.array([iteration for iteration, _ in self.entries], dtype=np.int64)

    def stacked(self) -> Array | None:
        """Return the states as one array, or None when there are none."""
        states = [state for _, state in self.entries]
        return np.stack(states) if states else None


def _moved_shares(one: Array, other: Array) -> float:
    """How much of the population is elsewhere."""
    way = one - other
    return float(np.abs(way, out=way).sum())


def _moved_labels(one: Array, other: Array) -> float:
    """Which share of the items has another label."""
    return float(np.count_nonzero(one != other)) / max(len(one), 1)


class History:
    """Records the frames and events of one run."""

    iteration: int
    """The last iteration that was recorded."""

    def __init__(self) -> None:
        self._rows: _Thinned[tuple[float, float, int]] = _Thinned(MOST_ROWS)
        self._shares = _Waypoints(MOST_STATES, np.float32, _moved_shares)
        self._labels = _Waypoints(MOST_STATES, np.int32, _moved_labels)
        self._items: int | None = None
        self._kept_items: Array | None = None
        self.iteration = 0
        self._marks: list[dict[str, Any]] = []

    def add(self, frame: Frame) -> None:
        """Record one frame."""
        self.iteration = frame.iteration
        self._rows.add(frame.iteration, (frame.objective, frame.residual, frame.support))
        if frame.shares is not None:
            self._shares.add(frame.iteration, self._some(frame.shares))
        if frame.labels is not None:
            self._labels.add(frame.iteration, self._some(frame.labels))

    def mark(self, name: str, details: Mapping[str, Any]) -> None:
        """Record that something happened at the last iteration shown."""
        self._marks.append({"iteration": self.iteration, "name": name, **details})

    def trace(self) -> Trace | None:
        """Return all that is kept, the last iteration included, or None when nothing was shown."""
        entries = self._rows.entries
        if not entries:
            return None
        objective, residual, support = zip(*(row for _, row in entries), strict=True)
        shares, labels = self._shares.stacked(), self._labels.stacked()
        return Trace(
            iterations=self._rows.iterations,
            objective=np.array(objective, dtype=np.float64),
            residual=np.array(residual, dtype=np.float64),
            support=np.array(support, dtype=np.int64),
            share_iterations=None if shares is None else self._shares.iterations,
            shares=shares,
            label_iterations=None if labels is None else self._labels.iterations,
            labels=labels,
            kept_items=self._kept_items,
            marks=tuple(self._marks),
        )

    def _some(self, state: Array) -> Array:
        """Return the entries of a state that are kept: of many items some."""
        if self._items is None:
            self._items = len(state)
            if len(state) > MOST_ITEMS:
                self._kept_items = np.linspace(0, len(state) - 1, SOME_ITEMS).astype(np.int64)
        if np.shape(state) != (self._items,):
            raise DataError(
                "A frame's shares and labels must have one entry for each item, always the same "
                f"{self._items}. Got shape {np.shape(state)}.",
                code="wrong-shape",
            )
        return state if self._kept_items is None else state[self._kept_items]
