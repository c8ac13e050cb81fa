"""Genie: single linkage that keeps the sizes of groups from growing apart.

Single linkage joins the two nearest groups and so grows one large group by single items. Where the
sizes have become unequal, by their Gini index, Genie lets the smallest group join its nearest
instead. All joins are edges of the minimum spanning tree, so one tree gives every number of groups.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.density.reachability import (
    EXACT_ITEMS,
    LEAST_NEIGHBOURS,
    exact_edges,
    neighbour_edges,
)
from coterie.core.numerics.similarity.neighbours import GOOD_RECALL, nearest_neighbours
from coterie.core.numerics.similarity.tiles import Check

BETWEEN_CHECKS = 2000  # joins


def genie_joins(edges: Ints, n: int, gini: float, check: Check | None = None) -> Ints:
    """Return the edges of a spanning tree in the order in which Genie joins along them.

    Parameters
    ----------
    edges : (n − 1, 2) ends of each edge, the shortest first
    gini : Gini index of the sizes above which the smallest group joins next; 1: single linkage

    Returns
    -------
    (n − 1,) positions in `edges`

    References
    ----------
    Gagolewski, Bartoszuk, Cena (2016). Genie: a new, fast, and outlier-resistant hierarchical
    clustering algorithm. Information Sciences 363.

    Examples
    --------
    >>> edges = np.array([[0, 1], [2, 3], [1, 2], [3, 4]])
    >>> genie_joins(edges, 5, 1.0).tolist()
    [0, 1, 2, 3]
    >>> genie_joins(edges, 5, 0.1).tolist()
    [0, 1, 3, 2]
    """
    return np.fromiter(_joins(edges.tolist(), n, gini, check), dtype=np.int64, count=n - 1)


def _joins(edges: list[list[int]], n: int, gini: float, check: Check | None) -> Iterator[int]:
    parent, size, used = list(range(n)), [1] * n, bytearray(len(edges))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    sizes = _Sizes(n)
    shortest = 0  # the shortest edge not used yet
    smallest, place = 0, 0  # the size that joins next, and from where its edges are looked for
    for number in range(n - 1):
        if check is not None and number % BETWEEN_CHECKS == 0:
            check()
        while used[shortest]:
            shortest += 1
        at = shortest
        if sizes.gini() > gini:
            if sizes.values[0] != smallest:
                smallest, place = sizes.values[0], shortest
            while used[place] or smallest not in (
                size[root(edges[place][0])],
                size[root(edges[place][1])],
            ):
                place += 1
            at = place
        used[at] = 1
        a, b = root(edges[at][0]), root(edges[at][1])
        sizes.join(size[a], size[b])
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        size[a] += size[b]
        yield at


class _Sizes:
    """How many groups have each size, and the sum of |s_i − s_j| over all pairs of groups.

    There are at most about √(2n) different sizes, so an update costs little.
    """

    def __init__(self, n: int) -> None:
        self.n, self.groups, self.apart = n, n, 0.0
        self.values, self.counts = [1], [n]

    def gini(self) -> float:
        """Return the Gini index: 0 where all sizes are equal, near 1 where one group has all."""
        return self.apart / ((self.groups - 1) * self.n) if self.groups > 1 else 0.0

    def join(self, a: int, b: int) -> None:
        """Replace groups of sizes a and b by one of both."""
        together = a + b
        values, counts = np.array(self.values), np.array(self.counts)
        self.apart -= self._from(values, counts, a) + self._from(values, counts, b) - abs(a - b)
        added = self._from(values, counts, together)
        self.apart += added - abs(together - a) - abs(together - b)
        for size in (a, b):
            self._remove(size)
        self._add(together)
        self.groups -= 1

    @staticmethod
    def _from(values: Ints, counts: Ints, size: int) -> float:
        return float((np.abs(values - size) * counts).sum())

    def _remove(self, size: int) -> None:
        at = bisect_left(self.values, size)
        self.counts[at] -= 1
        if not self.counts[at]:
            del self.values[at], self.counts[at]

    def _add(self, size: int) -> None:
        at = bisect_left(self.values, size)
        if at < len(self.values) and self.values[at] == size:
            self.counts[at] += 1
        else:
            insort(self.values, size)
            self.counts.insert(at, 1)


def groups_after(edges: Ints, joins: Ints, n: int, k: int) -> Ints:
    """Return the k groups that are left when all but the last k − 1 joins are made.

    >>> edges = np.array([[0, 1], [1, 2]])
    >>> groups_after(edges, np.array([0, 1]), 3, 2).tolist()
    [0, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    made = edges[joins[: n - k]]
    graph = coo_array((np.ones(len(made)), (made[:, 0], made[:, 1])), shape=(n, n))
    labels: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
    return labels


def spanning_tree(X: Floats, check: Check | None = None) -> tuple[Ints, Floats]:
    """Return the edges of a spanning tree of the rows of X, shortest first, and their lengths.

    The shortest of all up to 4,000 items; of more, that of the graph of neighbours.

    >>> spanning_tree(np.array([[0.0], [5.0], [1.0]]))[0].tolist()
    [[0, 2], [2, 1]]
    """
    n = len(X)
    apart = np.zeros(n)
    if n <= EXACT_ITEMS:
        one, other, lengths = exact_edges(X, apart, check=check)
    else:
        near = nearest_neighbours(X, LEAST_NEIGHBOURS, recall=GOOD_RECALL, check=check)
        one, other, lengths = neighbour_edges(X, apart, near, check=check)
    order = np.argsort(lengths, kind="stable")
    return np.column_stack([one, other])[order], lengths[order]
