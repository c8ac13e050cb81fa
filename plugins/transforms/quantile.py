"""Columns by rank: evenly spread, or like a normal distribution."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import Context, Cost, Dataset, Field, Floats, Model, Output, Transform

LEVELS = 1000  # quantiles that are kept; between them values are interpolated


class Quantile(Transform):
    """Replace each value by its rank among the others, evenly spread or as a normal deviate.

    Whatever the distribution of a column, afterwards it is the same for all: no value is extreme.
    Distances within a column are lost, only the order is kept. Equal values stay equal; a constant
    becomes 0.
    """

    id, title = "quantile", "Quantiles"
    reference = "Conover, Iman (1981). Rank transformations. The American Statistician 35(3)."

    class Params(Transform.Params):
        """What the values are like afterwards."""

        like: Literal["normal", "uniform"] = Field(
            "normal",
            description="normal: mean 0 and standard deviation 1; uniform: from 0 to 1.",
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the ranks, and the model that gives new items a place among them."""
        X = data.dense_features()
        context.check()
        levels = np.linspace(0.0, 1.0, min(LEVELS, max(2, data.n)))
        model = Model(
            title="Quantiles of each column",
            dataset=data,
            arrays={"quantiles": np.quantile(X, levels, axis=0), "levels": levels},
            settings={"like": params.like},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Rank `data` among the fitted items; what is beyond them gets the place of the last."""
        X = data.dense_features()
        quantiles, levels = (np.asarray(model.arrays[name]) for name in ("quantiles", "levels"))
        ranks = np.empty_like(X)
        for j in range(data.d):
            context.check()
            ranks[:, j] = _ranks(X[:, j], quantiles[:, j], levels)
        if model.settings["like"] == "uniform":
            return data.with_features(ranks)
        from scipy.special import ndtri

        # The first and the last would be infinitely far away: half a level within.
        half = 0.5 / len(levels)
        deviates = ndtri(np.clip(ranks, half, 1.0 - half))
        deviates[:, quantiles[0] == quantiles[-1]] = 0.0
        return data.with_features(deviates)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The result and some working copies."""
        return Cost(bytes=48 * data.n * data.d, seconds=2e-7 * data.n * data.d)


def _ranks(x: Floats, quantiles: Floats, levels: Floats) -> Floats:
    """The share of the fitted values below each; of equal values, the middle of their ranks."""
    if quantiles[0] == quantiles[-1]:
        return np.zeros_like(x)
    above = np.interp(x, quantiles, levels)
    # From the other side: where many are equal, one finds their first and one their last rank.
    below = -np.interp(-x, -quantiles[::-1], -levels[::-1])
    return np.asarray((above + below) / 2)
