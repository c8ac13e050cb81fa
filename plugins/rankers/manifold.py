"""Ranking on data manifolds: scores spread from the query along the graph."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Affinity,
    Clustering,
    Context,
    Cost,
    Curve,
    Field,
    Floats,
    Ranker,
    Ranking,
)
from coterie.core.api.ranking_scope import ScopedParams, find_scope
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.walks.markov import require_nonnegative
from coterie.core.numerics.walks.pagerank import (
    discounted_sum,
    rounds_shown,
    spread_by_steps,
    walking_cost,
)


class Manifold(Ranker):
    """Order the items by the score that spreads to them from the query along the graph.

    f = (1 − a)(I − aS)⁻¹ y with S = D^−½ W D^−½, W the similarities with a diagonal of zero, and y
    one for each item of the query. Here a, the spread, is the weight of the graph: the opposite of
    PageRank's restart.
    """

    id, title = "manifold", "Manifold ranking"
    curves = (
        Curve(
            "residual",
            "residual",
            "How far the scores are from satisfying their equation; falls to the tolerance.",
            log=True,
        ),
        Curve(
            "support",
            "items reached",
            "Effective number of items that share the scores.",
        ),
    )
    reference = "Zhou et al. (2004). Ranking on data manifolds. NIPS 16."

    class Params(ScopedParams):
        """How far scores spread, and from where."""

        spread: float = Field(
            0.99,
            ge=0,
            lt=1,
            description="Weight of the graph against the query, α in the source.",
            json_schema_extra={"slider": [0.01, 0.999]},
        )

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return the scores, and the order of the items in scope."""
        context.check()
        scope = find_scope(params, affinity.n, clustering, affinity.dataset)
        require_items(affinity)
        require_nonnegative(affinity)
        own = affinity.diagonal().astype(np.float64)
        degrees = np.asarray(affinity.degrees(), dtype=np.float64) - own
        # What is left of a factor's degrees may be rounding.
        alone = degrees <= 1e-12 * max(float(own.max()), float(degrees.max()))
        root = np.sqrt(np.where(alone, 1.0, degrees))[:, None]

        def product(x: Floats) -> Floats:
            inside = x / root
            inside[alone] = 0.0
            result = (affinity.matvec(inside) - own[:, None] * inside) / root
            result[alone] = 0.0
            return np.asarray(result, dtype=np.float64)

        query = (scope.seed_vectors() > 0).astype(np.float64)
        solve = discounted_sum if affinity.symmetric else spread_by_steps
        found = solve(
            product,
            (1.0 - params.spread) * query,
            params.spread,
            tolerance=1e-10 * max(map(len, scope.seeds), default=1),
            watch=rounds_shown(context),
        )
        return scope.ranking(
            found.scores,
            title="Manifold ranking",
            dataset=affinity.dataset,
            notes=found.notes,
            details={"spread": params.spread, "alone": int(alone.sum()), **found.summary},
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """Some vectors for each seed, and up to some hundred products."""
        seeds = 1 if clustering is None else max(1, clustering.k)
        return walking_cost(affinity, seeds, rounds=200)
