"""Minimax paths: two items are as similar as the weakest step of the best way between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree

from coterie.core import Affinity, Context, Cost, Graph
from coterie.core.numerics.similarity.affinity_ops import require_items, with_entries
from coterie.core.numerics.spectral.spectra import require_nonnegative, require_undirected


class Paths(Graph):
    """Similarity of the weakest link on the path between two items whose weakest link is best.

    Items along a ring or a spiral become alike however far apart they are, and differ from those
    that a gap separates from them. The path is that of a maximum spanning tree; similarities at
    which single linkage would join two items. Items that no path joins have similarity 0. For
    symmetric similarities of 0 or more. Dense.
    """

    id, title = "paths", "Minimax paths"
    reference = (
        "Fischer, Buhmann (2003). Path-based clustering for grouping of smooth curves and texture "
        "segmentation. IEEE PAMI 25(4)."
    )
    needs = ("affinity",)

    def compute(self, affinity: Affinity, *, params: Graph.Params, context: Context) -> Affinity:
        """Return the dense path similarities; each item keeps its similarity to itself."""
        context.check()
        require_items(affinity)
        require_undirected(affinity, check=context.check)
        require_nonnegative(affinity, who="Paths need", check=context.check)
        similar: Any = affinity.sparse if affinity.sparse is not None else affinity.to_dense()
        weights, firsts, seconds = _tree(similar)
        context.check()
        n = affinity.n
        values = np.zeros((n, n))
        members = {item: np.array([item]) for item in range(n)}
        group = np.arange(n)
        # The strongest links first: whoever is joined by one has it as the weakest on the way.
        for number, at in enumerate(np.argsort(-weights, kind="stable")):
            if number % 64 == 0:
                context.progress(number, n, "joining items")
            a, b = group[firsts[at]], group[seconds[at]]
            left, right = members[a], members.pop(b)
            values[np.ix_(left, right)] = weights[at]
            values[np.ix_(right, left)] = weights[at]
            group[right] = a
            members[a] = np.concatenate([left, right])
        values[np.diag_indices(n)] = np.asarray(affinity.diagonal(), dtype=np.float64)
        parts = len(members)
        return with_entries(
            affinity,
            values,
            positive_semidefinite=False,
            title="Similarity along the best paths",
            notes=(f"{parts} parts with no path between them.",) if parts > 1 else (),
            details={"parts": parts},
        )

    def estimate(self, affinity: Affinity, *, params: Graph.Params) -> Cost:
        """A dense n × n matrix, and the similarities once more as links."""
        n = affinity.n
        size = int(affinity.sparse.nnz) if affinity.sparse is not None else n * n
        return Cost(
            bytes=8 * n * n + 24 * size + 64 * n,
            seconds=1e-8 * n * n + 1e-7 * size,
        )


def _tree(similar: Any) -> tuple[Any, Any, Any]:
    """The links of a maximum spanning tree of every connected part: weights and both ends.

    scipy seeks the smallest weights and takes 0 for no link, so the ranks of the similarities, the
    largest first, are its weights.
    """
    links = csr_array(similar, copy=True)
    links.eliminate_zeros()
    coo = links.tocoo()
    upper = coo.row < coo.col
    rows, columns, data = coo.row[upper], coo.col[upper], np.asarray(coo.data[upper], np.float64)
    # Different weights for equal similarities: the tree does not depend on scipy's choice.
    ranks = np.empty(len(data))
    ranks[np.lexsort((columns, rows, -data))] = np.arange(1.0, len(data) + 1)
    ranked = csr_array((ranks, (rows, columns)), shape=links.shape)
    tree = minimum_spanning_tree(ranked).tocoo()
    position = np.empty(len(data) + 1, dtype=np.int64)
    position[ranks.astype(np.int64)] = np.arange(len(data))
    chosen = position[tree.data.astype(np.int64)]
    return data[chosen], rows[chosen], columns[chosen]
