"""OPTICS: an order of the items in which dense groups are valleys."""

from __future__ import annotations

import numpy as np

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.density.density_params import SizeParams, density_result, quiet
from coterie.core.numerics.similarity.distances import require_squares


class OPTICS(Clusterer):
    """Walk from item to nearest item, and cut the walk into the valleys of its distances.

    Groups of different density are found, their number too; other items stay in no group
    (label −1). On scikit-learn's engine, which takes time with the square of the number of items.
    """

    id, title = "optics", "OPTICS"
    reference = (
        "Ankerst, Breunig, Kriegel, Sander (1999). OPTICS: ordering points to identify the "
        "clustering structure. SIGMOD."
    )
    needs = ("dataset",)

    class Params(SizeParams):
        """How density is measured, and what a valley is."""

        min_samples: int = Field(
            5,
            ge=2,
            description="Number of items, including itself, within the distance that measures "
            "the density at an item.",
            json_schema_extra={"slider": [2, 50]},
        )
        steepness: float = Field(
            0.05,
            gt=0,
            lt=1,
            description="Relative fall of distance from one item to the next that begins a valley "
            "(ξ).",
            json_schema_extra={"slider": [0.01, 0.5]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the valleys as groups."""
        from sklearn import cluster

        context.check()
        X = data.dense_features()
        require_squares(X)
        labels = np.full(data.n, -1)
        if data.n > 2:
            size = params.least_size(data.n)
            engine = cluster.OPTICS(
                min_samples=min(params.min_samples, data.n),
                min_cluster_size=min(size, data.n),
                xi=params.steepness,
            )
            context.progress(0, 1, "order")
            with quiet():
                labels = engine.fit_predict(X)
        context.progress(1, 1, "done")
        return Clustering(title="OPTICS", dataset=data, **density_result(labels))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Neighbours of one item at a time."""
        n, d = data.n, data.d
        return Cost(
            bytes=n * (40 * d + 200) + (16 << 20),
            seconds=n * 2e-4 + n * n * (1e-9 * d + 1e-8),
            alternatives=("use HDBSCAN",),
        )
