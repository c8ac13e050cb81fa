"""Records the frames and events of a run as its trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from coterie.core.api.curves import MOST_CURVES
from coterie.core.api.frame import ITERATION, MOST_AXES, Frame, Row, as_columns
from coterie.core.api.thinning import Thinned, ThinnedStates
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array
from coterie.core.model.results import Trace

MOST_ROWS = 2048
MOST_STATES = 128
MOST_PLACES = 32  # states of coordinates and memberships, which are several numbers for each item
MOST_MEMBERSHIPS = 40_000  # numbers in a state that is kept; all states of them are 5 MB
MOST_ITEMS = 20_000  # as many as a live picture shows; all states of them are 10 MB, mostly zeros
SOME_ITEMS = 2048  # of still more; to look at all in every iteration would cost more than it


class TraceRecorder:
    """Keeps what a run shows, thinned; the same for the same run whatever its speed.

    Attributes
    ----------
    iteration : the last one that was recorded
    """

    def __init__(self) -> None:
        self.iteration = 0
        self._rows: Thinned[Row] = Thinned(MOST_ROWS)
        self._shares = ThinnedStates(MOST_STATES, np.float32, _moved)
        self._labels = ThinnedStates(MOST_STATES, np.int32, _relabelled)
        self._coordinates = ThinnedStates(MOST_PLACES, np.float32, _moved)
        self._memberships = ThinnedStates(MOST_PLACES, np.float32, _moved)
        self._names: set[str] = set()
        self._shapes: dict[str, tuple[int, ...]] = {}
        self._items: int | None = None
        self._about: Array | None = None  # the items that states are of; None for all
        self._kept: Array | None = None  # of these, the entries that are kept; None for all
        self._marks: list[dict[str, Any]] = []

    def add(self, frame: Frame) -> None:
        """Record one frame."""
        self.iteration = frame.iteration
        if not self._names.issuperset(frame.values):
            self._take_names(frame.values)
        self._rows.add((frame.iteration, frame.values))
        if self._items is None:
            self._about = frame.items
        if frame.shares is not None:
            self._shares.add(frame.iteration, self._some("shares", frame.shares))
        if frame.labels is not None:
            self._labels.add(frame.iteration, self._some("labels", frame.labels))
        if frame.coordinates is not None:
            places = self._some("coordinates", frame.coordinates)
            self._coordinates.add(frame.iteration, places[:, :MOST_AXES])

        if frame.memberships is not None:
            rows = self._some("memberships", frame.memberships)
            if rows.size <= MOST_MEMBERSHIPS:
                self._memberships.add(frame.iteration, rows)

    def mark(self, name: str, details: Mapping[str, Any]) -> None:
        """Record that something happened at the last iteration shown."""
        self._marks.append({"iteration": self.iteration, "name": name, **details})

    def trace(self) -> Trace | None:
        """Return all that is kept, the last iteration included, or None when nothing was shown."""
        if not self._rows.entries:
            return None
        columns = as_columns(self._rows.entries)
        share_iterations, shares = self._shares.stacked()
        label_iterations, labels = self._labels.stacked()
        coordinate_iterations, coordinates = self._coordinates.stacked()
        membership_iterations, memberships = self._memberships.stacked()
        return Trace(
            iterations=columns.pop(ITERATION),
            values=columns,
            share_iterations=share_iterations,
            shares=shares,
            label_iterations=label_iterations,
            labels=labels,
            coordinate_iterations=coordinate_iterations,
            coordinates=coordinates,
            membership_iterations=membership_iterations,
            memberships=memberships,
            kept_items=self._kept_items(),
            marks=tuple(self._marks),
        )

    def _take_names(self, values: Mapping[str, float]) -> None:
        if not all(name.isidentifier() for name in values):
            raise DataError(
                f"The values of a frame are named by keywords. Got {[*values]!r:.80}.",
                code="invalid-result",
            )
        self._names.update(values)
        if len(self._names) > MOST_CURVES:
            raise DataError(
                f"The frames of a run show at most {MOST_CURVES} values. Got {len(self._names)}.",
                code="invalid-result",
            )

    def _some(self, name: str, state: Array) -> Array:
        """Return the entries of a state that are kept: of many items some."""
        shape = np.shape(state)
        if self._items is None and shape:
            self._items = shape[0]
            if self._items > MOST_ITEMS:
                self._kept = np.linspace(0, self._items - 1, SOME_ITEMS).astype(np.int64)
        wanted = self._shapes.setdefault(name, shape)
        dimensions = 2 if name in ("coordinates", "memberships") else 1
        if len(shape) != dimensions or shape != wanted or shape[0] != self._items:
            raise DataError(
                f"The {name} of a frame must have one entry for each item, always the same "
                f"{self._items}. Got shape {shape}.",
                code="wrong-shape",
            )
        return state if self._kept is None else state[self._kept]

    def _kept_items(self) -> Array | None:
        """Which items the kept entries are of, or None for all."""
        if self._about is None or self._kept is None:
            return self._kept if self._about is None else np.array(self._about, dtype=np.int64)
        return np.array(self._about[self._kept], dtype=np.int64)


def _moved(one: Array, other: Array) -> float:
    """How far all entries together have moved."""
    way = one - other
    return float(np.abs(way, out=way).sum())


def _relabelled(one: Array, other: Array) -> float:
    """Which share of the items has another label."""
    return float(np.count_nonzero(one != other)) / max(len(one), 1)
