"""An order of items in which like ones are neighbours, for pictures of similarities."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints


def leaf_order(similarities: Floats) -> Ints:
    """Return the leaves of an average-linkage tree, each branch turned so like ends meet.

    O(m²) time and memory for an (m, m) matrix; of directed similarities the mean of both
    directions counts. The same matrix always gives the same order.

    References
    ----------
    Gruvaeus, Wainer (1972). Two additions to hierarchical cluster analysis. British Journal of
    Mathematical and Statistical Psychology 25, 200-206.

    Examples
    --------
    >>> leaf_order(np.array([[1.0, 0.1, 0.9], [0.1, 1.0, 0.2], [0.9, 0.2, 1.0]])).tolist()
    [0, 2, 1]
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    m = len(similarities)
    if m < 3:
        return np.arange(m)
    mutual = (similarities + similarities.T) / 2
    distances = float(mutual.max()) - mutual
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average")
    # One merge at a time: each depends on the ends that the ones before it left.
    branches: dict[int, list[int]] = {leaf: [leaf] for leaf in range(m)}
    for merge, (left, right) in enumerate(tree[:, :2].astype(np.int64).tolist()):
        branches[m + merge] = _joined(branches.pop(left), branches.pop(right), distances)
    order = branches[2 * m - 2]
    # Which end comes first means nothing; the earlier item there is what people expect.
    return np.array(order if order[0] < order[-1] else order[::-1])


def _joined(one: list[int], other: list[int], distances: Floats) -> list[int]:
    """Join two branches at the ends that are the most alike."""
    gaps = {
        (False, False): distances[one[-1], other[0]],
        (False, True): distances[one[-1], other[-1]],
        (True, False): distances[one[0], other[0]],
        (True, True): distances[one[0], other[-1]],
    }
    turn_one, turn_other = min(gaps, key=lambda turns: gaps[turns])
    return (one[::-1] if turn_one else one) + (other[::-1] if turn_other else other)


def band_order(sparse: Any) -> Ints:
    """Return an order that keeps edges near the diagonal, in time linear in the edges.

    References
    ----------
    Cuthill, McKee (1969). Reducing the bandwidth of sparse symmetric matrices. ACM '69, 157-172.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    graph = csr_array((sparse + sparse.T).tocsr())
    return np.asarray(reverse_cuthill_mckee(graph, symmetric_mode=True), dtype=np.int64)
