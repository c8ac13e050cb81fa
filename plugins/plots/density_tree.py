"""Density tree: how groups of high density split as the distance shrinks."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Clustering,
    Context,
    Cost,
    DataError,
    Dataset,
    Field,
    Figure,
    Ints,
    Plot,
)
from coterie.core.model.arrays import Matrix, is_sparse
from coterie.core.numerics.density.density_params import TreeParams
from coterie.core.numerics.density.tree import density_tree
from coterie.core.numerics.partitions.tree_figures import (
    leaf_groups,
    leaf_names,
    nested_tree,
)
from coterie.core.numerics.similarity.nearest import nearest_of_few
from coterie.core.numerics.similarity.neighbours import nearest_neighbours


class DensityTreePlot(Plot):
    """The tree of density groups: each branching is a group that splits in two.

    At a distance, the groups are the items that are joined by steps of mutual reachability no
    longer than it, at least `min_size` of them. Cut the tree at a distance to make them groups;
    items that are in none of them there stay in no group. Of many items the tree is that of a
    sample, and each other item goes with the nearest of those.
    """

    id, title, version = "density-tree", "Density tree", "2"
    reference = (
        "Campello, Moulavi, Sander (2013). Density-based clustering based on hierarchical density "
        "estimates. PAKDD."
    )
    needs = ("dataset", "clustering?")
    draws = ("clusterer/hdbscan", "clusterer/optics", "clusterer/dbscan")

    class Params(TreeParams):
        """How large a group must be, and how density is measured."""

        most: int = Field(
            5000,
            ge=10,
            description="Maximum number of items whose density is measured.",
            json_schema_extra={"slider": [1000, 50_000], "log": True},
        )

    def compute(
        self,
        data: Dataset,
        groups: Clustering | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Figure:
        """Return the tree, its leaves in the colours of the groups."""
        context.check()
        X = data.clean_features()
        if data.n < 2:
            raise DataError(
                "A density tree needs two items or more. There is 1.", code="too-few-items"
            )
        if groups is not None and groups.n != data.n:
            raise DataError(
                f"The groups have {groups.n} items, the data {data.n}. Choose groups of the same "
                f"items.",
                code="items-mismatch",
            )
        some, goes_with = _sample(X, params.most, context)
        drawn = len(some)
        min_size = params.least_size(data.n)
        least = max(2, round(min_size * drawn / data.n))
        tree = density_tree(
            X[some],
            params.min_samples,
            metric=params.metric,
            check=context.check,
            progress=lambda done, total, word: context.progress(0.9 * done, total, word),
        )
        found = tree.condensed(least)
        heights = 1.0 / np.maximum(found.deaths, np.finfo(float).tiny)
        inside = np.flatnonzero(found.parents >= 0)
        heights[found.parents[inside]] = 1.0 / found.births[inside]
        own = _items_by(found.group_of[goes_with], len(heights))
        parts = nested_tree(found.parents, heights, own)
        levels = 1.0 / np.maximum(found.leaves[goes_with], np.finfo(float).tiny)
        items, starts = parts["items"], parts["starts"]
        return Figure(
            form="tree",
            **parts,
            levels=levels[items],
            rows=leaf_names(items, starts, data),
            **leaf_groups(groups, items, starts),
            dataset=data,
            axes=("groups", "mutual reachability distance"),
            notes=(
                f"Groups of at least {min_size:,} items.",
                *_sample_note(drawn, data.n),
                *tree.neighbours.notes,
            ),
            details={"min_size": min_size, "exact": tree.exact},
        )

    def estimate(self, data: Dataset, groups: Clustering | None = None, *, params: Params) -> Cost:
        """The tree, and for each item the nearest that is in it."""
        tree = params.cost(min(data.n, params.most), data.d)
        return Cost(bytes=tree.bytes + 100 * data.n, seconds=tree.seconds + 1e-5 * data.n)


def _sample(X: Matrix, most: int, context: Context) -> tuple[Ints, Ints]:
    """The items of the tree, and which of those each item goes with."""
    n = X.shape[0]
    if n <= most:
        return np.arange(n), np.arange(n)
    some = np.linspace(0, n - 1, most).astype(np.int64)
    if is_sparse(X):
        near = nearest_neighbours(X, 1, among=X[some], check=context.check).indices[:, 0]
        goes_with = np.array(near)
    else:
        goes_with = nearest_of_few(np.asarray(X), np.asarray(X[some]), context.check)
    goes_with[some] = np.arange(most)
    return some, goes_with


def _sample_note(drawn: int, n: int) -> tuple[str, ...]:
    if drawn == n:
        return ()
    return (
        f"The tree is that of {drawn:,} of {n:,} items; each other item goes with the nearest "
        "of those.",
    )


def _items_by(group_of: np.ndarray, count: int) -> list[np.ndarray]:
    """The items of each group, those of groups inside it aside."""
    order = np.argsort(group_of, kind="stable")
    return np.split(order, np.cumsum(np.bincount(group_of, minlength=count))[:-1])
