"""PageRank: where a walk is found most often that now and then begins anew."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core import Affinity, Clustering, Context, Cost, Field, Ranker, Ranking, hookimpl
from coterie.core.markov import random_walk
from coterie.core.restarts import personalised_pagerank, rounds_shown, walking_cost
from coterie.core.scopes import ScopedParams, find_scope


class PageRank(Ranker):
    """Order the items by how often a walk visits them that jumps to a random item now and then.

    From an item without an edge the walk goes to any item alike. Scores sum to one. In a group, or
    relative to chosen items, the jumps lead to these alone.
    """

    id, title = "pagerank", "PageRank"
    curves = ("", "residual", "")
    reference = (
        "Brin, Page (1998). The anatomy of a large-scale hypertextual Web search engine. "
        "Computer Networks 30."
    )

    class Params(ScopedParams):
        """How often the walk jumps, and where to."""

        restart_probability: float = Field(
            0.15,
            gt=0,
            le=1,
            description="Chance α of a jump in every step.",
            json_schema_extra={"slider": [0.01, 0.99]},
        )

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return how often each item is visited, and the order of the items in scope."""
        context.check()
        scope = find_scope(params, affinity.n, clustering, affinity.dataset)
        walk = random_walk(affinity)
        found = personalised_pagerank(
            walk,
            scope.seed_vectors(),
            params.restart_probability,
            dangling="uniform",
            watch=rounds_shown(context),
        )
        return scope.ranking(
            found.scores,
            title="PageRank",
            dataset=affinity.dataset,
            notes=found.notes,
            details={
                "restart_probability": params.restart_probability,
                "dangling": len(walk.dangling),
                **found.summary,
            },
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """Some vectors for each seed, and a few dozen products."""
        seeds = 1 if clustering is None else max(1, clustering.k)
        return walking_cost(affinity, seeds)


@hookimpl
def coterie_rankers() -> Sequence[type[Ranker]]:
    """Offer PageRank."""
    return [PageRank]
