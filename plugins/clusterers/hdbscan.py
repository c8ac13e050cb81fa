"""HDBSCAN: groups of high density that last while the density rises."""

from __future__ import annotations

from typing import Literal

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.density.density_params import TreeParams, density_result
from coterie.core.numerics.density.tree import density_tree, nearest_group_fill


class HDBSCAN(Clusterer):
    """Groups are regions of high density that stay together longest as the density rises.

    The number of groups is found; items where it is sparse stay in no group (label −1) unless
    `rest` is 'nearest'. Groups may have any shape and different densities. The tree is Coterie's
    own: exact up to 4,000 items, of more on the graph of nearest neighbours. Equal distances count
    as one level, so results may differ from other programs in a few items. Dense or sparse
    features; no n × n matrix.
    """

    id, title = "hdbscan", "HDBSCAN"
    reference = (
        "Campello, Moulavi, Sander (2013). Density-based clustering based on hierarchical density "
        "estimates. PAKDD."
    )
    needs = ("dataset",)

    class Params(TreeParams):
        """How large a group must be, and how density is measured."""

        selection: Literal["mass", "leaf"] = Field(
            "mass",
            description="Groups with the largest excess of mass, or the smallest ones, which "
            "never split.",
        )
        rest: Literal["none", "nearest"] = Field(
            "none", description="Leave noise unassigned, or give it the group of the nearest item."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the groups, with the strength of each item in its own as details."""
        context.check()
        X = data.clean_features()
        min_size = params.least_size(data.n)
        tree = density_tree(
            X,
            params.min_samples,
            metric=params.metric,
            check=context.check,
            progress=lambda done, total, word: context.progress(0.6 * done, total, word),
        )
        context.progress(0.9, 1, "groups")
        found = tree.groups(min_size, params.selection)
        result = density_result(found.labels)
        labels = result["labels"]
        if params.rest == "nearest":
            labels = nearest_group_fill(X, labels, check=context.check)
        return Clustering(
            title="HDBSCAN",
            dataset=data,
            labels=labels,
            notes=(*result["notes"], *tree.neighbours.notes),
            details={
                **result["details"],
                "min_size": min_size,
                "exact": tree.exact and not tree.neighbours.measured_on,
                "mean_strength": float(found.strengths.mean()),
            },
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Neighbours, and some arrays over the tree."""
        return params.cost(data.n, data.d)
