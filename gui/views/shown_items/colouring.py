"""How the points of a scatter are coloured: a class for each point and a colour for each class.

Amounts are cut into levels, so there is one list of points per colour whatever is shown:
drawing one item per colour is what keeps a scatter fast.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array
from coterie.core.model.group_names import group_name
from coterie.core.numerics.drawing.palette import (
    UNASSIGNED,
    amount_colour,
    blend,
    group_colour,
    group_mark,
)
from coterie.gui.views.shown_items.columns import ItemColumn
from coterie.gui.views.shown_items.run_monitor import Live

LEVELS = 24
SHARE_LEVELS = 8
_AT_ONCE = 1 << 18  # values: whoever works on a thread lets the window have its turn in between


@dataclass(frozen=True)
class LegendEntry:
    """One line of a legend; `code` is the class it stands for, and the first of several.

    A `count` of −1 is not known.
    """

    name: str
    colour: str
    count: int
    code: int
    mark: str = "circle"


@dataclass(frozen=True)
class Colouring:
    """A class for each point, the colours of the classes, and how a legend explains them.

    Either `entries` name the classes, or `low` and `high` are the ends of a scale.
    """

    title: str
    codes: Array
    colours: tuple[str, ...]
    entries: tuple[LegendEntry, ...] = ()
    low: str = ""
    high: str = ""
    marks: tuple[str, ...] = ()

    def mark(self, code: int) -> str:
        """Return the mark of a class."""
        return self.marks[code] if code < len(self.marks) else "circle"

    def members(self, entry: LegendEntry) -> Array:
        """Return a mask of the points that an entry of the legend stands for."""
        last = max((other.code for other in self.entries), default=0)
        highest = len(self.colours) if entry.code == last else entry.code
        # The last entry stands for all levels of the group being formed.
        codes = self.codes
        return np.asarray((codes >= entry.code) & (codes <= max(entry.code, highest)))

    @property
    def scale(self) -> tuple[str, ...]:
        """The colours of the scale, from low to high; nothing when classes are named."""
        return () if self.entries else self.colours[1:]


def plain(n: int, *, dark: bool) -> Colouring:
    """Colour n points alike, as nothing is known of them."""
    return Colouring("", np.zeros(n, dtype=np.int32), (group_colour(0, dark=dark),))


def by_class(
    title: str,
    labels: Array,
    names: tuple[str, ...],
    chosen: tuple[str, ...] = (),
    *,
    dark: bool,
) -> Colouring:
    """Colour points by group or known class; −1 is grey.

    Parameters
    ----------
    chosen : colours of the groups, as in `Clustering.colours`
    """
    codes = np.add(labels, 1, dtype=np.int32, casting="same_kind")
    k = max(int(codes.max(initial=0)), len(names))
    colours = tuple(group_colour(group, chosen, dark=dark) for group in range(UNASSIGNED, k))
    counts = np.bincount(codes, minlength=k + 1)
    order = [*range(1, k + 1), 0]
    marks = tuple(group_mark(group, chosen) for group in range(UNASSIGNED, k))
    entries = tuple(
        LegendEntry(
            group_name(code - 1, names), colours[code], int(counts[code]), code, marks[code]
        )
        for code in order
        if counts[code]
    )
    return Colouring(title, codes, colours, entries, marks=marks)


def by_column(column: ItemColumn, *, dark: bool) -> Colouring:
    """Colour points by a column: its classes, or its amounts."""
    if column.numeric:
        return by_amount(column, dark=dark)
    return by_class(column.title, column.values, tuple(column.names), column.colours, dark=dark)


def by_amount(column: ItemColumn, *, dark: bool) -> Colouring:
    """Colour points by the values of a column; what is missing is grey."""
    values = column.values
    low, high = _range(values)
    codes = np.empty(len(values), dtype=np.int32)
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE].astype(float)
        known = np.isfinite(part)
        amounts = (part - low) / ((high - low) or 1.0)
        if column.kind == "rank":
            amounts = 1 - amounts  # the first is the most
        levels = np.floor(np.where(known, amounts, 0.0) * LEVELS).clip(0, LEVELS - 1)
        codes[start : start + _AT_ONCE] = np.where(known, levels + 1, 0)
    ends = (high, low) if column.kind == "rank" else (low, high)
    return Colouring(
        column.title,
        codes,
        (group_colour(UNASSIGNED, dark=dark), *_levels(LEVELS, dark=dark)),
        low=f"{ends[0]:.4g}".replace("-", "−"),
        high=f"{ends[1]:.4g}".replace("-", "−"),
    )


def by_moment(live: Live, n: int, names: tuple[str, ...], *, dark: bool) -> Colouring | None:
    """Colour points by what a run shows at this moment; None when it is not about these points.

    Items that already have a group show it. Among the rest, the group being formed appears as the
    population gathers: from grey to its colour, by the square root of an item's share, relative
    to the largest.
    """
    moment, labels = live.moment, live.labels(n)
    if moment is None or labels is None:
        return None
    shares = moment.spread(moment.shares, n, 0.0)
    if shares is None:
        return None if moment.labels is None else by_class("Group, live", labels, names, dark=dark)
    base = by_class("Group, live", labels, names, dark=dark)
    forming = int(labels.max(initial=UNASSIGNED)) + 1
    grey, colour = base.colours[0], group_colour(forming, dark=dark)
    steps = tuple(blend(grey, colour, (s + 1) / SHARE_LEVELS) for s in range(SHARE_LEVELS))
    largest = float(shares.max(initial=0.0))
    strength = np.sqrt(np.maximum(shares, 0.0) / largest) if largest > 0 else np.zeros(n)
    # What replicator dynamics drives out never quite reaches zero.
    level = np.ceil(strength * SHARE_LEVELS - 0.25).astype(np.int64).clip(0, SHARE_LEVELS)
    moving = (labels < 0) & (level > 0)
    k = len(base.colours)
    codes = np.where(moving, k + level - 1, base.codes)
    entries = [entry for entry in base.entries if entry.code > 0]
    gathering = int(moving.sum())
    left = n - gathering - sum(entry.count for entry in entries)
    entries.append(LegendEntry(f"{moment.phase or 'forming'}, now", colour, gathering, k))
    entries.append(LegendEntry("not yet", grey, left, 0))
    return Colouring(
        "Group, live", codes, (*base.colours, *steps), tuple(entries), marks=base.marks
    )


def _range(values: Array) -> tuple[float, float]:
    """The least and the largest value that is known; 0 and 1 when none is."""
    low, high = np.inf, -np.inf
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE].astype(float)
        known = part[np.isfinite(part)]
        low, high = min(low, known.min(initial=np.inf)), max(high, known.max(initial=-np.inf))
    return (float(low), float(high)) if low <= high else (0.0, 1.0)


def _levels(count: int, *, dark: bool) -> tuple[str, ...]:
    return tuple(amount_colour(step / (count - 1), dark=dark) for step in range(count))
