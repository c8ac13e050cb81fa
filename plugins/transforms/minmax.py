"""Bring each column to the range from 0 to 1."""

from __future__ import annotations

import numpy as np

from coterie.core import Context, Cost, Dataset, Model, Output, Transform


class MinMax(Transform):
    """Stretch each column to [0, 1]; a constant column becomes 0.

    Makes columns of different units comparable. One extreme value squeezes all others together.
    """

    id, title = "minmax", "Scale to [0, 1]"

    def compute(self, data: Dataset, *, params: Transform.Params, context: Context) -> Output:
        """Return the stretched columns, and the model that stretches new items alike."""
        X = data.dense_features()
        context.check()
        least = X.min(axis=0)
        # In halves: the range of a column of very large numbers would overflow.
        half_range = X.max(axis=0) / 2 - least / 2
        model = Model(
            title="Smallest value and range of each column",
            dataset=data,
            arrays={"least": least, "half_range": half_range},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Stretch `data` as the fitted items were; new values may be outside [0, 1]."""
        X = data.dense_features()
        context.check()
        half_range = model.arrays["half_range"]
        varies = half_range > 0
        scaled = X / 2 - model.arrays["least"] / 2
        scaled /= np.where(varies, half_range, 1.0)
        scaled[:, ~varies] = 0.0
        return data.with_features(scaled)

    def estimate(self, data: Dataset, *, params: Transform.Params) -> Cost:
        """The result and one working copy."""
        return Cost(bytes=24 * data.n * data.d, seconds=1e-8 * data.n * data.d)
