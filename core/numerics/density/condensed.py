"""A tree of merges, reduced to groups of some size: where they appear, split and lose items.

Seen from the root, where all items are one group, a group goes on while what breaks off is smaller
than a least size. It ends where it falls into two that are both large enough. Everything is done
on arrays over all nodes of the tree, so many sizes can be tried on one tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints


@dataclass(frozen=True, eq=False)
class MergeTree:
    """A binary tree of merges: items are 0 … n − 1, the i-th merge is node n + i.

    Attributes
    ----------
    parents : (2n − 1,) the root is its own
    sizes : (2n − 1,) items below each node
    heights : (n − 1,) at which the merges happen, rising
    """

    parents: Ints
    sizes: Ints
    heights: Floats

    @property
    def n(self) -> int:
        """The number of items."""
        return len(self.heights) + 1


def merges_of(one: Ints, other: Ints, lengths: Floats) -> MergeTree:
    """Return the single-linkage tree of a spanning tree's edges, given shortest first.

    >>> tree = merges_of(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 4.0]))
    >>> tree.parents.tolist(), tree.sizes.tolist()
    ([3, 3, 4, 4, 4], [1, 1, 1, 2, 3])
    """
    n = len(lengths) + 1
    above = list(range(2 * n - 1))  # a list: single numbers are read and written, 2 or 3 a merge
    sizes = [1] * n
    children = []
    for node, (a, b) in enumerate(zip(one.tolist(), other.tolist(), strict=True), start=n):
        while above[a] != a:
            above[a] = above[above[a]]
            a = above[a]
        while above[b] != b:
            above[b] = above[above[b]]
            b = above[b]
        above[a] = above[b] = node
        sizes.append(sizes[a] + sizes[b])
        children.append((a, b))
    pairs = np.array(children, dtype=np.int64).reshape(-1, 2)
    parents = np.arange(2 * n - 1)
    parents[pairs] = np.arange(n, 2 * n - 1)[:, None]
    return MergeTree(parents, np.array(sizes), np.asarray(lengths, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Condensed:
    """Groups of at least some size, parents before children; 0 is the group of all items.

    Density is measured by λ = 1 / distance.

    Attributes
    ----------
    parents : (c,) the group that each is part of, −1 for the first
    births : (c,) λ at which each appears
    deaths : (c,) the largest λ at which an item leaves it or it splits
    deepest : (c,) the largest λ at which an item leaves it or a group within it
    stabilities : (c,) how long its items stay, summed over them: the excess of mass
    group_of : (n,) the smallest group that each item is part of
    leaves : (n,) λ at which each item leaves that group
    """

    parents: Ints
    births: Floats
    deaths: Floats
    deepest: Floats
    stabilities: Floats
    group_of: Ints
    leaves: Floats

    def of_most_mass(self) -> Ints:
        """Return the groups, none within another and never the first, of the largest stability."""
        best = self.stabilities.copy()
        chosen = np.ones(len(best), dtype=np.bool_)
        below = np.zeros(len(best))
        for group in range(len(best) - 1, 0, -1):
            if below[group] > best[group]:
                chosen[group], best[group] = False, below[group]
            below[self.parents[group]] += best[group]
        return self._outermost(chosen)

    def without_parts(self) -> Ints:
        """Return the groups that never split, except the first."""
        chosen = np.ones(len(self.parents), dtype=np.bool_)
        chosen[self.parents[1:]] = False
        return self._outermost(chosen)

    def _outermost(self, chosen: Array) -> Ints:
        """For each group the outermost chosen one that it is part of, or −1."""
        inside = np.full(len(chosen), -1)
        for group in range(1, len(chosen)):
            outer = inside[self.parents[group]]
            inside[group] = outer if outer >= 0 or not chosen[group] else group
        return inside


def condense(merges: MergeTree, min_size: int) -> Condensed:
    """Return the groups of at least `min_size` ≥ 2 items. Memory and time: some arrays over 2n.

    Merges at a distance of zero, of duplicates, count as at the least distance there is.
    """
    n = merges.n
    level, parents = _levelled(merges)
    positive = merges.heights[merges.heights > 0]
    least = float(positive.min()) if len(positive) else 1.0
    density = np.concatenate([np.zeros(n), 1.0 / np.maximum(merges.heights, least)])
    nodes = np.arange(2 * n - 1)
    large = (merges.sizes >= min_size) & (level == nodes)
    splits = np.bincount(parents[:-1][large[:-1]], minlength=2 * n - 1) >= 2
    starts = large & splits[parents]
    starts[-1] = True
    exits = _jump(np.where(large, nodes, parents))[:n]
    begun = _jump(np.where(starts, nodes, parents))
    heads = np.flatnonzero(starts)[::-1]  # parents have the larger numbers
    number = np.empty(2 * n - 1, dtype=np.int64)
    number[heads] = np.arange(len(heads))
    group_of, leaves = number[begun[exits]], density[exits]
    outer = number[begun[parents[heads]]]
    outer[0] = -1
    births = density[parents[heads]]
    births[0] = 0.0
    return _measured(outer, births, merges.sizes[heads], group_of, leaves)


def _levelled(merges: MergeTree) -> tuple[Ints, Ints]:
    """For each node the last merge at the same height that it is part of, and the one above that.

    Mutual reachability has many equal lengths. Their order is chance, so what is merged at one
    height counts as merged at once: the groups do not depend on the order of the items.
    """
    heights = np.concatenate([np.full(merges.n, -1.0), merges.heights])
    level = _jump(
        np.where(heights == heights[merges.parents], merges.parents, np.arange(len(heights)))
    )
    return level, level[merges.parents]


def _measured(
    outer: Ints, births: Floats, sizes: Ints, group_of: Ints, leaves: Floats
) -> Condensed:
    count = len(outer)
    stay = leaves - births[group_of]
    stabilities: Floats = np.bincount(group_of, stay, minlength=count).astype(np.float64)
    stabilities += np.bincount(
        outer[1:], sizes[1:] * (births[1:] - births[outer[1:]]), minlength=count
    )
    deaths = np.zeros(count)
    np.maximum.at(deaths, group_of, leaves)
    np.maximum.at(deaths, outer[1:], births[1:])
    deepest = deaths.copy()
    for group in range(count - 1, 0, -1):
        deepest[outer[group]] = max(deepest[outer[group]], deepest[group])
    return Condensed(outer, births, deaths, deepest, stabilities, group_of, leaves)


def _jump(links: Ints) -> Ints:
    """Follow the links to their ends, twice as far each time."""
    while True:
        farther = links[links]
        if np.array_equal(farther, links):
            return links
        links = farther
