"""Merging groups until one is left: heights of the merges, and how many groups last longest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import slices

Link = Literal["ward", "average", "complete", "single"]


@dataclass(frozen=True, eq=False)
class Merges:
    """How groups were merged.

    Attributes
    ----------
    heights : (n − 1,) the distance at which each merge happened, rising
    tree : scipy's linkage matrix, or None for a spanning tree
    edges : (n − 1, 2) ends of the spanning tree's edges, in the order of the heights
    """

    heights: Floats
    tree: Any = None
    edges: Ints | None = None

    def labels(self, k: int) -> Ints:
        """Return the k groups before the last k − 1 merges, numbered by their first items."""
        n = len(self.heights) + 1
        if self.edges is not None:
            from scipy.sparse import coo_array
            from scipy.sparse.csgraph import connected_components

            kept = self.edges[: n - k]
            graph = coo_array((np.ones(len(kept)), (kept[:, 0], kept[:, 1])), shape=(n, n))
            found: Any = connected_components(graph.tocsr(), directed=False)[1]
        elif n == 1:
            found = np.zeros(1, dtype=np.int64)
        else:
            from scipy.cluster.hierarchy import cut_tree

            found = cut_tree(self.tree, n_clusters=[k]).ravel()
        _, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[inverse], dtype=np.int64)


def longest_lifetime(heights: Floats) -> int:
    """Return the number of groups, two or more, that stays while the distance grows the most.

    k groups live from the merge that leaves k to the one that leaves k − 1. Of equal lifetimes the
    fewest groups; one group when nothing was merged at different distances.

    References
    ----------
    Fred, Jain (2005). Combining multiple clusterings using evidence accumulation. PAMI 27(6).

    Examples
    --------
    >>> longest_lifetime(np.array([0.1, 0.2, 2.0, 2.1]))
    3
    """
    n = len(heights) + 1
    if n < 3:
        return 1
    lives = np.diff(heights)[::-1]  # of 2, 3, … groups
    return int(np.argmax(lives)) + 2 if lives.max() > 0 else 1


def merges_of_features(X: Floats, link: Link) -> Merges:
    """Merge items by their Euclidean distances. Memory: n² / 2 distances.

    >>> merges_of_features(np.array([[0.0], [1.0], [5.0]]), "single").heights.tolist()
    [1.0, 4.0]
    """
    from scipy.cluster.hierarchy import linkage

    if len(X) == 1:
        return Merges(np.zeros(0))
    tree = linkage(X, method=link)
    return Merges(tree[:, 2], tree=tree)


def merges_of_affinity(affinity: Affinity, link: Link) -> Merges:
    """Merge items by how far their similarity is below the largest there is.

    Single linkage of a sparse graph needs its spanning tree only, and what is not stored is
    similarity 0; all else takes n² / 2 distances.

    >>> A = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.2], [0.1, 0.2, 1.0]])
    >>> merges_of_affinity(Affinity(values=A), "average").heights.round(3).tolist()
    [0.1, 0.85]
    """
    if link == "ward":
        raise DataError(
            "Ward's linkage needs features but got similarities. Choose the average, "
            "complete or single linkage, or use the data as input.",
            code="features-needed",
        )
    n = affinity.n
    if n == 1:
        return Merges(np.zeros(0))
    if affinity.sparse is not None and link == "single":
        return _spanning_merges(affinity)
    from scipy.cluster.hierarchy import linkage

    values = affinity.to_dense()
    most = max(float(values.max()), 0.0)
    apart = np.empty(n * (n - 1) // 2)
    place = 0
    for rows in slices(n):
        for i in range(rows.start, rows.stop):
            apart[place : place + n - 1 - i] = most - values[i, i + 1 :]
            place += n - 1 - i
    tree = linkage(apart, method=link)
    return Merges(tree[:, 2], tree=tree)


def _spanning_merges(affinity: Affinity) -> Merges:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

    A = cast(Any, affinity.sparse)
    n = affinity.n
    most = max(float(A.data.max(initial=0.0)), 0.0)
    # A length of zero would be no edge: all are longer by the same, which changes no tree.
    longer = most or 1.0
    lengths = csr_array((most - A.data + longer, A.indices, A.indptr), shape=A.shape)
    tree = minimum_spanning_tree(lengths).tocoo()
    heights = tree.data - longer
    edges = np.column_stack([tree.row, tree.col]).astype(np.int64)
    count, part = connected_components(tree.tocsr(), directed=False)
    if count > 1:
        # Parts without an edge between them have similarity 0.
        first = np.unique(part, return_index=True)[1]
        edges = np.vstack([edges, np.column_stack([first[:-1], first[1:]])])
        heights = np.concatenate([heights, np.full(count - 1, most)])
    order = np.argsort(heights, kind="stable")
    assert len(order) == n - 1
    return Merges(heights[order], edges=edges[order])
