"""Agglomerative clustering: the two nearest groups are merged, again and again."""

from __future__ import annotations

from typing import Literal

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
)
from coterie.core.numerics.partitions.groups import require_groups
from coterie.core.numerics.partitions.linkage import (
    longest_lifetime,
    merges_of_affinity,
    merges_of_features,
)
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.similarity.distances import require_squares


class Agglomerative(Clusterer):
    """Merge the two nearest groups until k are left, starting from single items.

    Of data by Euclidean distance, of similarities by how far they are below the largest. With k 0
    the number of groups is the one that lasts longest while the distance of merging grows. Takes
    n² / 2 distances, except for single linkage of a sparse graph.
    """

    id, title = "agglomerative", "Agglomerative"
    reference = "Ward (1963). Hierarchical grouping to optimize an objective function. JASA 58."
    needs = ("dataset|affinity",)

    class Params(Clusterer.Params):
        """The number of groups, and how the distance between two groups is measured."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0 chooses the number that persists over the "
            "longest range.",
            json_schema_extra={"slider": [0, 20]},
        )
        linkage: Literal["ward", "average", "complete", "single"] = Field(
            "ward",
            description="Distance between two groups: the growth of the sum of squares (data "
            "only), or "
            "the mean, largest or smallest distance between their members.",
        )

    def compute(
        self, source: Dataset | Affinity, *, params: Params, context: Context
    ) -> Clustering:
        """Return the groups, with the heights of the last merges."""
        context.check()
        if isinstance(source, Dataset):
            X = source.dense_features()
            require_groups(params.k, source.n)
            require_squares(X)
            merges = merges_of_features(X, params.linkage)
            dataset: Dataset | None = source
        else:
            require_groups(params.k, source.n)
            require_items(source)
            if not source.symmetric:
                raise DataError(
                    "Merging needs symmetric similarities, and these are directed. Put "
                    "graph/symmetrise before this step.",
                    offer=("graph/symmetrise",),
                    code="not-symmetric",
                )
            merges = merges_of_affinity(source, params.linkage)
            dataset = source.dataset
        context.progress(1, 2, "merged")
        k = params.k or longest_lifetime(merges.heights)
        labels = merges.labels(k)
        context.progress(1, 1, "done")
        notes = (
            (f"{k} {'group lasts' if k == 1 else 'groups last'} longest.",) if not params.k else ()
        )
        return Clustering(
            title=f"Agglomerative, {params.linkage} linkage",
            dataset=dataset,
            labels=labels,
            notes=notes,
            details={
                "k": k,
                "linkage": params.linkage,
                "last_heights": merges.heights[-30:].tolist(),
            },
        )

    def estimate(self, source: Dataset | Affinity, *, params: Params) -> Cost:
        """Half of all distances, twice, as the merging changes them."""
        n = source.n
        if (
            isinstance(source, Affinity)
            and source.sparse is not None
            and params.linkage == "single"
        ):
            return Cost(
                bytes=60 * int(source.sparse.nnz) + 100 * n, seconds=1e-6 * source.sparse.nnz
            )
        return Cost(
            bytes=8 * n * n + (8 * n * n if isinstance(source, Affinity) else 0) + (1 << 20),
            seconds=3e-8 * n * n,
            alternatives=('use linkage = "single" on a k-nearest-neighbour graph',),
        )
