"""Exponential of a kernel: large similarities grow larger."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Field, Graph
from coterie.core.numerics.similarity.affinity_ops import dense_copy, require_items, with_entries
from coterie.core.numerics.similarity.distances import row_blocks


class Exponential(Graph):
    """exp(rate · K), entry by entry: a kernel again, with large similarities drawn apart.

    Dense, as exp(0) = 1. Positive semi-definite stays so.
    """

    id, title = "exponential", "Exponential"
    reference = "Shawe-Taylor, Cristianini (2004). Kernel Methods for Pattern Analysis."
    needs = ("affinity",)

    class Params(Graph.Params):
        """How fast it grows."""

        rate: float = Field(
            1.0,
            gt=0,
            description="Factor of the similarities before the exponential.",
            json_schema_extra={"slider": [1e-2, 1e2], "log": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Affinity:
        """Return the dense exponential."""
        context.check()
        require_items(affinity)
        matrix = dense_copy(affinity)
        for rows in row_blocks(*matrix.shape):
            context.check()
            with np.errstate(over="ignore"):
                matrix[rows] *= params.rate
                np.exp(matrix[rows], out=matrix[rows])
        if not np.isfinite(matrix.max()):
            raise DataError(
                "The exponential of these similarities overflows. "
                "Normalise the kernel first, or lower the rate.",
                code="values-too-large",
            )
        return with_entries(affinity, matrix, nonnegative=True)

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A dense n × n matrix."""
        n = affinity.n
        return Cost(
            bytes=8 * n * n + (16 << 20),
            seconds=1e-8 * n * n,
        )
