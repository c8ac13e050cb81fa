"""Zero diagonal: no item is joined to itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Cost, Graph
from coterie.core.numerics.similarity.affinity_ops import dense_copy, require_items, with_entries


class ZeroDiagonal(Graph):
    """The same similarities without those of items with themselves.

    Game-theoretic methods take the diagonal as zero anyway. A factor becomes a dense matrix.
    """

    id, title = "zero-diagonal", "Zero diagonal"
    needs = ("affinity",)

    def compute(self, affinity: Affinity, *, params: Graph.Params, context: Context) -> Affinity:
        """Return a copy with a diagonal of zeros, sparse as sparse."""
        context.check()
        require_items(affinity)
        if affinity.sparse is not None:
            matrix: Any = affinity.sparse.tocoo()
            others = matrix.row != matrix.col
            parts = (matrix.data[others], (matrix.row[others], matrix.col[others]))
            matrix = type(matrix)(parts, shape=matrix.shape).tocsr()
        else:
            matrix = dense_copy(affinity)
            np.fill_diagonal(matrix, 0.0)
        return with_entries(affinity, matrix, positive_semidefinite=False)

    def estimate(self, affinity: Affinity, *, params: Graph.Params) -> Cost:
        """A dense n × n matrix."""
        n = affinity.n
        return Cost(
            bytes=8 * n * n + (16 << 20),
            seconds=1e-8 * n * n,
        )
