"""Tversky's models: what two items share, compared with what each has alone."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Kernel
from coterie.core.numerics.features.rows import require_nonnegative
from coterie.core.numerics.similarity.inner_products import intersections
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress


class Tversky(Kernel):
    """Similarity s / (s + α a + β b): s is shared, a only the first item has, b only the second.

    Features are amounts of 0 or more, of which two items share the smaller: of zeros and ones, the
    number of common marks. With α = β = 1 it is the Jaccard (Tanimoto) index, with ½ Dice's; with
    α ≠ β the similarity of x to y differs from that of y to x. Items without any amount are similar
    to none but themselves. The contrast model is the difference θ s − α a − β b, which may be
    negative. Dense.
    """

    id, title = "tversky", "Tversky"
    reference = "Tversky (1977). Features of similarity. Psychological Review 84(4)."

    class Params(Kernel.Params):
        """How much it counts what only one of two items has."""

        model: Literal["ratio", "contrast"] = Field(
            "ratio",
            description="The share s / (s + α a + β b), from 0 to 1, or the difference "
            "θ s − α a − β b.",
        )
        shared: float = Field(
            1.0,
            ge=0,
            description="Weight θ of what both items have, in the contrast model.",
            json_schema_extra={"slider": [0.0, 4.0], "only_if": {"model": ["contrast"]}},
        )
        first: float = Field(
            1.0,
            ge=0,
            description="Weight α of features that only the first item has.",
            json_schema_extra={"slider": [0.0, 2.0]},
        )
        second: float = Field(
            1.0,
            ge=0,
            description="Weight β of features that only the second item has.",
            json_schema_extra={"slider": [0.0, 2.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        context.check()
        require_nonnegative(X, "Amounts")
        values = intersections(X, check=tile_progress(context, data.n))
        totals = values.diagonal().copy()
        for row in range(data.n):
            if row % 64 == 0:
                context.check()
            shared = values[row]
            # Rounding may leave an item a little less than it shares.
            alone = params.first * np.maximum(totals[row] - shared, 0.0)
            alone += params.second * np.maximum(totals - shared, 0.0)
            if params.model == "contrast":
                values[row] = params.shared * shared - alone
                continue
            whole = shared + alone
            np.divide(shared, whole, out=values[row], where=whole > 0)
            values[row][whole <= 0] = 0.0
        contrast = params.model == "contrast"
        values[np.diag_indices(data.n)] = params.shared * totals if contrast else 1.0
        return Affinity(
            values=values,
            symmetric=params.first == params.second,
            nonnegative=not contrast or bool(values.min(initial=0.0) >= 0),
            title=f"Tversky {'contrast' if contrast else 'similarity'}, "
            f"α = {params.first:g}, β = {params.second:g}",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, data.d, 1e-9)
