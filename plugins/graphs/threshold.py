"""Threshold: weak similarities are forgotten."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, Field, Graph
from coterie.core.numerics.similarity.affinity_ops import at_least, require_items, with_entries


class Threshold(Graph):
    """Keep similarities of at least a minimum; remove all others.

    Sparse. An item that is similar to no other has no edges.
    """

    id, title = "threshold", "Threshold"
    needs = ("affinity",)

    class Params(Graph.Params):
        """What is strong enough."""

        minimum: float = Field(
            0.5,
            description="Smallest similarity that is kept.",
            json_schema_extra={"slider": [0.0, 1.0], "unit": "similarity"},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Affinity:
        """Return the kept entries, sparse."""
        context.check()
        require_items(affinity)
        kept = at_least(affinity, params.minimum, check=context.check)
        notes = list(affinity.notes)
        off_diagonal = kept.nnz - int(np.count_nonzero(kept.diagonal()))
        if off_diagonal == 0 and affinity.n > 1:
            notes.append(f"No similarity of two items reaches {params.minimum:g}: nothing is left.")
        return with_entries(
            affinity,
            kept,
            nonnegative=affinity.nonnegative or params.minimum >= 0,
            positive_semidefinite=False,
            title=f"{affinity.title} ≥ {params.minimum:g}",
            notes=tuple(notes),
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """At most all pairs, sparse."""
        stored = affinity.stored
        entries = stored.nnz if affinity.sparse is not None else affinity.n**2
        return Cost(bytes=16 * int(entries), seconds=2e-8 * int(entries))
