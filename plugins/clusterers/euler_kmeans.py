"""Euler k-means: k-means on circles, where outliers pull less."""

from __future__ import annotations

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.features.euler import euler_features, require_unit_range
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.kmeans import (
    MEANS_CURVES,
    MeansParams,
    best_kmeans,
    remarks,
    summary,
)
from coterie.core.wording import counted


class EulerKMeans(Clusterer):
    """k-means of features mapped onto circles, where large differences stop adding up.

    Each feature x in [0, 1] becomes cos(απx) and sin(απx), and plain k-means is run on those; it
    is the kernel k-means of the Euler kernel without its n × n matrix.
    """

    id, title, version = "euler-kmeans", "Euler k-means", "2"
    curves = MEANS_CURVES
    reference = "Wu, Zheng, Lai (2013). Euler clustering. IJCAI."
    needs = ("dataset",)

    class Params(MeansParams):
        """How many groups, and how far features are bent."""

        alpha: float = Field(
            1.9,
            gt=0,
            description="How far a difference of 1 turns around the circle, in half turns (α).",
            json_schema_extra={"slider": [0.1, 2.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the best grouping of all starts."""
        context.check()
        X = data.dense_features()
        require_unit_range(X)
        require_groups(params.k, data.n)
        means, objectives = best_kmeans(
            euler_features(X, params.alpha),
            params.k,
            params.restarts,
            context,
            max_iterations=params.max_iterations,
        )
        return Clustering(
            title=f"Euler k-means, {counted(params.k, 'group')}",
            dataset=data,
            labels=means.labels,
            notes=remarks(means, params.max_iterations),
            details={**summary(means, objectives), "alpha": params.alpha},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Twice the columns, a copy, and distances to the means."""
        n, d, k = data.n, data.d, params.k
        return Cost(
            bytes=40 * n * d + 32 * n * k + (8 << 20),
            seconds=params.restarts * (2e-3 + 15 * n * k * (1e-9 * d + 2e-9)),
        )
