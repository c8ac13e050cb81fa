"""Singular directions: the view from the origin, of sparse counts as well."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Embedder,
    Embedding,
    Field,
    Model,
    Output,
    Spectrum,
)
from coterie.core.model.arrays import is_sparse
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares


class SVD(Embedder):
    """Project onto the leading singular directions, without moving the origin.

    Of word counts this is latent semantic indexing: texts that share words, or words that go
    together, point in the same direction. Sparse features are never made dense.
    """

    id, title = "svd", "Singular directions"
    reference = "Deerwester et al. (1990). Indexing by latent semantic analysis. JASIS 41(6)."
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How many directions."""

        components: int = Field(
            2,
            ge=1,
            description="Number of directions to keep; at most as many as items or columns.",
            json_schema_extra={"slider": [1, 20]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        X: Any = data.clean_features()
        context.check()
        require_squares(X.data if is_sparse(X) else X)
        start = context.rng.normal(size=min(X.shape))
        axes, values = leading_directions(X, params.components, start=start)
        context.check()
        model = Model(title="Singular directions", dataset=data, arrays={"axes": axes})
        notes = (
            (f"{data.n} items with {data.d} columns have {len(axes)} directions only.",)
            if len(axes) < params.components
            else ()
        )
        embedding = Embedding(
            title="Singular directions",
            dataset=data,
            coordinates=np.asarray(X @ axes.T),
            spectrum=values,
            axes=tuple(f"direction {j + 1}" for j in range(len(axes))),
            notes=notes,
        )
        spectrum = Spectrum(title="Singular values", dataset=data, eigenvalues=values)
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Project new items onto the fitted directions."""
        X: Any = data.clean_features()
        context.check()
        axes = model.arrays["axes"]
        require_columns(data, axes.shape[1])
        return Embedding(
            title="Singular directions", dataset=data, coordinates=np.asarray(X @ axes.T)
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The directions and coordinates; of dense features also a working copy."""
        n, d = data.n, data.d
        k = min(params.components, n, d)
        dense = not is_sparse(data.features)
        stored = n * d if dense else int(getattr(data.features, "nnz", 0))
        return Cost(
            bytes=8 * (4 * (n + d) * k + (3 * n * d + 2 * min(n, d) ** 2 if dense else 0)),
            seconds=1e-8 * stored * (min(n, d) if dense else 4 * k),
        )
