"""Hubs and authorities: items that good items point to, and items that point to good ones."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Field, Floats, Ranker, Ranking
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.walks.links import matrix_of, require_links, to_targets


class Hits(Ranker):
    """Order the items by the weight of those that point to them, or that they point to.

    A good authority is pointed to by good hubs, a good hub points to good authorities: the leading
    right and left singular vectors of A, scaled to sum to one. For symmetric similarities both are
    the leading eigenvector. The iteration stops by its residual, relative to the singular value.
    """

    id, title = "hits", "Hubs and authorities"
    reference = (
        "Kleinberg (1999). Authoritative sources in a hyperlinked environment. J. ACM 46(5)."
    )
    needs = ("affinity",)

    class Params(Ranker.Params):
        """Which of the two, and how exactly."""

        rank_by: Literal["authority", "hub"] = Field(
            "authority",
            description="Rank by the items that point to an item, or by those it points to.",
        )
        tolerance: float = Field(
            1e-10,
            gt=0,
            lt=1,
            description="Stop when ‖AᵀA v − σ² v‖ is at most this × σ².",
            json_schema_extra={"slider": [1e-12, 1e-4], "log": True, "advanced": True},
        )
        max_iterations: int = Field(
            10_000,
            ge=1,
            description="Maximum number of products; the result reports when it was reached.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Ranking:
        """Return the scores of the items."""
        context.check()
        require_items(affinity)
        A = matrix_of(affinity)
        require_links(affinity, A)
        v = np.full(affinity.n, affinity.n**-0.5)
        residual, done = np.inf, 0
        for iteration in range(1, params.max_iterations + 1):
            context.check()
            done = iteration
            forward = _times(A, v)
            back = to_targets(A, forward)
            squared = float(v @ back)
            length = float(np.linalg.norm(back))
            residual = float(np.linalg.norm(back - squared * v)) / max(squared, 1e-300)
            context.frame(iteration, residual=residual)
            v = back / length
            if residual <= params.tolerance:
                break
        settled = residual <= params.tolerance
        scores = v if params.rank_by == "authority" else _times(A, v)
        scores = np.maximum(scores, 0.0)
        return Ranking(
            title="Authorities" if params.rank_by == "authority" else "Hubs",
            dataset=affinity.dataset,
            scores=scores / scores.sum(),
            notes=()
            if settled
            else (
                f"Stopped at the limit of {params.max_iterations} products with a relative "
                f"residual of {residual:.2g}.",
            ),
            details={"iterations": done, "residual": residual, "converged": settled},
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A few vectors; products with the similarities."""
        size = int(affinity.sparse.nnz) if affinity.sparse is not None else affinity.stored.size
        return Cost(bytes=80 * affinity.n + (1 << 20), seconds=1e-7 * size)


def _times(A: Any, v: Floats) -> Floats:
    return np.asarray(A @ v, dtype=np.float64)
