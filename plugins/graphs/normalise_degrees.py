"""Normalise by degrees: busy items count less."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Graph
from coterie.core.numerics.similarity.affinity_ops import require_items, scaled_sides, with_entries


class NormaliseDegrees(Graph):
    """D^−½ A D^−½: each similarity divided by the square root of both items' degrees.

    The normalised matrix of spectral methods and of ranking on manifolds. An item without any
    similarity keeps a row of zeros. Dense, sparse and factored stay what they are.
    """

    id, title = "normalise-degrees", "Normalise degrees"
    reference = "Chung (1997). Spectral Graph Theory. American Mathematical Society."
    needs = ("affinity",)

    def compute(self, affinity: Affinity, *, params: Graph.Params, context: Context) -> Affinity:
        """Return the normalised affinity."""
        context.check()
        require_items(affinity)
        degrees = np.asarray(affinity.degrees(), dtype=np.float64)
        if (degrees < 0).any():
            raise DataError(
                f"Degrees must not be negative. Got {float(degrees.min()):.4g}; take similarities "
                "without negative values, such as those of a Gaussian kernel.",
                code="negative-similarities",
            )
        alone = degrees == 0
        factors = np.where(alone, 0.0, 1.0 / np.sqrt(np.where(alone, 1.0, degrees)))
        matrix = scaled_sides(affinity, factors, check=context.check)
        notes = affinity.notes
        if alone.any():
            notes = (*notes, f"Items without any similarity, not changed: {int(alone.sum())}.")
        if affinity.factor is not None:
            return replace(affinity, factor=matrix, notes=notes)
        return with_entries(affinity, matrix, notes=notes)

    def estimate(self, affinity: Affinity, *, params: Graph.Params) -> Cost:
        """As much as is there: one matrix of the same form."""
        stored = affinity.stored
        entries = stored.nnz if affinity.sparse is not None else stored.size
        return Cost(bytes=16 * int(entries) + (8 << 20), seconds=1e-8 * int(entries))
