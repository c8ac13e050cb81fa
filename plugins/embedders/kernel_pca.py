"""Kernel principal components: coordinates whose inner products are the similarities."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Floats,
    Model,
    Output,
    Spectrum,
)
from coterie.core.numerics.manifold.places_of_items import places_model, places_of_new
from coterie.core.numerics.similarity.affinity_ops import require_items
from coterie.core.numerics.spectral.eigenpairs import leading_eigenpairs
from coterie.core.numerics.spectral.spectra import require_undirected

# Wider factors are known by products: the matrix of their inner products would be large itself.
WIDE = 1000
ROUNDING = 1e-12  # eigenvalues below this share of the largest count as 0


class KernelPCA(Embedder):
    """Coordinates Z = E Λ^½ from the leading eigenvectors of the similarities.

    With all coordinates Z Zᵀ is the kernel. Not centred, as a walk along the similarities wants it;
    centred, it is the usual kernel principal component analysis. New items are
    placed beside their nearest.
    """

    id, title, version = "kernel-pca", "Kernel principal components", "2"
    reference = (
        "Schölkopf, Smola, Müller (1998). Nonlinear component analysis as a kernel eigenvalue "
        "problem. Neural Computation 10."
    )
    needs = ("affinity",)

    class Params(Embedder.Params):
        """How many coordinates, and about which origin."""

        components: int = Field(
            2,
            ge=1,
            description="Number of coordinates to keep.",
            json_schema_extra={"slider": [1, 20]},
        )
        centre: bool = Field(
            False,
            description="Move the origin to the mean of the items; not for random walks.",
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        context.check()
        require_items(affinity)
        require_undirected(affinity, check=context.check)
        m = min(params.components, affinity.n)
        pairs = leading_eigenpairs(
            _matrix(affinity, params.centre), m, rng=context.rng, check=context.check
        )
        context.check()
        least = ROUNDING * float(np.abs(pairs.values).max(initial=0.0))
        kept = int((pairs.values > least).sum())
        coordinates = pairs.vectors[:, :kept] * np.sqrt(pairs.values[:kept])
        if kept == 0:
            coordinates = np.zeros((affinity.n, 1))
        notes = (
            (f"Only {kept} of {params.components} coordinates have a positive eigenvalue.",)
            if kept < params.components
            else ()
        )
        title = "Kernel principal components" + (", centred" if params.centre else "")
        embedding = Embedding(
            title=title,
            dataset=affinity.dataset,
            coordinates=coordinates,
            spectrum=pairs.values,
            axes=tuple(f"component {j + 1}" for j in range(coordinates.shape[1])),
            notes=notes,
            details={"solver": pairs.how, "residual": pairs.residual},
        )
        spectrum = Spectrum(
            title="Leading eigenvalues of the similarities",
            dataset=affinity.dataset,
            eigenvalues=pairs.values,
        )
        parts = places_model(affinity.dataset, coordinates)
        return Output(embedding, {"spectrum": spectrum, **parts})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Place new items beside those of the data that the similarities are of."""
        context.check()
        places = places_of_new(model, data, context.check)
        axes = tuple(f"component {j + 1}" for j in range(places.shape[1]))
        return Embedding(title=self.title, dataset=data, coordinates=places, axes=axes)

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Some vectors for each coordinate; of small dense matrices a copy."""
        n, m = affinity.n, params.components
        copy = 24 * n * n if n <= 2000 or 3 * m >= n else 0
        if affinity.factor is not None:
            copy = 16 * affinity.factor.size + 16 * min(affinity.factor.shape[1], WIDE) ** 2
        return Cost(
            bytes=8 * n * (6 * m + 40) + copy,
            seconds=1e-9 * affinity.stored.size * (4 * m + 40) + 1e-10 * min(n, 2000) ** 3,
            alternatives=("use a k-nearest-neighbour graph",),
        )


def _matrix(affinity: Affinity, centre: bool) -> Any:
    """What the solver takes: the similarities, or products with them, centred or not."""
    factor = affinity.factor
    if factor is not None and centre:
        factor = factor - factor.mean(axis=0)
    if factor is not None and factor.shape[1] <= min(WIDE, affinity.n - 1):
        return Affinity(factor=factor)
    if factor is None and not centre:
        return affinity
    from scipy.sparse.linalg import LinearOperator

    def product(x: Floats) -> Floats:
        x = np.asarray(x)
        if factor is not None:
            return np.asarray(factor @ (factor.T @ x))
        result = np.asarray(affinity.matvec(x - x.mean(axis=0)), dtype=np.float64)
        return np.asarray(result - result.mean(axis=0))

    n = affinity.n
    operator: Any = LinearOperator((n, n), matvec=product, matmat=product, dtype=np.float64)
    return operator
