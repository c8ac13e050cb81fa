"""Computes the picture of an affinity: which items, in which order, and their distribution.

Knows no Qt and keeps nothing, so it runs on a thread: what is drawn is at most
`MOST_ITEMS` × `MOST_ITEMS`, but reading those from a mapped matrix of 8,000 takes a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.drawing.palette import Bytes
from coterie.gui.views.affinity.seriation import band_order, leaf_order

MOST_ITEMS = 1000  # rows of a picture; more cannot be distinguished on a screen
CELLS = 400  # rows of the picture of a sparse affinity with more items than that
SHADES = 256
_FEWEST_OF_A_GROUP = 8
_ROWS_AT_ONCE = 64
_BINS = 40
_DECADES = 4.0  # of a logarithmic scale of colours

OrderBy = Literal["given", "group", "truth", "likeness"]
Scale = Literal["linear", "log"]


@dataclass(frozen=True, eq=False)
class MatrixRequest:
    """What is to be drawn.

    `codes` is the group or class of each of all n items, by which they are coloured and, unless
    `order` is another one, ordered. A preview's affinity is about a part of the items only:
    those at the positions `items`. Where the items of the picture before, `before`, are the same,
    they stay where they were: what changes while a slider moves is the colours alone.
    """

    affinity: Affinity
    order: OrderBy = "given"
    scale: Scale = "linear"
    codes: Ints | None = None
    items: Ints | None = None
    before: Ints | None = None

    def same_as(self, other: MatrixRequest | None) -> bool:
        """Return whether the same picture is wanted."""
        return (
            other is not None
            and self.affinity is other.affinity
            and self.codes is other.codes
            and (self.order, self.scale) == (other.order, other.scale)
        )

    def resembles(self, other: MatrixRequest) -> bool:
        """Return whether the same items are wanted in the same manner."""
        return (
            self.items is not None
            and other.items is not None
            and np.array_equal(self.items, other.items)
            and self.codes is other.codes
            and (self.order, self.scale) == (other.order, other.scale)
        )

    @property
    def grouped(self) -> bool:
        """Whether items are ordered by the codes."""
        return self.codes is not None and self.order in ("group", "truth")

    @cached_property
    def own_codes(self) -> Ints | None:
        """The codes of the items that the affinity is about."""
        if self.codes is None or self.items is None:
            return self.codes
        return self.codes[self.items]


@dataclass(frozen=True, eq=False)
class Distribution:
    """How many values are between one edge and the next."""

    edges: Floats
    counts: Ints


@dataclass(frozen=True, eq=False)
class MatrixImage:
    """A picture of an affinity.

    Attributes
    ----------
    values : (m, m) similarities in the order of the picture; means over cells when it is a density
    shades : (m, m) the same as numbers of colours
    order : items in the order of the picture, as positions among all
    starts : row r shows the items `order[starts[r]:starts[r + 1]]`: one, unless it is a density
    codes : (m,) group or class of each row
    low, high : the similarities of the first and the last colour
    """

    wish: MatrixRequest
    values: Floats
    shades: Bytes
    order: Ints
    starts: Ints
    codes: Ints | None
    low: float
    high: float
    similarities: Distribution
    degrees: Distribution
    in_degrees: Distribution | None = None

    @property
    def m(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def density(self) -> bool:
        """Whether a row stands for several items."""
        return len(self.order) > self.m

    @property
    def signed(self) -> bool:
        """Whether the colours have two directions, away from zero."""
        return self.low < 0

    @cached_property
    def blocks(self) -> tuple[tuple[int, int, int], ...]:
        """The runs of rows with the same code, as (start, stop, code)."""
        if self.codes is None or not self.m:
            return ()
        cuts = np.flatnonzero(np.diff(self.codes)) + 1
        starts = [0, *cuts.tolist()]
        stops = [*cuts.tolist(), self.m]
        return tuple((a, b, int(self.codes[a])) for a, b in zip(starts, stops, strict=True))

    def items_of(self, row: int) -> Ints:
        """Return the items that a row shows."""
        return self.order[self.starts[row] : self.starts[row + 1]]

    def rows_of(self, mask: Array) -> Ints:
        """Return the rows that show one of the items in `mask`."""
        if len(self.order) == 0 or self.order.max() >= len(mask):
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(np.add.reduceat(mask[self.order].astype(np.int64), self.starts[:-1]))


def work_out(wish: MatrixRequest) -> MatrixImage:
    """Return the picture that is wished for."""
    affinity = wish.affinity
    if affinity.sparse is not None and affinity.n > MOST_ITEMS:
        return _density(wish)
    shown = _shown_items(wish)
    values, degrees = _read(affinity, shown)
    # The rows of a centred kernel sum up to nothing but rounding.
    degrees[np.abs(degrees) < 1e-9 * affinity.n * np.abs(values).max(initial=0.0)] = 0.0
    turn = _turn(wish, shown, values)
    shown, values = shown[turn], values[np.ix_(turn, turn)]
    beside = values[~np.eye(len(values), dtype=bool)]
    in_degrees = None
    if not affinity.symmetric and len(shown) == affinity.n:
        in_degrees = values.sum(axis=0)
    codes = wish.own_codes
    similarities = beside if affinity.sparse is None else beside[beside != 0]
    return _picture(
        wish,
        values,
        order=shown if wish.items is None else wish.items[shown],
        starts=np.arange(len(shown) + 1),
        codes=None if codes is None else codes[shown],
        limits=_limits(beside if len(beside) else values.ravel()),
        similarities=similarities,
        degrees=degrees,
        in_degrees=in_degrees,
    )


def nearest(affinity: Affinity, item: int, most: int = 20) -> tuple[Ints, Floats]:
    """Return the items most similar to one, the most similar first, and how similar they are."""
    row = np.array(affinity.rows(np.array([item]))[0], dtype=float)
    row[item] = -np.inf
    if affinity.sparse is not None:
        row[row == 0] = -np.inf  # no edge
    few = min(most, len(row))
    found = np.argpartition(-row, few - 1)[:few] if few < len(row) else np.arange(len(row))
    found = found[np.lexsort((found, -row[found]))]
    found = found[np.isfinite(row[found])]
    return found, row[found]


def _shown_items(wish: MatrixRequest) -> Ints:
    """Return the items of a picture in its order, thinned out when they are too many."""
    n, codes = wish.affinity.n, wish.own_codes
    if not wish.grouped or codes is None:
        return _spread(np.arange(n), MOST_ITEMS)
    order = _by_code(codes)
    if n <= MOST_ITEMS:
        return order
    cuts = np.flatnonzero(np.diff(codes[order])) + 1
    parts = [
        _spread(part, max(round(MOST_ITEMS * len(part) / n), _FEWEST_OF_A_GROUP))
        for part in np.split(order, cuts)
    ]
    return np.concatenate(parts)[: MOST_ITEMS + _FEWEST_OF_A_GROUP * len(parts)]


def _turn(wish: MatrixRequest, shown: Ints, values: Floats) -> Ints:
    """Return in which order rows are drawn: by likeness, all of them or those of each group."""
    if wish.order == "given":
        return np.arange(len(shown))
    if wish.items is not None and wish.before is not None:
        now = wish.items[shown]
        if np.array_equal(np.sort(now), np.sort(wish.before)):
            turn: Ints = np.argsort(now)[np.searchsorted(np.sort(now), wish.before)]
            return turn
    codes = wish.own_codes
    if not wish.grouped or codes is None:
        return leaf_order(values)
    parts = np.split(np.arange(len(shown)), np.flatnonzero(np.diff(codes[shown])) + 1)
    return np.concatenate([part[leaf_order(values[np.ix_(part, part)])] for part in parts])


def _spread(items: Ints, most: int) -> Ints:
    if len(items) <= most:
        return items
    return items[np.linspace(0, len(items) - 1, most).astype(np.int64)]


def _by_code(codes: Ints) -> Ints:
    """Return all items by code; what has none comes last."""
    last = int(codes.max(initial=0)) + 1
    return np.argsort(np.where(codes < 0, last, codes), kind="stable")


def _read(affinity: Affinity, shown: Ints) -> tuple[Floats, Floats]:
    """Return the similarities among items, and how similar each is to all items together."""
    m = len(shown)
    if affinity.values is None:
        degrees = np.array(affinity.degrees(), dtype=float)
        return affinity.submatrix(shown).to_dense().astype(float), degrees
    values, degrees = np.empty((m, m)), np.empty(m)
    for start in range(0, m, _ROWS_AT_ONCE):
        part = slice(start, min(start + _ROWS_AT_ONCE, m))
        rows = affinity.values[shown[part]]
        values[part] = rows[:, shown]
        degrees[part] = rows.sum(axis=1)
    return values, degrees


def _density(wish: MatrixRequest) -> MatrixImage:
    """Return the mean similarity in each of `CELLS` × `CELLS` cells: no edge is left out."""
    sparse: Any = wish.affinity.sparse
    n, codes = wish.affinity.n, wish.own_codes
    if wish.order == "likeness":
        order = band_order(sparse)
    else:
        order = _by_code(codes) if wish.grouped and codes is not None else np.arange(n)
    starts = np.linspace(0, n, CELLS + 1).astype(np.int64)
    sizes = np.diff(starts)
    cell = np.empty(n, dtype=np.int64)
    cell[order] = np.repeat(np.arange(CELLS), sizes)
    source = np.repeat(np.arange(n), np.diff(sparse.indptr))
    place = cell[source] * CELLS + cell[sparse.indices]
    sums = np.bincount(place, weights=sparse.data, minlength=CELLS * CELLS)
    values = sums.reshape(CELLS, CELLS) / np.outer(sizes, sizes)
    filled = values[values != 0]
    # A few crowded cells must not take all the colours.
    limits = (
        _limits(np.clip(filled, *np.quantile(filled, [0.005, 0.98]))) if len(filled) else (0, 1)
    )
    return _picture(
        wish,
        values,
        order=order,
        starts=starts,
        codes=None if codes is None else codes[order[starts[:-1] + sizes // 2]],
        limits=limits,
        similarities=sparse.data[source != sparse.indices],
        degrees=wish.affinity.degrees(),
        in_degrees=None if wish.affinity.symmetric else np.asarray(sparse.sum(axis=0)).ravel(),
    )


def _picture(
    wish: MatrixRequest,
    values: Floats,
    *,
    order: Ints,
    starts: Ints,
    codes: Ints | None,
    limits: tuple[float, float],
    similarities: Floats,
    degrees: Floats,
    in_degrees: Floats | None,
) -> MatrixImage:
    low, high = limits
    edges = None
    if in_degrees is not None:  # one axis for both
        edges = _edges(np.concatenate([degrees, in_degrees]))
    return MatrixImage(
        wish=wish,
        values=values,
        shades=shades_of(values, low, high, wish.scale),
        order=order,
        starts=starts,
        codes=codes,
        low=low,
        high=high,
        similarities=_distribution(similarities),
        degrees=_distribution(degrees, edges),
        in_degrees=None if in_degrees is None else _distribution(in_degrees, edges),
    )


def _limits(values: Floats) -> tuple[float, float]:
    """Return the ends of the scale: from zero up, or as far on both sides of it."""
    if len(values) == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if low < 0:
        far = max(-low, high)
        return -far, far
    return 0.0, high if high > 0 else 1.0


def shades_of(values: Floats, low: float, high: float, scale: Scale) -> Bytes:
    """Return the number of the colour of each value."""
    amounts: Floats
    if scale == "log" and low == 0:
        with np.errstate(divide="ignore"):
            amounts = 1 + np.log10(np.maximum(values, 0) / high) / _DECADES
    else:
        amounts = (values - low) / (high - low)
    return np.round(np.clip(amounts, 0.0, 1.0) * (SHADES - 1)).astype(np.uint8)


def value_at(share: float, low: float, high: float, scale: Scale) -> float:
    """Return the similarity at a share of the scale, the other way round from `shades_of`."""
    if scale == "log" and low == 0:
        return float(high * 10.0 ** ((share - 1) * _DECADES))
    return low + share * (high - low)


def _distribution(values: Floats, edges: Floats | None = None) -> Distribution:
    borders = _edges(values) if edges is None else edges
    return Distribution(borders, np.histogram(values, borders)[0])


def _edges(values: Floats) -> Floats:
    low = float(values.min()) if len(values) else 0.0
    high = float(values.max()) if len(values) else 1.0
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
        reach = 0.5 * abs(low) or 0.5
        return np.linspace(low - reach, high + reach, 4)
    return np.linspace(low, high, _BINS + 1)
