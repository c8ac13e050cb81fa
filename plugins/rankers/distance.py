"""Rank by plain distance, to compare other rankings with."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, Cost, Dataset, Ranker, Ranking
from coterie.core.api.ranking_scope import ScopedParams, find_scope
from coterie.core.numerics.mixed.columns import item_weights
from coterie.core.numerics.similarity.distances import require_squares


class Distance(Ranker):
    """Order the items by Euclidean distance from the centre of the seed, nearest first.

    The seed is the whole set, a group, or the chosen items; one chosen item is its own middle. A
    column of weights is heeded. The score is the distance below zero.
    """

    id, title = "distance", "Distance"
    needs = ("dataset", "clustering?")
    weighs_items = True

    class Params(ScopedParams):
        """What distances are measured from."""

    def compute(
        self,
        data: Dataset,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return distances below zero as scores, and the order of the items in scope."""
        context.check()
        X = data.dense_features()
        require_squares(X)
        scope = find_scope(params, data.n, clustering, data)
        scores = np.empty((data.n, len(scope.seeds)))
        for column, shares in enumerate(scope.seed_vectors(item_weights(data)).T):
            context.progress(column, len(scope.seeds), "distances")
            scores[:, column] = 0.0 - np.linalg.norm(X - shares @ X, axis=1)
        return scope.ranking(
            scores,
            title="Distance",
            dataset=data,
            nothing=float(scores.min(initial=0.0)),
        )

    def estimate(
        self, data: Dataset, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """A copy or two of the features, and a score for each seed."""
        seeds = 1 if clustering is None else max(1, clustering.k)
        return Cost(bytes=8 * data.n * (3 * data.d + seeds), seconds=4e-9 * data.n * data.d * seeds)
