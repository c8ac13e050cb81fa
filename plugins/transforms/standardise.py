"""Bring each column to mean 0 and standard deviation 1."""

from __future__ import annotations

import numpy as np

from coterie.core import Context, Cost, Dataset, Model, Output, Transform
from coterie.core.numerics.similarity.distances import require_squares


class Standardise(Transform):
    """Shift each column to mean 0 and scale it to standard deviation 1; a constant becomes 0."""

    id, title = "standardise", "Standardise"

    def compute(self, data: Dataset, *, params: Transform.Params, context: Context) -> Output:
        """Return the standardised columns, and the model that does the same to new items."""
        X = data.dense_features()
        context.check()
        require_squares(X)
        mean, deviation = X.mean(axis=0), X.std(axis=0)
        # The mean of equal numbers is off by rounding, which must not pass for variation.
        deviation[np.ptp(X, axis=0) == 0] = 0.0
        model = Model(
            title="Mean and standard deviation of each column",
            dataset=data,
            arrays={"mean": mean, "deviation": deviation},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Shift and scale `data` by the mean and deviation of the fitted items."""
        X = data.dense_features()
        context.check()
        deviation = model.arrays["deviation"]
        varies = deviation > 0
        scaled = X - model.arrays["mean"]
        scaled /= np.where(varies, deviation, 1.0)
        scaled[:, ~varies] = 0.0
        return data.with_features(scaled)

    def estimate(self, data: Dataset, *, params: Transform.Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)
