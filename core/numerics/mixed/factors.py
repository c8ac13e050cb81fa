"""Numbers for categories: indicator columns of equal weight, and factor analysis of mixed data."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.mixed.table import MixedTable, indicators, standardised

Weighting = Literal["equal", "rare"]


@dataclass(frozen=True, eq=False)
class Encoder:
    """How columns become numbers, fitted on some items.

    Attributes
    ----------
    mean, deviation : (p,) of the numbers; a deviation of 0 makes its column 0
    shares : (Σ levels,) of each category among the known values of its column
    scale : (Σ levels,) that its indicator is multiplied by
    levels : number of categories of each column
    """

    mean: Floats
    deviation: Floats
    shares: Floats
    scale: Floats
    levels: tuple[int, ...]

    def encoded(self, table: MixedTable) -> Floats:
        """Return (n, p + Σ levels): standardised numbers, centred and scaled indicators.

        What is missing is put in the middle: 0 in all columns that it would fill.
        """
        varies = self.deviation > 0
        numbers = (table.numbers - self.mean) / np.where(varies, self.deviation, 1.0)
        numbers[:, ~varies] = 0.0
        numbers[np.isnan(numbers)] = 0.0
        coded = (indicators(table) - self.shares) * self.scale
        missing = np.repeat(table.codes < 0, self.levels, axis=1)
        coded[missing] = 0.0
        return np.hstack([numbers, coded])


def fit_encoder(
    table: MixedTable, weighting: Weighting = "equal", items: Floats | None = None
) -> Encoder:
    """Return how the columns of a table become numbers; `items` are weights, 1 unless given.

    "equal": the indicators of a column together vary as much as one standardised number.
    "rare": as in multiple correspondence analysis, each indicator is divided by the square root of
    its share: sharing a rare category counts more. There each column spreads over one
    direction less than it has categories, with variance 1 in each.

    Constant columns become 0.
    """
    mean, deviation = _moments(table, items)
    weights = np.ones(table.n) if items is None else items
    known = weights @ (table.codes >= 0)
    shares = (weights @ indicators(table)) / np.repeat(np.where(known > 0, known, 1), table.levels)
    if weighting == "rare":
        scale = np.where(shares > 0, 1.0 / np.sqrt(np.maximum(shares, 1e-300)), 0.0)
    else:
        scale = np.zeros(len(shares))
        start = 0
        for count in table.levels:
            own = slice(start, start + count)
            variance = float((shares[own] * (1 - shares[own])).sum())
            scale[own] = 1.0 / np.sqrt(variance) if variance > 1e-12 else 0.0
            start += count
    return Encoder(mean, deviation, shares, scale, table.levels)


@dataclass(frozen=True, eq=False)
class Factors:
    """Factor analysis of mixed data: principal components of numbers and scaled indicators.

    Attributes
    ----------
    encoder : what is decomposed
    axes : (m, p + Σ levels) orthonormal directions; the largest loading of each is positive
    variances : of all directions, largest first
    """

    encoder: Encoder
    axes: Floats
    variances: Floats

    def coordinates(self, table: MixedTable) -> Floats:
        """Return (n, m) coordinates of the items of a table with the same columns."""
        return self.encoder.encoded(table) @ self.axes.T


def fit_factors(table: MixedTable, items: Floats | None = None) -> Factors:
    """Return the directions of largest variance of standardised numbers and scaled indicators.

    Numbers only: principal components of standardised columns. Categories only: multiple
    correspondence analysis, whose eigenvalues these are times the number of columns. What is
    missing is at the middle of its column.
    """
    from coterie.core.numerics.features.directions import leading_directions

    encoder = fit_encoder(table, "rare", items)
    values = encoder.encoded(table)
    if items is not None:
        values = values * np.sqrt(items)[:, None]
    axes, singular = leading_directions(values)
    total = float(table.n if items is None else items.sum())
    return Factors(encoder, axes, singular**2 / max(total, 1e-300))


def explained(factors: Factors, table: MixedTable, kept: int) -> Floats:
    """Return (kept, p + q) how much of each direction each column makes: rows sum to 1."""
    squares = factors.axes[:kept] ** 2
    starts = np.cumsum([table.p, *table.levels])
    coded = [squares[:, start:end].sum(axis=1) for start, end in itertools.pairwise(starts)]
    return np.column_stack([squares[:, : table.p], *coded])


def _moments(table: MixedTable, items: Floats | None) -> tuple[Floats, Floats]:
    """Mean and deviation of the numbers, by the weights of the items; of constants 0."""
    _, mean, deviation = standardised(table)
    if items is None:
        return mean, deviation
    known = ~np.isnan(table.numbers)
    totals = items @ known
    totals = np.where(totals > 0, totals, 1.0)
    mean = (items @ np.where(known, table.numbers, 0.0)) / totals
    away = np.where(known, table.numbers - mean, 0.0)
    spread = np.sqrt((items @ away**2) / totals)
    return mean, np.where(deviation > 0, spread, 0.0)
