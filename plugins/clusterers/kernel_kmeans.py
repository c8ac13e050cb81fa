"""Kernel k-means: k-means of similarities."""

from __future__ import annotations

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Field,
    Ints,
)
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.kernel_kmeans import KernelRound, kernel_kmeans, spread_labels
from coterie.core.numerics.partitions.kmeans import MEANS_CURVES, MeansParams
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.wording import counted


class KernelKMeans(Clusterer):
    """k-means in the space whose inner products are the given similarities, from many starts.

    No mean is ever formed: each round is one product of the similarities with the memberships.
    Similarities of very different size pull groups to the large ones: normalise first. The best of
    all starts is shown round by round. Dense, sparse or factored; the diagonal counts as given.
    """

    id, title = "kernel-kmeans", "Kernel k-means"
    curves = MEANS_CURVES
    reference = (
        "Dhillon, Guan, Kulis (2004). Kernel k-means, spectral clustering and normalized cuts. KDD."
    )

    class Params(MeansParams):
        """How many groups, from how many starts."""

        restarts: int = Field(
            20,
            ge=1,
            description="Number of spread starts (k-means++); the best one is kept; each costs "
            "more than with ordinary k-means.",
            json_schema_extra={"slider": [1, 200], "advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Return the best grouping of all starts."""
        context.check()
        require_groups(params.k, affinity.n)
        require_items(affinity)
        if not affinity.symmetric:
            raise DataError(
                "Kernel k-means needs symmetric similarities, and these are directed. Put "
                "graph/symmetrise before this step.",
                offer=("graph/symmetrise",),
                code="not-symmetric",
            )
        objectives, best, chosen = [], None, None
        for number in range(params.restarts):
            context.progress(0.9 * number / params.restarts, 1, f"start {number + 1}")
            start = spread_labels(affinity, params.k, context.rng)
            last = self._last(affinity, start, params, context)
            objectives.append(last.objective)
            if best is None or last.objective < best.objective:
                best, chosen = last, start
        assert chosen is not None
        rounds = kernel_kmeans(affinity, chosen, params.k, max_iterations=params.max_iterations)
        for number, state in enumerate(rounds):
            context.frame(
                number,
                objective=state.objective,
                residual=state.moved,
                support=params.k,
                phase="best start",
                labels=state.labels,
            )
        context.progress(1, 1, "done")
        notes = () if state.settled else ("Some items still moved at the limit of rounds.",)
        least = min(objectives)
        return Clustering(
            title=f"Kernel k-means, {counted(params.k, 'group')}",
            dataset=affinity.dataset,
            labels=state.labels,
            notes=notes,
            details={
                "objective": state.objective,
                "restarts": params.restarts,
                "restarts_that_agree": sum(o <= least + 1e-9 * abs(least) for o in objectives),
                "worst_objective": max(objectives),
                "settled": state.settled,
            },
        )

    @staticmethod
    def _last(affinity: Affinity, start: Ints, params: Params, context: Context) -> KernelRound:
        *_, last = kernel_kmeans(
            affinity,
            start,
            params.k,
            max_iterations=params.max_iterations,
            check=context.check,
        )
        return last

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Memberships and distances to the means."""
        n, k = affinity.n, params.k
        entries = affinity.stored.nnz if affinity.form == "sparse" else affinity.stored.size
        return Cost(
            bytes=48 * n * k + 64 * n,
            seconds=params.restarts * 15 * k * (1e-9 * int(entries) + 1e-8 * n),
        )
