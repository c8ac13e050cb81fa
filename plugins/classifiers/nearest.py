"""Classify by the nearest labelled items."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Classifier,
    Clustering,
    Context,
    Cost,
    Dataset,
    Field,
    Model,
    Ranking,
)
from coterie.core.numerics.partitions.training import training_items
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares
from coterie.core.numerics.similarity.nearest import NearestGroup, vote_of_nearest


class Nearest(Classifier):
    """The group of the nearest training item, or the majority of the nearest ones.

    Distances are Euclidean; what is compared in float32 is compared again in float64 wherever that
    could make a difference. Of groups with as many neighbours the nearest one is taken.
    """

    id, title = "nearest", "Nearest neighbour"
    reference = "Cover, Hart (1967). Nearest neighbor pattern classification. IEEE TIT 13(1)."

    class Params(Classifier.Params):
        """How many neighbours."""

        neighbours: int = Field(
            1,
            ge=1,
            description="Number of nearest items that decide (k).",
            json_schema_extra={"slider": [1, 25]},
        )

    def compute(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Model:
        """Return the items to compare with, and their groups."""
        context.check()
        X = data.dense_features()
        require_squares(X)
        chosen = training_items(data, clustering, ranking, top_per_cluster=params.top_per_cluster)
        return Model(
            title=f"{len(chosen.items)} labelled items in {chosen.k} groups",
            dataset=data,
            arrays={"samples": X[chosen.items], "labels": chosen.labels},
            settings={
                "k": chosen.k,
                "names": list(clustering.names),
                "columns": list(data.columns),
                "neighbours": params.neighbours,
            },
        )

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each new item."""
        context.check()
        samples = np.asarray(model.arrays["samples"])
        labels = np.asarray(model.arrays["labels"])
        require_columns(data, samples.shape[1])
        X, k = data.clean_features(), int(model.settings["k"])
        X = data.dense_features() if hasattr(X, "tocsr") else X
        require_squares(X)
        neighbours = int(model.settings.get("neighbours", 1))
        if neighbours == 1:
            near = NearestGroup(samples, labels)
            found = near.labels_of(X, check=context.check, workers=context.workers)
        else:
            found = vote_of_nearest(X, samples, labels, k, neighbours, context.check)
        return Clustering(
            title="Nearest neighbour",
            dataset=data,
            labels=found,
            names=tuple(str(name) for name in model.settings.get("names", ())),
        )

    def estimate(
        self,
        data: Dataset,
        clustering: Clustering,
        ranking: Ranking | None = None,
        *,
        params: Params,
    ) -> Cost:
        """A copy of the items."""
        return Cost(bytes=16 * data.n * data.d, seconds=1e-8 * data.n * data.d)
