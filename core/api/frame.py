"""One picture of an iterative run: the same object in the method, on the wire and in the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from coterie.core.api.partial_affinity import Glimpse
from coterie.core.errors import CoterieError, DataError
from coterie.core.model.arrays import Array
from coterie.core.model.artefacts import Encoded
from coterie.core.model.encoding import decode, encode
from coterie.core.model.figures import Figure

MOST_ITEMS_SENT = 20_000  # more points could not be distinguished on a screen
MOST_AXES = 3  # of coordinates that are sent and recorded: as many as are drawn
MOST_ROWS_SENT = 512  # with one frame
MOST_VALUES_SENT = 100_000  # of the figure of a frame, and of its memberships
ITERATION = "iteration"

Row = tuple[int, Mapping[str, float]]
"""The values at one iteration."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of an iterative run at one iteration.

    Iterations are faster than pictures: `since` has the values of each iteration since the last
    picture, this one included, so a curve has no gaps. It is filled in when the frame is sent.

    Attributes
    ----------
    values : numbers by name; each is drawn as a curve
    phase : what is being worked on, in words: "set 3"
    shares : (n,) the share of each item in the population, or None
    labels : (n,) the label of each item, or None
    coordinates : (n, m) where each item is, or None
    items : which items the states are of; None for the first, usually all
    glimpse : the similarities among some items, for runs that learn those
    since : "iteration" and each value by name, (t,) each; not a number where a value was not given
    figure : what else to draw, for runs that show more than items
    memberships : (n, k) how far each item has decided for each group, rows that sum to one, or
        None; of many items a frame that was sent has evenly spread ones

    Examples
    --------
    >>> Frame(3, {"objective": 0.5}).rows["objective"].tolist()
    [0.5]
    """

    iteration: int
    values: Mapping[str, float] = field(default_factory=dict)
    phase: str = ""
    shares: Array | None = None
    labels: Array | None = None
    coordinates: Array | None = None
    items: Array | None = None
    glimpse: Glimpse | None = None
    since: Mapping[str, Array] | None = None
    figure: Figure | None = None
    memberships: Array | None = None

    @property
    def has_states(self) -> bool:
        """Whether it shows something of each item."""
        states = (self.shares, self.labels, self.coordinates, self.memberships)
        return any(state is not None for state in states)

    @property
    def rows(self) -> Mapping[str, Array]:
        """The values since the last picture, or only its own."""
        return as_columns([(self.iteration, self.values)]) if self.since is None else self.since

    def spread(self, states: Array | None, n: int, missing: float) -> Array | None:
        """Return `states` for all n items, or None when they are of other items.

        Of very many items a frame that was sent has only the first.
        """
        if states is None or len(states) > n:
            return None
        if self.items is None and len(states) == n:
            return states
        items = np.arange(len(states)) if self.items is None else self.items
        if len(items) != len(states) or items.max(initial=0) >= n:
            return None
        whole = np.full((n, *states.shape[1:]), missing, dtype=states.dtype)
        whole[items] = states
        return whole

    def to_send(self, rows: Sequence[Row]) -> Frame:
        """Return a small copy with these rows: the run goes on writing into its own arrays."""
        glimpse = self.glimpse
        if glimpse is not None:
            values = np.array(glimpse.values, dtype=np.float32)
            glimpse = Glimpse(values, np.array(glimpse.items, dtype=np.int64), glimpse.n)
        places = self.coordinates
        return replace(
            self,
            shares=_some(self.shares, np.float32),
            labels=_some(self.labels, np.int32),
            coordinates=_some(None if places is None else places[:, :MOST_AXES], np.float32),
            memberships=_some_rows(self.memberships),
            items=_some(self.items, np.int64),
            glimpse=glimpse,
            figure=None if self.figure is None else _small(self.figure),
            since=as_columns(rows),
        )

    def following(self, older: Frame) -> Frame:
        """Return this frame with the rows of one that was sent and never shown before its own.

        Where that makes too many, evenly spread ones stay, the newest among them.
        """
        if older.since is None or self.since is None:
            return self
        before, after = older.since, self.since
        counts = len(before[ITERATION]), len(after[ITERATION])
        since = {
            name: np.concatenate(
                [
                    rows.get(name, np.full(count, np.nan))
                    for rows, count in zip((before, after), counts, strict=True)
                ]
            )
            for name in dict.fromkeys([*before, *after])
        }
        if len(since[ITERATION]) > MOST_ROWS_SENT:
            kept = _spread(since[ITERATION], MOST_ROWS_SENT)
            since = {name: column[kept] for name, column in since.items()}
        return replace(self, since=since)

    # On the wire

    def to_parts(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return it as JSON and arrays by name."""
        known = {name: getattr(self, name) for name in _STATES}
        arrays = {name: array for name, array in known.items() if array is not None}
        header = {ITERATION: self.iteration, "values": dict(self.values), "phase": self.phase}
        if self.glimpse is not None:
            header["n"] = self.glimpse.n
            arrays |= {"glimpse/values": self.glimpse.values, "glimpse/items": self.glimpse.items}
        if self.figure is not None:
            encoded = encode(self.figure)
            header["figure"] = {"meta": encoded.meta, "strings": encoded.strings}
            arrays |= {f"figure/{name}": array for name, array in encoded.arrays.items()}
        if self.since is not None:
            arrays |= {f"since/{name}": column for name, column in self.since.items()}
        return header, arrays

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> Frame:
        """Build it again from `to_parts`; `ValueError` or `TypeError` when that does not fit."""
        arrays = dict(arrays)
        iteration, values, phase = header[ITERATION], header["values"], header["phase"]
        numbers = isinstance(values, dict) and all(type(v) in (int, float) for v in values.values())
        if type(iteration) is not int or not isinstance(phase, str) or not numbers:
            raise TypeError(f"frame of {iteration!r:.40}, {values!r:.80}, {phase!r:.40}")
        states = {name: arrays.pop(name) for name in _STATES if name in arrays}
        for name, state in states.items():
            if state.ndim != _STATES[name]:
                raise ValueError(f"'{name}' of shape {state.shape}")
        glimpse = None
        if "n" in header:
            seen = arrays.pop("glimpse/values"), arrays.pop("glimpse/items")
            glimpse = Glimpse(*seen, int(header["n"]))
        figure = _figure_from(header.get("figure"), arrays)
        since = {name.removeprefix("since/"): column for name, column in arrays.items()}
        if since and {column.shape for column in since.values()} != {since[ITERATION].shape[:1]}:
            raise ValueError("rows of different lengths")
        return cls(
            iteration, values, phase, **states, glimpse=glimpse, figure=figure, since=since or None
        )


# With their dimensions.
_STATES = {"shares": 1, "labels": 1, "coordinates": 2, "memberships": 2, "items": 1}


def as_columns(rows: Sequence[Row]) -> dict[str, Array]:
    """Return rows as columns by name, not a number where a row lacks a value.

    >>> {name: column.tolist() for name, column in as_columns([(1, {}), (2, {"a": 5})]).items()}
    {'iteration': [1, 2], 'a': [nan, 5.0]}
    """
    names = dict.fromkeys(name for _, values in rows for name in values)
    columns: dict[str, Array] = {ITERATION: np.array([at for at, _ in rows], dtype=np.int64)}
    for name in names:
        columns[name] = np.array([values.get(name, np.nan) for _, values in rows], dtype=np.float64)
    return columns


def _spread(at: Array, most: int) -> Array:
    """Return the places of at most so many of the iterations: the first in each stretch, the last.

    Stretches are as short as a power of two allows. Those of one length are whole ones of any
    shorter, so thinning again and again leaves no wider gaps than thinning once.
    """
    width = 1
    while True:
        stretch = (at - at.min()) // width
        first = np.flatnonzero(np.diff(stretch, prepend=-1))
        if len(first) < most:
            return np.union1d(first, len(at) - 1)
        width *= 2


def _small(figure: Figure) -> Figure:
    """A copy without the dataset, whose values stay as they are while the run goes on."""
    if figure.values.size > MOST_VALUES_SENT:
        raise DataError(
            f"The figure of a frame has at most {MOST_VALUES_SENT:,} values. "
            f"Got {figure.values.size:,}: show fewer marks.",
            code="invalid-result",
        )
    items = figure.items
    if items is None and figure.linked:
        items = np.arange(figure.marks)
    return replace(figure, values=np.array(figure.values), items=items, dataset=None)


def _figure_from(header: Any, arrays: dict[str, Array]) -> Figure | None:
    """The figure of a frame; its arrays are taken out of `arrays`."""
    if header is None:
        return None
    names = [name for name in arrays if name.startswith("figure/")]
    parts = {name.removeprefix("figure/"): arrays.pop(name) for name in names}
    try:
        encoded = Encoded(
            Figure.encoding_type,
            Figure.encoding_version,
            dict(header["meta"]),
            parts,
            {name: tuple(texts) for name, texts in dict(header["strings"]).items()},
        )
        found: Figure = decode(encoded)
    except CoterieError as error:
        raise ValueError(str(error)) from error
    return found


def _some_rows(memberships: Array | None) -> Array | None:
    """Evenly spread items, as many as there may be values sent."""
    if memberships is None:
        return None
    n, k = memberships.shape
    most = min(MOST_ITEMS_SENT, MOST_VALUES_SENT // max(k, 1))
    kept = slice(None) if n <= most else np.linspace(0, n - 1, most).astype(np.int64)
    return np.array(memberships[kept], dtype=np.float32)


def _some(states: Array | None, dtype: type[np.generic]) -> Array | None:
    return None if states is None else np.array(states[:MOST_ITEMS_SENT], dtype=dtype)
