"""Tree of groups: which groups are near each other, as a tree whose leaves are the groups."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Figure, Plot


class GroupTree(Plot):
    """A leaf for each group, joined in the order in which their means are near each other."""

    id, title = "group-tree", "Tree of the groups"

    def compute(self, groups: Clustering, *, params: Any, context: Context) -> Figure:
        """Return the tree; a leaf stands for the items of its group."""
        from scipy.cluster.hierarchy import linkage

        context.check()
        if groups.dataset is None or groups.dataset.features is None:
            raise DataError("The items of these groups have no columns. Choose groups of a table.")
        X = groups.dataset.dense_features()
        largest = float(np.abs(X).max(initial=0.0)) or 1.0
        known = np.unique(groups.labels[groups.labels >= 0])
        if not len(known):
            raise DataError("No item is in a group. Choose another result.")
        means = np.stack(
            [X[groups.labels == group].mean(axis=0, dtype=np.longdouble) for group in known]
        )
        means = np.asarray(means / largest, dtype=np.float64)
        k = len(known)
        merges = linkage(means, "average") if k > 1 else np.zeros((0, 4))
        parents = np.full(2 * k - 1, -1)
        for step, (one, other) in enumerate(merges[:, :2].astype(int)):
            parents[[one, other]] = k + step
        members = [np.flatnonzero(groups.labels == group) for group in known]
        return Figure(
            form="tree",
            values=np.concatenate([np.zeros(k), np.maximum.accumulate(merges[:, 2])]),
            parents=parents,
            items=np.concatenate(members),
            starts=np.cumsum([0, *map(len, members)]),
            groups=known,
            group_names=groups.group_names,
            group_colours=groups.colours,
            rows=tuple(groups.group_names[group] for group in known),
            axes=("groups", "distance of their means, out of the largest value"),
        )

    def estimate(self, groups: Clustering, *, params: Any) -> Cost:
        """The means, and their distances."""
        return Cost(bytes=64 * groups.n + 16 * groups.k**2 + (1 << 20), seconds=1e-6 * groups.n)
