"""k-means: groups around their means."""

from __future__ import annotations

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset
from coterie.core.numerics.mixed.columns import item_weights
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.kmeans import (
    MEANS_CURVES,
    MeansParams,
    best_kmeans,
    remarks,
    summary,
)
from coterie.core.wording import counted


class KMeans(Clusterer):
    """Groups around their means, with the smallest sum of squared distances found from many starts.

    Round groups of similar spread are found well; shapes and scales are not seen, so bring the
    columns to comparable units first. A column of weights is heeded. The best of all starts is
    shown round by round. Dense or sparse features; no n × n matrix.
    """

    id, title, version = "kmeans", "k-means", "2"
    curves = MEANS_CURVES
    reference = "Lloyd (1982). Least squares quantization in PCM. IEEE Information Theory 28(2)."
    needs = ("dataset",)
    weighs_items = True

    class Params(MeansParams):
        """How many groups, from how many starts."""

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the best grouping of all starts."""
        context.check()
        X = data.clean_features()
        require_groups(params.k, data.n)
        means, objectives = best_kmeans(
            X,
            params.k,
            params.restarts,
            context,
            weights=item_weights(data),
            max_iterations=params.max_iterations,
        )
        return Clustering(
            title=f"k-means, {counted(params.k, 'group')}",
            dataset=data,
            labels=means.labels,
            notes=remarks(means, params.max_iterations),
            details={**summary(means, objectives), "centres": means.centres[:, :50].tolist()},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A copy of the features, and distances to the means."""
        n, d, k = data.n, data.d, params.k
        return Cost(
            bytes=16 * n * d + 32 * n * k + (8 << 20),
            seconds=params.restarts * (2e-3 + 15 * n * k * (5e-10 * d + 2e-9)),
        )
