"""Sigmoid kernel: a smooth step of the inner product."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Kernel
from coterie.core.numerics.similarity.inner_products import inner_products
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress


class Sigmoid(Kernel):
    """Similarity tanh(κ xᵀy + θ): from −1 to 1, as a neural unit would answer.

    Dense. Not always positive semi-definite, and negative below the threshold.
    """

    id, title = "sigmoid", "Sigmoid"
    reference = "Schölkopf, Smola (2002). Learning with Kernels. MIT Press."

    class Params(Kernel.Params):
        """Where the step is, and how steep."""

        gain: float = Field(
            1.0,
            gt=0,
            description="Gain κ: how steeply similarity rises with the inner product.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True},
        )
        threshold: float = Field(
            -1.0,
            description="Threshold θ: added to κ xᵀy before the step at zero.",
            json_schema_extra={"slider": [-10.0, 10.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""

        def change(tile: Floats) -> None:
            with np.errstate(over="ignore"):  # tanh of what overflows is 1
                tile *= params.gain
            tile += params.threshold
            np.tanh(tile, out=tile)

        X = data.clean_features()
        values = inner_products(X, change, check=tile_progress(context, data.n))
        return Affinity(
            values=values,
            symmetric=True,
            nonnegative=bool(values.min() >= 0),
            positive_semidefinite=False,
            title=f"Sigmoid similarity, κ = {params.gain:g}, θ = {params.threshold:g}",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, data.d, 1e-10)
