"""DBSCAN: items with enough others near them, and what can be reached from there."""

from __future__ import annotations

from typing import Annotated, Literal

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.density.density_params import density_result, knee, quiet
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.neighbours import GOOD_RECALL, nearest_neighbours


class DBSCAN(Clusterer):
    """Join items that have at least `min_samples` items within `radius`, and their neighbours.

    The number of groups is found; all other items stay in no group (label −1). One radius serves
    all groups, so they should be of similar density: else use HDBSCAN. On scikit-learn's engine.
    """

    id, title = "dbscan", "DBSCAN"
    reference = (
        "Ester, Kriegel, Sander, Xu (1996). A density-based algorithm for discovering clusters in "
        "large spatial databases with noise. KDD."
    )
    needs = ("dataset",)

    class Params(Clusterer.Params):
        """What counts as dense."""

        radius: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Distance within which items are neighbours (eps); 'auto': the bend of "
            "the sorted distances to the neighbour at twice `min_samples`.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        min_samples: int = Field(
            5,
            ge=1,
            description="Number of items within the radius, including the item itself, that make "
            "it dense.",
            json_schema_extra={"slider": [1, 50]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups, and the radius."""
        from sklearn import cluster

        context.check()
        X = data.dense_features()
        require_squares(X)
        radius = params.radius
        if radius == "auto":
            k = min(2 * params.min_samples, data.n - 1)
            radius = 1.0
            if k:
                near = nearest_neighbours(X, k, recall=GOOD_RECALL, check=context.check)
                radius = knee(near.distances[:, -1]) or 1.0
        context.progress(1, 2, "groups")
        with quiet():
            labels = cluster.DBSCAN(eps=radius, min_samples=params.min_samples).fit_predict(X)
        context.progress(1, 1, "done")
        result = density_result(labels)
        result["details"]["radius"] = radius
        return Clustering(title=f"DBSCAN, radius {radius:.4g}", dataset=data, **result)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Neighbours within the radius, at worst a tenth of all pairs."""
        n, d = data.n, data.d
        return Cost(
            bytes=n * n // 2 + 24 * n * d + (16 << 20),
            seconds=n * n * (2e-10 * d + 2e-9),
            alternatives=("use HDBSCAN, which keeps only a few neighbours of each item",),
        )
