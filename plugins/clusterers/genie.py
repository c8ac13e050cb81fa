"""Genie: single linkage that keeps the sizes of groups from growing apart."""

from __future__ import annotations

import numpy as np

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.partitions.genie import genie_joins, groups_after, spanning_tree
from coterie.core.numerics.partitions.groups import by_size, require_groups
from coterie.core.numerics.similarity.distances import require_squares


class Genie(Clusterer):
    """Merge nearest groups, but the smallest first when group sizes become too unequal.

    All joins are edges of the minimum spanning tree of the items. Above a Gini index of the sizes
    the smallest group joins its nearest; below, the two nearest groups join, as in single linkage.
    Follows shapes as single linkage does, and outliers do not become groups of their own.
    """

    id, title = "genie", "Genie"
    reference = (
        "Gagolewski, Bartoszuk, Cena (2016). Genie: a new, fast, and outlier-resistant "
        "hierarchical clustering algorithm. Information Sciences 363."
    )
    needs = ("dataset",)

    class Params(Clusterer.Params):
        """How many groups, and how equal."""

        k: int = Field(
            2, ge=1, description="Number of groups.", json_schema_extra={"slider": [1, 20]}
        )
        gini: float = Field(
            0.3,
            ge=0,
            le=1,
            description="Gini index of the group sizes above which the smallest group is merged "
            "next; 1 is single linkage.",
            json_schema_extra={"slider": [0.0, 1.0]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups."""
        X = data.dense_features()
        require_groups(params.k, data.n)
        require_squares(X)
        context.progress(0, 2, "spanning tree")
        edges, lengths = spanning_tree(X, context.check)
        context.progress(1, 2, "joining")
        joins = genie_joins(edges, data.n, params.gini, context.check)
        labels = by_size(groups_after(edges, joins, data.n, params.k))
        context.progress(2, 2, "done")
        left = lengths[np.sort(joins[data.n - params.k :])]
        return Clustering(
            title=f"Genie (Gini index {params.gini:g})",
            dataset=data,
            labels=labels,
            details={"k": params.k, "gini": params.gini, "distances_not_joined": left.tolist()},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """All distances, none of them kept."""
        return Cost(bytes=200 * data.n + 24 * data.n * data.d, seconds=3e-9 * data.n**2 * data.d)
