"""Personalised PageRank: where a walk is found that keeps coming back to its seed."""

from __future__ import annotations

import numpy as np

from coterie.core import Context, DataError, Field, Floats, ParameterError
from coterie.core.numerics.walks.local_push import push
from coterie.core.numerics.walks.markov import Walk
from coterie.core.numerics.walks.pagerank import RestartRanker, Visits


class PersonalisedPageRank(RestartRanker):
    """Order the items by how often a random walk that keeps restarting at the seed visits them.

    The scores π = α (I − (1 − α) Pᵀ)⁻¹ s sum to one; the seed s is uniform over the whole set, a
    group, or the chosen items. From an item without an edge the walk goes back to the seed. With an
    `accuracy` only what is near the seed is visited: what a query costs does not grow with n.
    """

    id, title = "personalised-pagerank", "Personalised PageRank"
    reference = "Haveliwala (2002). Topic-sensitive PageRank. WWW."
    dangling = "seed"

    class Params(RestartRanker.Params):
        """How often the walk begins again, where, and how exact the scores are to be."""

        accuracy: float = Field(
            0.0,
            ge=0,
            lt=1,
            description="On a sparse graph, largest error of a score, times degree / mean "
            "degree; only items near the seed are visited. 0: exact.",
            json_schema_extra={"slider": [1e-9, 1e-3], "log": True, "advanced": True},
        )

    def visits(
        self, walk: Walk, seeds: Floats, params: RestartRanker.Params, context: Context
    ) -> Visits:
        """Return the scores of each seed, exact or as near as was asked for."""
        accuracy = params.accuracy if isinstance(params, PersonalisedPageRank.Params) else 0.0
        if not accuracy:
            return super().visits(walk, seeds, params, context)
        if walk.affinity.sparse is None:
            raise DataError(
                "An accuracy above 0 saves work on sparse graphs only. Set accuracy to 0, or make "
                "a graph of neighbours first.",
                code="sparse-needed",
            )
        found = []
        for number, seed in enumerate(seeds.T):
            context.progress(number, seeds.shape[1], "walking")
            found.append(
                push(walk, seed, params.restart_probability, accuracy, check=context.check)
            )
        if not all(one.scores.any() for one in found):
            raise ParameterError(
                f"An accuracy of {accuracy:g} is too coarse: no item was visited, because the "
                "probability at each seed is smaller. Set accuracy well below 1 / the number of "
                "seeds, or to 0.",
                code="invalid-parameters",
            )
        scores = np.column_stack([one.scores / one.scores.sum() for one in found])
        waiting = max(one.waiting for one in found)
        rounds = max(one.rounds for one in found)
        return Visits(
            scores,
            waiting,
            rounds,
            True,
            {"reached": [one.reached for one in found], "edges": [one.edges for one in found]},
        )
