"""Singular directions: the view from the origin, of sparse counts as well."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import Context, Cost, Dataset, Embedder, Embedding, Field, Model, Output
from coterie.core.numerics.features.singular_directions import (
    directions_cost,
    fit_directions,
    project,
)


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
            description="Number of directions to keep; at most the number of items or columns.",
            json_schema_extra={"slider": [1, 20]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        model, spectrum, notes = fit_directions(data, params.components, context)
        embedding = replace(
            self.apply(model, data, context), spectrum=spectrum.eigenvalues, notes=notes
        )
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Project new items onto the fitted directions."""
        coordinates, names = project(model, data, context)
        return Embedding(
            title="Singular directions", dataset=data, coordinates=coordinates, axes=names
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The directions and coordinates; of dense features also a working copy."""
        return directions_cost(data, params.components)
