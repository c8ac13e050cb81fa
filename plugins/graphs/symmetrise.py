"""Symmetrise: both directions alike."""

from __future__ import annotations

from typing import Literal

from coterie.core import Affinity, Context, Cost, Field, Graph
from coterie.core.numerics.similarity.affinity_ops import joined, require_items, with_entries


class Symmetrise(Graph):
    """Make a directed graph undirected: the mean, the larger or the smaller of both directions.

    Dense stays dense, sparse stays sparse; what is symmetric already stays as it is.
    """

    id, title = "symmetrise", "Symmetrise"
    needs = ("affinity",)

    class Params(Graph.Params):
        """Which of the two directions counts."""

        how: Literal["mean", "max", "min"] = Field(
            "mean",
            description="Mean of both directions; max: keep edges of either direction; min: keep "
            "edges of both.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Affinity:
        """Return a symmetric affinity."""
        context.check()
        require_items(affinity)
        if affinity.factor is not None:
            return affinity
        matrix = joined(affinity.stored, params.how, check=context.check)
        return with_entries(affinity, matrix, symmetric=True)

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """As much as is there: one matrix of the same form."""
        stored = affinity.stored
        entries = stored.nnz if affinity.sparse is not None else stored.size
        return Cost(bytes=16 * int(entries) + (8 << 20), seconds=1e-8 * int(entries))
