"""Consensus: groups that many partitions agree on."""

from __future__ import annotations

from typing import Literal

from coterie.core import Affinity, Clusterer, Clustering, Context, Cost, DataError, Field
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.linkage import longest_lifetime, merges_of_affinity
from coterie.core.numerics.similarity.affinity_ops import require_items


class Consensus(Clusterer):
    """Merge items by how many partitions put them together (evidence accumulation).

    Takes the share of partitions that put two items together (kernel/cluster), or any symmetric
    similarity. With k 0 the number of groups is the one that lasts longest while agreement is
    asked for less and less. A sparse graph with single linkage needs no n × n matrix.
    """

    id, title = "consensus", "Consensus"
    reference = "Fred, Jain (2005). Combining multiple clusterings. IEEE PAMI 27(6)."

    class Params(Clusterer.Params):
        """The number of groups, and how the agreement between two groups is measured."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0 chooses the number that persists over the "
            "longest range.",
            json_schema_extra={"slider": [0, 20]},
        )
        linkage: Literal["single", "average"] = Field(
            "single",
            description="Agreement between two groups: that of their best pair, or the mean "
            "over all pairs.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Return the groups, with the agreement at which the last merges happened."""
        context.check()
        require_groups(params.k, affinity.n)
        require_items(affinity)
        if not affinity.symmetric:
            raise DataError(
                "A consensus needs symmetric similarities, and these are directed. Put "
                "graph/symmetrise before this step.",
                offer=("graph/symmetrise",),
                code="not-symmetric",
            )
        merges = merges_of_affinity(affinity, params.linkage)
        context.progress(1, 2, "merged")
        k = params.k or longest_lifetime(merges.heights)
        labels = merges.labels(k)
        context.progress(1, 1, "done")
        return Clustering(
            title=f"Consensus, {params.linkage} linkage",
            dataset=affinity.dataset,
            labels=labels,
            notes=(f"{k} {'group lasts' if k == 1 else 'groups last'} longest.",)
            if not params.k
            else (),
            details={
                "k": k,
                "linkage": params.linkage,
                "last_heights": merges.heights[-30:].tolist(),
            },
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Half of all distances, twice, as the merging changes them."""
        n = affinity.n
        if affinity.sparse is not None and params.linkage == "single":
            edges = int(affinity.sparse.nnz)
            return Cost(bytes=60 * edges + 100 * n, seconds=1e-6 * edges)
        return Cost(
            bytes=16 * n * n + (1 << 20),
            seconds=3e-8 * n * n,
            alternatives=(
                'use linkage = "single" on a sparse graph',
                "take a sample of the items",
            ),
        )
