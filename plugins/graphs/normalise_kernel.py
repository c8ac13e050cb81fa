"""Normalise a kernel: every item has similarity 1 with itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Graph
from coterie.core.numerics.similarity.affinity_ops import require_items, scaled_sides, with_entries


class NormaliseKernel(Graph):
    """K_ij / √(K_ii K_jj): the similarity of two items, regardless of their length.

    Long texts or large vectors no longer look similar to everything. Dense, sparse and factored
    stay what they are; positive semi-definite stays so.
    """

    id, title = "normalise-kernel", "Normalise kernel"
    reference = "Shawe-Taylor, Cristianini (2004). Kernel Methods for Pattern Analysis."
    needs = ("affinity",)

    def compute(self, affinity: Affinity, *, params: Graph.Params, context: Context) -> Affinity:
        """Return the kernel with a diagonal of ones."""
        context.check()
        require_items(affinity)
        own = np.asarray(affinity.diagonal(), dtype=np.float64)
        if not (own > 0).all():
            item = int(np.flatnonzero(~(own > 0))[0])
            name = affinity.dataset.item_names[item] if affinity.dataset else str(item + 1)
            raise DataError(
                f"Item {name} has the similarity {own[item]:.4g} with itself, so its "
                "similarities cannot be divided by it. Normalise a kernel before its diagonal "
                "is removed, or leave such items out.",
                code="zero-self-similarity",
            )
        matrix: Any = scaled_sides(affinity, 1.0 / np.sqrt(own), check=context.check)
        if affinity.factor is not None:
            return replace(affinity, factor=matrix)
        if affinity.sparse is not None:
            matrix.setdiag(1.0)
        else:
            np.fill_diagonal(matrix, 1.0)
        return with_entries(affinity, matrix)

    def estimate(self, affinity: Affinity, *, params: Graph.Params) -> Cost:
        """As much as is there: one matrix of the same form."""
        stored = affinity.stored
        entries = stored.nnz if affinity.sparse is not None else stored.size
        return Cost(bytes=16 * int(entries) + (8 << 20), seconds=1e-8 * int(entries))
