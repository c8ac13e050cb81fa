"""Gower's distance between items of numbers and categories; what is missing is left out.

The distance of two items is the weighted mean, over the columns known of both, of |x − y| / range
for numbers and of 0 (equal) or 1 (different) for categories.

A missing number is put to 0 after scaling to [0, 1]. A pair of which one is missing then adds the
value of the other to the sum of differences, which a matrix product takes away again; so all of
the work is matrix products and city-block distances, whatever is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.mixed.table import MixedTable, indicators
from coterie.core.numerics.similarity.ties import smallest
from coterie.core.numerics.similarity.tiles import Check, products_by_tiles, slices


@dataclass(frozen=True, eq=False)
class GowerScale:
    """What items are compared by: the least value and range of each number, weights of columns."""

    least: Floats
    spans: Floats
    weights: Floats
    """(p + q,) of the numbers, then of the categories."""


def gower_scale(table: MixedTable, weights: Floats | None = None) -> GowerScale:
    """Return the ranges of the numbers; columns weigh alike unless weights are given."""
    least, spans = np.zeros(table.p), np.zeros(table.p)
    for j, column in enumerate(table.numbers.T):
        known = column[~np.isnan(column)]
        if len(known):
            least[j] = known.min()
            # In halves: the range of very large numbers would overflow.
            spans[j] = known.max() / 2 - least[j] / 2
    given = np.ones(table.p + table.q) if weights is None else np.asarray(weights, np.float64)
    return GowerScale(least, spans, given)


@dataclass(frozen=True, eq=False)
class _Side:
    numbers: Floats
    """Scaled to [0, 1] times their weight, 0 where missing."""
    missing: Floats
    known: Floats
    """(n, p + q) by the square root of their weights."""
    coded: Floats


class GowerSpace:
    """Items prepared for being compared with each other and with new ones."""

    def __init__(self, table: MixedTable, scale: GowerScale | None = None) -> None:
        self.scale = gower_scale(table) if scale is None else scale
        self.n = table.n
        self._side = self._prepared(table)
        self.complete = bool(table.known.all())

    def distances(self, other: MixedTable | None = None, *, check: Check | None = None) -> Floats:
        """Return the distances to the items of another table, or of these to each other.

        Items that share no known column get not a number. Without `other` exactly symmetric with
        a zero diagonal.
        """
        own = self._side
        right = own if other is None else self._prepared(other)
        complete = self.complete and (other is None or bool(other.known.all()))
        left_factor, right_factor = _factors(own, right, complete)
        total = float(self.scale.weights.sum())

        def finish(rows: slice, columns: slice, tile: Floats) -> None:
            if own.numbers.shape[1]:
                tile += _city_block(own.numbers[rows], right.numbers[columns])
            if complete:
                tile /= total
            else:
                both = own.known[rows] @ right.known[columns].T
                with np.errstate(invalid="ignore", divide="ignore"):
                    tile /= both
                tile[both <= 0] = np.nan
            np.clip(tile, 0.0, 1.0, out=tile)
            if other is None and rows == columns:
                np.fill_diagonal(tile, 0.0)

        return products_by_tiles(
            left_factor, right_factor, finish, symmetric=other is None, check=check
        )

    def neighbours(self, count: int, *, check: Check | None = None) -> tuple[Ints, Floats]:
        """Return the nearest others of each item and their distances, nearest first.

        Memory: a band of distances at a time. Pairs that share no known column are as far as any.
        """
        indices = np.empty((self.n, count), dtype=np.int64)
        found = np.empty((self.n, count))
        left, right = _factors(self._side, self._side, self.complete)
        total = float(self.scale.weights.sum())
        side = self._side
        for rows in slices(self.n, side=max(1, (1 << 22) // max(1, self.n))):
            if check is not None:
                check()
            band = left[rows] @ right.T
            if side.numbers.shape[1]:
                band += _city_block(side.numbers[rows], side.numbers)
            if self.complete:
                band /= total
            else:
                both = side.known[rows] @ side.known.T
                with np.errstate(invalid="ignore", divide="ignore"):
                    band /= both
                band[both <= 0] = 1.0
            np.clip(band, 0.0, 1.0, out=band)
            band[np.arange(len(band)), np.arange(rows.start, rows.stop)] = np.inf
            near = smallest(band, count)
            away = np.take_along_axis(band, near, axis=1)
            order = np.argsort(away, axis=1, kind="stable")
            indices[rows] = np.take_along_axis(near, order, axis=1)
            found[rows] = np.take_along_axis(away, order, axis=1)
        return indices, found

    def _prepared(self, table: MixedTable) -> _Side:
        scale, p = self.scale, table.p
        known = table.known
        varies = scale.spans > 0
        unit = (table.numbers / 2 - scale.least / 2) / np.where(varies, scale.spans, 1.0)
        # Values of new items outside the range count as at its ends, so no distance exceeds 1.
        unit = np.clip(unit, 0.0, 1.0)
        unit[:, ~varies] = 0.0
        numbers = np.where(known[:, :p], unit, 0.0) * scale.weights[:p]
        missing = (~known[:, :p]).astype(np.float64)
        roots = np.sqrt(scale.weights)
        repeated = np.repeat(roots[p:], table.levels) if table.q else np.zeros(0)
        return _Side(numbers, missing, known * roots, indicators(table) * repeated)


def _factors(own: _Side, other: _Side, complete: bool) -> tuple[Floats, Floats]:
    """L, R with LRᵀ = differing categories − what missing numbers add to the city-block sums."""
    p = own.numbers.shape[1]
    if complete:
        # All q categories are known, so those that differ are the constant less the equal ones.
        constant = (own.known[:1, p:] ** 2).sum()
        left = np.column_stack([np.full(len(own.coded), constant), -own.coded])
        return left, np.column_stack([np.ones(len(other.coded)), other.coded])
    left = np.column_stack([own.known[:, p:], -own.coded, -own.missing, -own.numbers])
    return left, np.column_stack([other.known[:, p:], other.coded, other.numbers, other.missing])


def _city_block(X: Floats, Y: Floats) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(X, Y, "cityblock"))


def unknown_items(table: MixedTable) -> Array:
    """Return which items have nothing known."""
    return np.asarray(~table.known.any(axis=1))
