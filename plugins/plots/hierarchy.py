"""Hierarchy of groups: the dominant sets of all levels, within each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Figure, Plot
from coterie.core.numerics.partitions.tree_figures import leaf_groups, leaf_names, nested_tree


class Hierarchy(Plot):
    """Groups within groups, each branching as high as the scale α at which its parts stand alone.

    Drawn of a hierarchy of dominant sets. Cut the tree at an α to make groups of what stands there;
    items that were lost on the way down are leaves of their own, and in no group below.
    """

    id, title = "hierarchy", "Hierarchy of groups"
    reference = "Pavan, Pelillo (2003). Dominant sets and hierarchical clustering. ICCV."
    needs = ("clustering",)
    draws = ("clusterer/dominant-hierarchy",)

    def compute(self, groups: Clustering, *, params: Any, context: Context) -> Figure:
        """Return the tree, its leaves in the colours of the groups of the chosen level."""
        context.check()
        tree = groups.details.get("tree")
        if not isinstance(tree, list) or len(tree) != groups.k or groups.group_starts is None:
            raise DataError(
                "These groups have no levels. Draw the result of clusterer/dominant-hierarchy, or "
                "plot/dendrogram of the data.",
                code="input-mismatch",
            )
        outer = np.array([int(node["parent"]) for node in tree], dtype=np.int64)
        alphas = np.array([float(node["alpha"]) for node in tree])
        heights = np.zeros(len(tree))
        inside = np.flatnonzero(outer >= 0)
        np.maximum.at(heights, outer[inside], alphas[inside])
        own = [np.array(groups.members(group)) for group in range(groups.k)]
        for group in inside.tolist():
            above = int(outer[group])
            own[above] = np.setdiff1d(own[above], groups.members(group))
        parts = nested_tree(outer, heights, own)
        items, starts = parts["items"], parts["starts"]
        level = groups.details.get("level", 0)
        levels = groups.details.get("levels", [])
        cut = float(levels[level]["alpha"]) if level < len(levels) else None
        return Figure(
            form="tree",
            **parts,
            rows=leaf_names(items, starts, groups.dataset),
            **leaf_groups(groups, items, starts),
            axes=("groups", "scale α"),
            cut=cut,
            notes=(f"The groups are those of level {level}.",),
        )

    def estimate(self, groups: Clustering, *, params: Any) -> Cost:
        """The members of the groups of all levels, twice."""
        return Cost(bytes=64 * groups.n * 20 + (1 << 20), seconds=1e-6 * groups.n)
