"""Stationary distribution: where a walk on the graph is found in the long run."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Clustering,
    Context,
    Cost,
    Field,
    Floats,
    Ints,
    Ranker,
    Ranking,
)
from coterie.core.api.ranking_scope import ScopedParams, find_scope
from coterie.core.numerics.walks.item_weights import weighed
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.stationary import stationary


class Stationary(Ranker):
    """Order the items by how often a walk along the similarities visits them in the long run.

    For symmetric similarities that is the degree over the sum of all, d / Vol: of a Gaussian kernel
    a density. For a directed graph it is the left eigenvector of P. In a group, or relative to
    chosen items, the walk stays among these; items outside score by what would flow into them in
    one step.
    """

    id, title = "stationary", "Stationary distribution"
    weighs_items = True
    reference = "Chung (1997). Spectral Graph Theory. AMS."

    class Params(ScopedParams):
        """What to rank, and whether the walk jumps."""

        teleport: float = Field(
            0.0,
            ge=0,
            lt=1,
            description="Probability per step of a jump to a random item, for directed graphs in "
            "several parts.",
            json_schema_extra={"slider": [0.0, 0.5], "advanced": True},
        )

    def compute(
        self,
        affinity: Affinity,
        clustering: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Ranking:
        """Return the long-run shares, and the order of the items in scope."""
        context.check()
        scope = find_scope(params, affinity.n, clustering, affinity.dataset)
        graph, shares = weighed(affinity)
        walk = random_walk(graph)  # says what is wrong with the similarities
        columns = []
        for done, members in enumerate(scope.seeds):
            context.progress(done, len(scope.seeds), "long-run shares")
            if affinity.symmetric and params.teleport == 0:
                columns.append(_degree_shares(graph, members))
            else:
                home = None if shares is None else shares[members]
                columns.append(_directed_shares(graph, members, home, params.teleport, context))
        scores = np.column_stack(columns) if columns else np.zeros((affinity.n, 0))
        return scope.ranking(
            scores,
            title="Stationary distribution",
            dataset=affinity.dataset,
            details={"dangling": len(walk.dangling), "teleport": params.teleport},
        )

    def estimate(
        self, affinity: Affinity, clustering: Clustering | None = None, *, params: Params
    ) -> Cost:
        """Vectors; a directed graph needs a linear system, dense for a dense graph."""
        n = affinity.n
        seeds = 1 if clustering is None else max(1, clustering.k)
        system = 0
        if not (affinity.symmetric and params.teleport == 0) and affinity.sparse is None:
            system = 24 * n * n
        return Cost(
            bytes=64 * n * seeds + system,
            seconds=2e-9 * affinity.stored.size + (1e-10 * n**3 if system else 0.0),
            alternatives=("use a k-nearest-neighbour graph",),
        )


def _degree_shares(affinity: Affinity, members: Ints) -> Floats:
    """Similarity to the members, over its sum among them."""
    inside = np.zeros(affinity.n)
    inside[members] = 1.0
    degrees = np.maximum(np.asarray(affinity.matvec(inside), dtype=np.float64), 0.0)
    volume = float(degrees[members].sum())
    return degrees / volume if volume > 0 else np.zeros(affinity.n)


def _directed_shares(
    affinity: Affinity, members: Ints, home: Floats | None, teleport: float, context: Context
) -> Floats:
    whole = len(members) == affinity.n
    inside = affinity if whole else affinity.submatrix(members)
    if home is not None:
        home = home / home.sum() if home.any() else None
    walk = random_walk(inside, teleport=teleport, home=home)
    shares = stationary(walk, check=context.check)
    result = np.zeros(affinity.n)
    if not whole:
        result[members] = np.where(np.isin(np.arange(walk.n), walk.dangling), 0.0, shares)
        result[members] /= walk.degrees
        stored: Any = affinity.stored
        flows = affinity.matvec(result) if affinity.factor is not None else stored.T @ result
        result = np.asarray(flows, dtype=np.float64)
    result[members] = shares
    return result
