"""Numbers for categories: indicator columns of equal weight, and factor analysis of mixed data."""

from __future__ import annotations

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


def fit_encoder(table: MixedTable, weighting: Weighting = "equal") -> Encoder:
    """Return how the columns of a table become numbers.

    "equal": the indicators of a column together vary as much as one standardised number.
    "rare": as in multiple correspondence analysis, each indicator is divided by the square root of
    its share: sharing a rare category counts more. There each column spreads over one
    direction less than it has categories, with variance 1 in each.

    Constant columns become 0.
    """
    _, mean, deviation = standardised(table)
    marks = indicators(table)
    known = np.maximum((table.codes >= 0).sum(axis=0), 1)
    shares = marks.sum(axis=0) / np.repeat(known, table.levels)
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
