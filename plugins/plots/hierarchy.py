"""Hierarchy of groups: the dominant sets of all levels, within each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Dataset, Figure, Plot
from coterie.core.numerics.partitions.tree_figures import leaf_groups, leaf_names, nested_tree


class Hierarchy(Plot):
    """Groups within groups, each branching as high as the last scale α at which it is one.

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
        alphas = [float(level["alpha"]) for level in groups.details["levels"]]
        # A group stands as a whole down to the level before the one that has its parts.
        last = np.array([alphas[max(0, int(node["level"]) - 1)] for node in tree])
        heights = np.zeros(len(tree))
        inside = np.flatnonzero(outer >= 0)
        np.maximum.at(heights, outer[inside], last[inside])
        own = [np.array(groups.members(group)) for group in range(groups.k)]
        for group in inside.tolist():
            above = int(outer[group])
            own[above] = np.setdiff1d(own[above], groups.members(group))
        parts = nested_tree(outer, heights, own)
        items, starts = parts["items"], parts["starts"]
        level = int(groups.details.get("level", 0))
        cut = alphas[level] if level < len(alphas) else None
        return Figure(
            form="tree",
            **parts,
            rows=leaf_names(items, starts, groups.dataset),
            **leaf_groups(groups, items, starts),
            axes=("groups", "scale α"),
            cut=cut,
            notes=(f"The groups are those of level {level}.",),
        )

    @classmethod
    def example(cls, _folder: Path) -> tuple[Clustering]:
        """Return groups of two levels, as the checks need them."""
        whole, halves = np.arange(24), np.split(np.arange(24), 2)
        members = [halves[0], halves[1], whole]
        return (
            Clustering(
                labels=np.arange(24) // 12,
                group_items=np.concatenate(members),
                group_starts=np.cumsum([0, *map(len, members)]),
                dataset=Dataset(features=np.arange(24.0)[:, None]),
                details={
                    "level": 1,
                    "levels": [{"alpha": 2.0}, {"alpha": 1.0}],
                    "tree": [
                        {"parent": 2, "level": 1},
                        {"parent": 2, "level": 1},
                        {"parent": -1, "level": 0},
                    ],
                },
            ),
        )

    def estimate(self, groups: Clustering, *, params: Any) -> Cost:
        """The members of the groups of all levels, twice."""
        return Cost(bytes=64 * groups.n * 20 + (1 << 20), seconds=1e-6 * groups.n)
