"""Polynomial kernel: products of features up to a degree."""

from __future__ import annotations

import math

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Floats,
    Kernel,
)
from coterie.core.numerics.similarity.inner_products import inner_products
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress


class Polynomial(Kernel):
    """Similarity (xᵀy + c)^p: sees products of up to p features, not only their sum.

    Dense. Positive semi-definite for c ≥ 0. Grows fast: scale the features, or normalise the kernel
    afterwards.
    """

    id, title = "polynomial", "Polynomial"
    reference = "Schölkopf, Smola (2002). Learning with Kernels. MIT Press."

    class Params(Kernel.Params):
        """Which polynomial."""

        degree: int = Field(
            2,
            ge=1,
            le=20,
            description="Degree p: how many features are multiplied together.",
            json_schema_extra={"slider": [1, 6]},
        )
        offset: float = Field(
            1.0,
            ge=0,
            description="Constant c: how much products of fewer features count.",
            json_schema_extra={"slider": [0.0, 10.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""

        def change(tile: Floats) -> None:
            tile += params.offset
            with np.errstate(over="ignore"):
                tile **= params.degree

        X = data.clean_features()
        values = inner_products(X, change, check=tile_progress(context, data.n))
        least, most = float(values.min()), float(values.max())
        if not math.isfinite(most) or not math.isfinite(least):
            raise DataError(
                f"The power {params.degree} of these inner products overflows. "
                "Scale the columns first, for instance to [0, 1], or lower the degree.",
                code="values-too-large",
            )
        return Affinity(
            values=values,
            symmetric=True,
            nonnegative=least >= 0,
            positive_semidefinite=True,
            title=f"Polynomial similarity, degree {params.degree}",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, data.d, 1e-10)
