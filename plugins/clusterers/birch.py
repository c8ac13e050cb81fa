"""BIRCH: items are summed up in small balls, and the balls are grouped."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.density.density_params import density_result, quiet
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.linkage import longest_lifetime, merges_of_features
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.neighbours import nearest_neighbours

SAMPLE = 1000  # items from which the radius is estimated
BALLS = 1000  # about so many are wanted, as their merging looks at all pairs
MOST_BALLS = 4000  # beyond, the radius is doubled


class Birch(Clusterer):
    """Sum up the items in balls of a small radius in one pass, then merge the balls by Ward.

    For very many items in round groups. With k 0 the number of groups is the one that lasts longest
    while balls are merged. The balls are scikit-learn's; every item is in a group.
    """

    id, title = "birch", "BIRCH"
    reference = "Zhang, Ramakrishnan, Livny (1996). BIRCH. SIGMOD."
    needs = ("dataset",)

    class Params(Clusterer.Params):
        """How many groups, and how small the balls are."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0 chooses the number that persists over the longest "
            "range.",
            json_schema_extra={"slider": [0, 20]},
        )
        radius: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Largest radius of a ball; 'auto': from the distances between neighbours "
            "in a sample.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups of balls."""
        from sklearn.cluster import Birch as Engine

        context.check()
        X = data.dense_features()
        require_squares(X)
        require_groups(params.k, data.n)
        radius = _radius(X[:: -(-data.n // SAMPLE)]) if params.radius == "auto" else params.radius
        while True:
            context.progress(1, 3, "balls")
            with quiet():
                engine = Engine(threshold=radius, n_clusters=None, compute_labels=False).fit(X)
            centres = engine.subcluster_centers_
            if len(centres) <= MOST_BALLS or params.radius != "auto":
                break
            radius *= 2
        merges = merges_of_features(centres, "ward")
        k = min(params.k or longest_lifetime(merges.heights), len(centres))
        ball = nearest_neighbours(X, 1, among=centres, check=context.check).indices[:, 0]
        context.progress(1, 1, "done")
        result = density_result(merges.labels(k)[ball])
        result["details"] |= {"radius": radius, "balls": len(centres)}
        if k < params.k:
            result["notes"] += (f"There are only {k} balls. Choose a smaller radius.",)
        return Clustering(title=f"BIRCH, {len(centres)} balls", dataset=data, **result)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """A copy of the features, and all pairs of balls."""
        n, d = data.n, data.d
        balls = min(n, MOST_BALLS)
        return Cost(
            bytes=24 * n * d + 16 * balls * balls + (32 << 20),
            seconds=n * (1e-4 + 1e-7 * d) + 3e-8 * balls * balls,
        )


def _radius(some: np.ndarray) -> float:
    """The median distance to a few neighbours: balls hold a handful of items of the sample."""
    if len(some) < 2:
        return 1.0
    k = min(len(some) - 1, max(1, len(some) * 5 // BALLS))
    positive = nearest_neighbours(some, k).distances[:, -1]
    positive = positive[positive > 0]
    return float(np.median(positive)) / 2 if len(positive) else 1.0
