"""Diffusion map: coordinates by which items are near where many short paths lead."""

from __future__ import annotations

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Embedder, Embedding, Field


class DiffusionMap(Embedder):
    """Coordinates in which straight distance is how easily a random walk gets from item to item."""

    id, title = "diffusion-map", "Diffusion map"
    reference = "Coifman, Lafon (2006). Diffusion maps. Appl. Comput. Harmonic Analysis 21."
    needs = ("affinity",)
    interruptible = False

    class Params(Embedder.Params):
        """How many coordinates, and how long the walk is."""

        components: int = Field(2, ge=1, le=50, description="Number of coordinates.")
        steps: float = Field(1.0, ge=0, le=1000, description="Steps of the walk.")

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Embedding:
        """Return the coordinates and the eigenvalues behind them."""
        from scipy.linalg import eigh

        context.check()
        affinity.require_finite()
        A = affinity.to_dense()
        A = (A + A.T) / 2
        degrees = A.sum(axis=1)
        if not len(A) or (degrees <= 0).any() or A.min() < 0:
            raise DataError(
                "A diffusion map needs items that are each similar to another, and no negative "
                "similarities. Use a kernel such as the Gaussian."
            )
        roots = np.sqrt(degrees)
        count = min(params.components + 1, len(A))
        values, vectors = eigh(
            A / roots[:, None] / roots, subset_by_index=(len(A) - count, len(A) - 1)
        )
        values, vectors = np.clip(values[::-1], 0.0, 1.0), vectors[:, ::-1] / roots[:, None]
        vectors *= np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(count)])
        kept = slice(1, None) if count > 1 else slice(None)
        return Embedding(
            coordinates=vectors[:, kept] * values[kept] ** params.steps, spectrum=values[kept]
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Three dense matrices."""
        n = affinity.n
        return Cost(bytes=32 * n * n, seconds=1e-9 * n**3)
