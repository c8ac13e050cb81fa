"""Density clustering: a tree of all items, and groups of any least size from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from coterie.core.model.arrays import Floats, Ints, Matrix
from coterie.core.numerics.density.condensed import Condensed, MergeTree, condense, merges_of
from coterie.core.numerics.density.reachability import (
    EXACT_ITEMS,
    LEAST_NEIGHBOURS,
    core_distances,
    exact_edges,
    neighbour_edges,
)
from coterie.core.numerics.partitions.groups import by_size
from coterie.core.numerics.similarity.exact_search import unit_rows
from coterie.core.numerics.similarity.neighbours import (
    GOOD_RECALL,
    Metric,
    Neighbours,
    Progress,
    nearest_neighbours,
)
from coterie.core.numerics.similarity.ties import drop_rounding
from coterie.core.numerics.similarity.tiles import Check

Selection = Literal["mass", "leaf"]


@dataclass(frozen=True, eq=False)
class DensityGroups:
    """Groups from a density tree.

    Attributes
    ----------
    labels : (n,) from the largest group to the smallest, −1 for noise
    strengths : (n,) from 0 to 1: how deep an item is in its group; 0 for noise
    outliers : (n,) from 0 to 1: how much sparser it is at an item than in the densest part of the
        smallest group around it (GLOSH)
    """

    labels: Ints
    strengths: Floats
    outliers: Floats


@dataclass(frozen=True, eq=False)
class DensityTree:
    """The tree of merges by mutual reachability, from which groups of any least size are taken.

    Attributes
    ----------
    merges : the tree
    core : (n,) the core distances
    neighbours : of each item, as many as were asked for
    exact : whether the spanning tree is the shortest of all; else of the neighbour graph
    """

    merges: MergeTree
    core: Floats
    neighbours: Neighbours
    exact: bool

    def labels(self, min_size: int, selection: Selection = "mass") -> Ints:
        """Return the group of each item, −1 for noise; largest groups first.

        Parameters
        ----------
        min_size : least size of a group; clearly quicker than a new tree
        selection : groups of the largest excess of mass, or those that never split
        """
        return self.groups(min_size, selection).labels

    def strengths(self, min_size: int, selection: Selection = "mass") -> Floats:
        """Return how deep each item is in its group, from 0 (noise) to 1."""
        return self.groups(min_size, selection).strengths

    def groups(self, min_size: int, selection: Selection = "mass") -> DensityGroups:
        """Return labels, strengths and outlier scores for a least size of groups."""
        n = self.merges.n
        if n == 1:
            return DensityGroups(np.full(1, -1), np.zeros(1), np.zeros(1))
        found = self.condensed(min_size)
        inside = found.of_most_mass() if selection == "mass" else found.without_parts()
        group = inside[found.group_of]
        known = group >= 0
        deepest = found.deaths[group]
        strengths = np.where(known, np.minimum(found.leaves, deepest) / deepest, 0.0)
        outliers = 1.0 - found.leaves / found.deepest[found.group_of]
        return DensityGroups(by_size(group), strengths, outliers)

    def condensed(self, min_size: int) -> Condensed:
        """Return the tree of groups of at least `min_size` items."""
        return condense(self.merges, max(2, min_size))


def density_tree(
    X: Matrix,
    min_samples: int = 5,
    *,
    metric: Metric = "euclidean",
    exact_items: int = EXACT_ITEMS,
    check: Check | None = None,
    progress: Progress | None = None,
) -> DensityTree:
    """Return the single-linkage tree of mutual reachability, the tree under HDBSCAN.

    Up to `exact_items` items all pairs are looked at. Of more, the spanning tree is that of the
    graph of nearest neighbours, whose pieces are joined where they come closest: time grows about
    as n log n. The tree does not depend on the least size of a group, so ask it for many.

    Parameters
    ----------
    X : (n, d) dense or sparse features, n ≥ 1
    min_samples : items, itself included, that an item's core distance reaches; cut to n
    metric : cosine is that of the angle; single linkage of it is that of chords
    check, progress : as for `nearest_neighbours`

    References
    ----------
    Campello, Moulavi, Zimek, Sander (2015). Hierarchical density estimates for data clustering,
    visualization, and outlier detection. ACM TKDD 10(1).

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [20.0]])
    >>> tree = density_tree(X, 2)
    >>> tree.labels(3).tolist()
    [0, 0, 0, 1, 1, 1, -1]
    """
    n = X.shape[0]
    min_samples = min(min_samples, n)
    exact = n <= exact_items
    k = min(n - 1, max(min_samples - 1, 1 if exact else LEAST_NEIGHBOURS))
    if n == 1:
        nobody = Neighbours(np.zeros((1, 0), dtype=np.int64), np.zeros((1, 0)))
        merges = merges_of(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
        return DensityTree(merges, np.zeros(1), nobody, True)
    if metric == "cosine":
        # Chords between unit rows rise with the angle: the same tree, by distances that can be
        # measured along differences.
        X = unit_rows(X)
    near = nearest_neighbours(X, k, recall=GOOD_RECALL, check=check, progress=progress)
    core = core_distances(near, min_samples)
    one, other, lengths = (
        exact_edges(X, core, check=check) if exact else neighbour_edges(X, core, near, check=check)
    )
    lengths = drop_rounding(lengths)  # equal ones are merged at once
    order = np.argsort(lengths, kind="stable")
    merges = merges_of(one[order], other[order], lengths[order])
    return DensityTree(merges, core, near, exact)


def nearest_group_fill(X: Matrix, labels: Ints, *, check: Check | None = None) -> Ints:
    """Return the labels, each −1 replaced by the label of the nearest item that has one.

    Nothing changes when no item has a label.

    >>> X = np.array([[0.0], [1.0], [5.0], [4.0]])
    >>> nearest_group_fill(X, np.array([0, -1, 1, -1])).tolist()
    [0, 0, 1, 1]
    """
    filled = np.array(labels)
    known, unknown = np.flatnonzero(filled >= 0), np.flatnonzero(filled < 0)
    if len(known) and len(unknown):
        near = nearest_neighbours(X[unknown], 1, among=X[known], recall=GOOD_RECALL, check=check)
        filled[unknown] = filled[known[near.indices[:, 0]]]
    return filled
