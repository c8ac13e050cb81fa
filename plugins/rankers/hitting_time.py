"""Rank by hitting time: what a walk from the seed meets soonest."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Clustering, Context, Cost, DataError, Field, Ranker, Ranking
from coterie.core.api.ranking_scope import ScopedParams, find_scope
from coterie.core.numerics.walks.hitting import hitting_times
from coterie.core.numerics.walks.item_weights import weighed
from coterie.core.numerics.walks.markov import random_walk


class HittingTime(Ranker):
    """Order the items by how soon a random walk from the seed first meets them.

    The score is the mean number of steps from the items of the seed, below zero. The first of a
    group is its destination, as in clustering by hitting times. Needs the dense n × n matrix.
    """

    id, title = "hitting-time", "Hitting time"
    weighs_items = True
    reference = "Aldous, Fill (2002). Reversible Markov Chains and Random Walks on Graphs."

    class Params(ScopedParams):
        """Where the walk starts, and whether it jumps."""

        teleport: float = Field(
            1e-4,
            ge=0,
            le=1,
            description="Probability per step of a jump to a random item, which lets the walk "
            "reach every item.",
            json_schema_extra={"slider": [1e-6, 0.5], "log": True},
        )

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return steps below zero as scores, and the order of the items in scope."""
        context.check()
        scope = find_scope(params, affinity.n, clustering, affinity.dataset)
        graph, shares = weighed(affinity)
        if shares is not None and (none := np.flatnonzero(shares == 0)).size:
            raise DataError(
                f"The walk never reaches an item of weight 0, such as item {none[0] + 1}. Leave "
                "these items out, or give the column of weights another role.",
                code="not-connected",
            )
        walk = random_walk(graph, teleport=params.teleport, home=shares)
        H, _ = hitting_times(walk, check=context.check)
        context.check()
        scores = 0.0 - H.T @ scope.seed_vectors(shares)
        return scope.ranking(
            scores,
            title="Hitting time",
            dataset=affinity.dataset,
            nothing=float(scores.min(initial=0.0)),
            notes=(f"The walk jumps to any item with probability {params.teleport:g}.",)
            if params.teleport
            else (),
            details={"teleport": params.teleport},
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """Two dense matrices, and an inversion."""
        n = affinity.n
        return Cost(
            bytes=24 * n * n,
            seconds=1e-10 * n**3,
            alternatives=("use personalised PageRank",),
        )
