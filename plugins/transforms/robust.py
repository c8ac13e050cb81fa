"""Centre each column at its median and scale it by its quartiles."""

from __future__ import annotations

import numpy as np

from coterie.core import Context, Cost, Dataset, Model, Output, Transform

NORMAL_QUARTILES = 1.3489795003921634  # from the first to the third, of deviation 1


class Robust(Transform):
    """Shift each column to median 0 and scale it by the range between its quartiles.

    A few extreme values change next to nothing, as they would for mean and deviation. For normally
    distributed values it is the same as standardising. Where half of the values are equal, the
    deviation takes the place of the quartiles; a constant becomes 0.
    """

    id, title = "robust", "Robust scaling"
    reference = "Huber, Ronchetti (2009). Robust Statistics. Wiley."

    def compute(self, data: Dataset, *, params: Transform.Params, context: Context) -> Output:
        """Return the scaled columns, and the model that does the same to new items."""
        X = data.dense_features()
        context.check()
        first, middle, third = np.quantile(X, (0.25, 0.5, 0.75), axis=0)
        scale = (third / NORMAL_QUARTILES) - (first / NORMAL_QUARTILES)
        with np.errstate(over="ignore"):
            deviation = np.nan_to_num(X.std(axis=0))
        scale = np.where(scale > 0, scale, deviation)
        scale[X.max(axis=0) == X.min(axis=0)] = 0.0
        model = Model(
            title="Median and scale of each column",
            dataset=data,
            arrays={"median": middle, "scale": scale},
        )
        return Output(self.apply(model, data, context), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Shift and scale `data` by the median and quartiles of the fitted items."""
        X = data.dense_features()
        context.check()
        scale = model.arrays["scale"]
        varies = scale > 0
        scaled = X / np.where(varies, scale, 1.0) - model.arrays["median"] / np.where(
            varies, scale, 1.0
        )
        scaled[:, ~varies] = 0.0
        return data.with_features(scaled)

    def estimate(self, data: Dataset, *, params: Transform.Params) -> Cost:
        """The result and two working copies."""
        return Cost(bytes=32 * data.n * data.d, seconds=4e-8 * data.n * data.d)
