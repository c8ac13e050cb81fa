"""Nearest-neighbour Bayes: the group that is densest around a new item."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Clustering,
    Context,
    Dataset,
    Field,
    Floats,
    Model,
)
from coterie.core.numerics.partitions.sample_bayes import SampleBayes, least_loss
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares, row_blocks
from coterie.core.numerics.similarity.neighbours import nearest_neighbours


class NearestBayes(SampleBayes):
    """Give an item to the group of largest posterior, by the groups of its nearest neighbours.

    The ball that holds the K nearest training items gives a density of each group; with priors by
    the sample the posterior is K_group / K. The shares are kept as memberships. Of equal shares
    the group of the nearest item among them is taken.
    """

    id, title = "nearest-bayes", "Nearest-neighbour Bayes"
    reference = "Cover, Hart (1967). Nearest neighbor pattern classification. IEEE TIT 13(1)."

    class Params(SampleBayes.Params):
        """How many neighbours."""

        neighbours: int = Field(
            10,
            ge=1,
            description="Number of nearest training items K; all of them when there are fewer.",
            json_schema_extra={"slider": [1, 50]},
        )

    def settled(self, X: Floats, params: Params) -> dict[str, int]:
        """Return the number of neighbours there are."""
        return {"neighbours": min(params.neighbours, len(X))}

    def apply(self, model: Model, data: Dataset, context: Context) -> Clustering:
        """Return the group of each item, and its share in each."""
        samples, labels = (np.asarray(model.arrays[name]) for name in ("samples", "labels"))
        require_columns(data, samples.shape[1])
        X = data.dense_features()
        require_squares(X)
        context.check()
        k, neighbours = int(model.settings["k"]), int(model.settings["neighbours"])
        weights = np.ones(k)
        if model.settings["priors"] == "equal":
            weights = 1.0 / np.maximum(np.bincount(labels, minlength=k), 1)
        nearest = nearest_neighbours(X, neighbours, among=samples, check=context.check).indices
        shares, found = np.empty((data.n, k)), np.empty(data.n, dtype=np.int64)
        for rows in row_blocks(data.n, len(samples)):
            context.check()
            near = labels[nearest[rows]]
            votes = (near[:, :, None] == np.arange(k)).sum(axis=1) * weights
            shares[rows] = votes / votes.sum(axis=1, keepdims=True)
            most = votes >= votes.max(axis=1, keepdims=True) * (1 - 1e-12)
            # The first neighbour, nearest first, whose group has the most votes.
            first = np.take_along_axis(most, near, axis=1).argmax(axis=1)
            found[rows] = near[np.arange(len(near)), first]
        if loss := model.settings.get("loss"):
            found = least_loss(shares, loss)
        return Clustering(
            title="Nearest-neighbour Bayes",
            dataset=data,
            labels=found,
            membership=shares,
            names=tuple(str(name) for name in model.settings.get("names", ())),
            details={"neighbours": neighbours, "trained_on": len(samples)},
        )
