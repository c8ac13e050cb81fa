"""Keeps the history of a run small, and the same for the same run whatever the speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from coterie.core.arrays import Array
from coterie.core.results import Trace

if TYPE_CHECKING:
    from coterie.core.context import Frame

MOST_ROWS = 2048
MOST_STATES = 128
MOST_ITEMS = 4096

T = TypeVar("T")


class _Thinned(Generic[T]):
    """A list that, when full, drops every second entry and takes only every second from then on.

    Thinning depends on counts alone, never on time, so that a run repeated with the same seed
    leaves the same history.
    """

    def __init__(self, most: int) -> None:
        self.entries: list[tuple[int, T]] = []
        self._most = most
        self._stride = 1
        self._offered = 0

    def offer(self, iteration: int, make: Callable[[], T]) -> None:
        """Take the entry, or pass it over; `make` is called only when it is taken."""
        if self._offered % self._stride == 0:
            self.entries.append((iteration, make()))
            if len(self.entries) >= self._most:
                self.entries = self.entries[::2]
                self._stride *= 2
        self._offered += 1

    @property
    def iterations(self) -> Array:
        return np.array([iteration for iteration, _ in self.entries], dtype=np.int64)


class History:
    """Records the frames and events of one run."""

    def __init__(self) -> None:
        self._rows: _Thinned[tuple[float, float, int]] = _Thinned(MOST_ROWS)
        self._shares: _Thinned[Array] = _Thinned(MOST_STATES)
        self._labels: _Thinned[Array] = _Thinned(MOST_STATES)
        self._kept_items: Array | None = None
        self._last: tuple[int, tuple[float, float, int]] | None = None
        self._marks: list[dict[str, Any]] = []

    def add(self, frame: Frame) -> None:
        """Record one frame, or pass it over."""
        row = (frame.objective, frame.residual, frame.support)
        self._last = (frame.iteration, row)
        self._rows.offer(frame.iteration, lambda: row)
        if (shares := frame.shares) is not None:
            self._shares.offer(frame.iteration, lambda: self._thin(shares, np.float32))
        if (labels := frame.labels) is not None:
            self._labels.offer(frame.iteration, lambda: self._thin(labels, np.int32))

    def mark(self, name: str, details: Mapping[str, Any]) -> None:
        """Record that something happened at the last iteration shown."""
        iteration = self._last[0] if self._last else 0
        self._marks.append({"iteration": iteration, "name": name, **details})

    def trace(self) -> Trace | None:
        """Return all that is kept, the last iteration included, or None when nothing was shown."""
        if self._last is None:
            return None
        entries = self._rows.entries
        if entries[-1][0] != self._last[0]:
            entries = [*entries, self._last]
        objective, residual, support = zip(*(row for _, row in entries), strict=True)
        return Trace(
            iterations=np.array([iteration for iteration, _ in entries], dtype=np.int64),
            objective=np.array(objective, dtype=np.float64),
            residual=np.array(residual, dtype=np.float64),
            support=np.array(support, dtype=np.int64),
            share_iterations=self._shares.iterations if self._shares.entries else None,
            shares=_stacked(self._shares),
            label_iterations=self._labels.iterations if self._labels.entries else None,
            labels=_stacked(self._labels),
            kept_items=self._kept_items,
            marks=tuple(self._marks),
        )

    def _thin(self, state: Array, dtype: type[np.generic]) -> Array:
        if self._kept_items is None and len(state) > MOST_ITEMS:
            self._kept_items = np.linspace(0, len(state) - 1, MOST_ITEMS).astype(np.int64)
        kept = state if self._kept_items is None else state[self._kept_items]
        return np.array(kept, dtype=dtype)


def _stacked(thinned: _Thinned[Array]) -> Array | None:
    return np.stack([state for _, state in thinned.entries]) if thinned.entries else None
