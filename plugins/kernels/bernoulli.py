"""Bernoulli kernel: similarity of items described by zeros and ones."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Dataset, Field, Floats, Kernel
from coterie.core.numerics.similarity.inner_products import inner_products
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress


class Bernoulli(Kernel):
    """Similarity ((1 − λ) / λ)^h for items that differ in h of their zeros and ones.

    It is the density λ^(d − h) (1 − λ)^h of Bernoulli columns centred on the other item, divided by
    its largest value λ^d. At λ = ½ all items are alike, at 1 only equal ones are similar. Dense.
    """

    id, title = "bernoulli", "Bernoulli"
    reference = (
        "Aitchison, Aitken (1976). Multivariate binary discrimination by the kernel method. "
        "Biometrika 63(3)."
    )

    class Params(Kernel.Params):
        """How much a difference counts."""

        agreement: float = Field(
            0.8,
            ge=0.5,
            le=1.0,
            description="Probability λ that a column agrees with the item at the centre.",
            json_schema_extra={"slider": [0.5, 1.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        context.check()
        other = X[(X != 0) & (X != 1)]
        if len(other):
            raise DataError(
                f"The Bernoulli kernel needs zeros and ones. Got {float(other[0]):.4g}. Choose "
                "other columns, or another kernel.",
                code="values-out-of-range",
            )
        values = _differences(X, context, data.n)
        ratio = (1 - params.agreement) / params.agreement
        # Whole numbers by now, and 0⁰ = 1: equal items are fully similar at λ = 1 as well.
        np.power(ratio, values, out=values)
        return Affinity(
            values=values,
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=f"Bernoulli similarity, λ = {params.agreement:g}",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, 2 * data.d, 1e-10)


def _differences(X: Floats, context: Context, n: int) -> Floats:
    """In how many columns each pair of items differs, exactly."""
    shared = inner_products(X, check=tile_progress(context, n))
    ones = X.sum(axis=1)
    shared *= -2.0
    shared += ones[:, None]
    shared += ones[None]
    return np.rint(shared, out=shared)
