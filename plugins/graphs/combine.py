"""Combine several similarities of the same items into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Field, Graph
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.similarity.affinity_ops import dense_copy, require_items, with_entries


class Combine(Graph):
    """Weighted sum, or product of powers, of several affinities of the same items.

    A sum of kernels is alike where any is, a product where all are. Sparse when all are (sum) or
    any is (product). The weights are factors in a sum and powers in a product.
    """

    id, title = "combine", "Combine"
    reference = "Shawe-Taylor, Cristianini (2004). Kernel Methods for Pattern Analysis."
    needs = ("affinity+",)

    class Params(Graph.Params):
        """How they are merged."""

        how: Literal["sum", "product"] = Field(
            "sum", description="Sum: similar in any of them; product: similar in all of them."
        )
        weights: list[Annotated[float, Field(ge=0)]] = Field(
            default_factory=list,
            description="One weight for each affinity, in order; empty: all 1.",
        )

    def compute(self, *affinities: Affinity, params: Params, context: Context) -> Affinity:
        """Return the combination."""
        context.check()
        n = affinities[0].n
        for affinity in affinities:
            require_items(affinity)
            if affinity.n != n:
                raise DataError(
                    f"Only similarities of the same items can be combined. Got {n} and "
                    f"{affinity.n} items.",
                    code="items-mismatch",
                )
        weights = params.weights or [1.0] * len(affinities)
        if len(weights) != len(affinities):
            raise DataError(
                f"There must be a weight for each of the {len(affinities)} affinities. "
                f"Got {len(weights)}.",
                code="invalid-parameters",
            )
        combine = _sum if params.how == "sum" else _product
        matrix = combine(affinities, weights, context)
        whole = params.how == "sum" or all(weight == int(weight) for weight in weights)
        combined = with_entries(
            affinities[0],
            matrix,
            symmetric=all(affinity.symmetric for affinity in affinities),
            nonnegative=all(affinity.nonnegative for affinity in affinities),
            positive_semidefinite=whole and all(one.positive_semidefinite for one in affinities),
            title=(" + " if params.how == "sum" else " × ").join(one.title for one in affinities),
            notes=(),
            details={},
        )
        combined.require_finite()
        return combined

    def estimate(self, *affinities: Affinity, params: Params) -> Cost:
        """A dense n × n matrix, and a second one for each factor that is made dense."""
        n = affinities[0].n
        return Cost(bytes=16 * n * n, seconds=2e-8 * n * n * len(affinities))


def _sum(affinities: Sequence[Affinity], weights: Sequence[float], context: Context) -> Any:
    if all(affinity.sparse is not None for affinity in affinities):
        parts = [weight * one.stored for one, weight in zip(affinities, weights, strict=True)]
        total: Any = parts[0]
        for part in parts[1:]:
            context.check()
            total = total + part
        return total.tocsr()
    total = np.zeros((affinities[0].n, affinities[0].n))
    for affinity, weight in zip(affinities, weights, strict=True):
        context.check()
        total += weight * affinity.to_dense()
    return total


def _product(affinities: Sequence[Affinity], weights: Sequence[float], context: Context) -> Any:
    result: Any = None
    # Sparse ones first: what they leave out stays out.
    order = sorted(range(len(affinities)), key=lambda k: affinities[k].sparse is None)
    for affinity, weight in ((affinities[k], weights[k]) for k in order):
        context.check()
        if weight == 0:
            continue
        if weight != int(weight) and not affinity.nonnegative:
            raise DataError(
                f"Negative similarities cannot be raised to the power {weight:g}. "
                "Choose whole weights, or similarities without negative values.",
                code="negative-similarities",
            )
        power: Any
        if affinity.sparse is not None:
            power = affinity.sparse.copy()
            power.data = power.data**weight
        else:
            power = dense_copy(affinity)
            power **= weight
        if result is None:
            result = power
        elif is_sparse(result):
            result = result.multiply(power).tocsr()
        else:
            result *= power
    if result is None:
        raise DataError(
            "A product with all weights 0 has no factors. Give one a weight above 0.",
            code="invalid-parameters",
        )
    return result
