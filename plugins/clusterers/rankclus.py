"""RankClus: groups and ranks of linked items that improve each other."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Field,
    Floats,
    Ints,
    Output,
    ParameterError,
    Ranking,
)
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.walks.links import matrix_of, require_links
from coterie.core.numerics.walks.rank_clusters import RankedGroups, rank_clusters
from coterie.core.wording import counted


class RankClus(Clusterer):
    """Rank within groups, then group by the ranks, again and again: a baseline for `joint`.

    What the members of a group link to is ranked; each item is a mixture of groups, by how well
    their ranks explain its links, and joins the group with the most similar mixtures. The best of
    several random starts is kept, by the likelihood of the links. Made for networks of two kinds of
    items, such as authors and journals; here similarities are links between items of one kind.
    Part: the ranks of the items within their groups.
    """

    id, title = "rankclus", "RankClus"
    curves = (
        Curve(
            "objective",
            "log-likelihood of the links",
            "Mean logarithm of the probability of a link, of this start.",
        ),
        Curve("support", "changed", "Number of items whose group changed."),
    )
    reference = (
        "Sun, Han, Zhao, Yin, Cheng, Wu (2009). RankClus: integrating clustering with ranking for "
        "heterogeneous information network analysis. EDBT."
    )
    needs = ("affinity",)

    class Params(Clusterer.Params):
        """How many groups, and how items are ranked."""

        k: int = Field(
            2, ge=1, description="Number of groups.", json_schema_extra={"slider": [1, 20]}
        )
        ranking: Literal["authority", "simple"] = Field(
            "authority",
            description="Rank what a group's members link to as authorities of the members, or by "
            "the sum of their links.",
        )
        restarts: int = Field(
            10,
            ge=1,
            description="Random partitions to start from; the likeliest result is kept.",
            json_schema_extra={"slider": [1, 50]},
        )
        max_iterations: int = Field(
            30,
            ge=1,
            description="Maximum number of rounds per start; the result reports when it was "
            "reached.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the groups with each item's mixture, and the ranks."""
        context.check()
        require_items(affinity)
        links = matrix_of(affinity)
        require_links(affinity, links)
        linked = np.asarray(links.sum(axis=1), dtype=np.float64).ravel() > 0
        if params.k > (most := int(linked.sum())):
            raise ParameterError(
                f"Parameter 'k' is {params.k}, but only {counted(most, 'item')} can be grouped. "
                f"Set k to {most} or less.",
                code="too-many-groups",
            )
        best, settled = _best(links, linked, params, context)
        labels = by_size(best.labels)
        order = [int(best.labels[labels == g][0]) for g in range(int(labels.max()) + 1)]
        scores = np.zeros(affinity.n)
        scores[linked] = best.begins[linked, best.labels[linked]]
        notes = [] if settled else [f"It stopped at the limit of {params.max_iterations} rounds."]
        if len(order) < params.k:
            notes.append(f"Groups found: {len(order)} instead of {params.k}.")
        if left := int((~linked).sum()):
            notes.append(f"Items without links, in no group: {left}.")
        main = Clustering(
            title="RankClus",
            dataset=affinity.dataset,
            labels=labels,
            membership=best.shares[:, order],
            notes=tuple(notes),
            details={
                "likelihood": best.likelihood,
                "weights": best.weights[order].tolist(),
                "converged": settled,
            },
        )
        ranks = Ranking(
            title="Ranks within the groups", dataset=affinity.dataset, scores=_shared(scores)
        )
        return Output(main, {"ranking": ranks})

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """The similarities once more, and their parts of each group some rows at a time."""
        size = int(affinity.sparse.nnz) if affinity.sparse is not None else affinity.n**2
        rounds = params.restarts * min(params.max_iterations, 10)
        return Cost(
            bytes=16 * size + (1 << 18) * 24 * params.k + 64 * affinity.n * params.k,
            seconds=rounds * size * (8e-8 * params.k + 3e-8),
            alternatives=("use a k-nearest-neighbour graph", "lower restarts"),
        )


def _best(
    links: Any, linked: Any, params: RankClus.Params, context: Context
) -> tuple[RankedGroups, bool]:
    """The likeliest result of all starts, and whether it came to rest."""
    best: RankedGroups | None = None
    settled = False
    shown = 0
    for start in range(params.restarts):
        context.progress(start, params.restarts, f"start {start + 1}")
        begun = _random_partition(linked, params.k, context.rng)
        for state in rank_clusters(
            links,
            begun,
            params.k,
            ranking=params.ranking,
            max_iterations=params.max_iterations,
            check=context.check,
        ):
            context.frame(
                shown,
                objective=state.likelihood,
                support=state.changed,
                phase=f"start {start + 1}",
                labels=state.labels,
            )
            shown += 1
        whole = len(np.unique(state.labels[linked])) == params.k
        if best is None or (whole, state.likelihood) > (
            len(np.unique(best.labels[linked])) == params.k,
            best.likelihood,
        ):
            best, settled = state, state.changed == 0
    context.progress(1, 1, "done")
    assert best is not None
    return best, settled


def _random_partition(linked: Any, k: int, rng: np.random.Generator) -> Ints:
    """Groups of nearly equal size, at random."""
    items = rng.permutation(np.flatnonzero(linked))
    labels = np.full(len(linked), -1, dtype=np.int64)
    labels[items] = np.arange(len(items)) % k
    return labels


def _shared(scores: Floats) -> Floats:
    return np.asarray(scores / scores.sum()) if scores.sum() > 0 else scores
