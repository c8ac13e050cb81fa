"""Histogram intersection: how much two histograms have in common."""

from __future__ import annotations

from coterie.core import Affinity, Context, Cost, Dataset, Kernel
from coterie.core.numerics.features.rows import require_nonnegative
from coterie.core.numerics.similarity.inner_products import intersections
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress


class HistogramIntersection(Kernel):
    """Similarity Σ min(x, y): what two histograms share, bin by bin.

    Dense. Positive semi-definite for non-negative features, which it asks for. Rows that sum to one
    (transform `unit-sum`) give similarities from 0 to 1.
    """

    id, title = "histogram-intersection", "Histogram intersection"
    reference = "Swain, Ballard (1991). Color indexing. IJCV 7(1)."

    def compute(self, data: Dataset, *, params: Kernel.Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        context.check()
        require_nonnegative(X, "Histograms")
        return Affinity(
            values=intersections(X, check=tile_progress(context, data.n)),
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title="Histogram intersection",
            dataset=data,
        )

    def estimate(self, data: Dataset, *, params: Kernel.Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, data.d, 1e-9)
