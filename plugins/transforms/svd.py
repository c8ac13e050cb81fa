"""Leading singular directions instead of columns, of sparse counts as well."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import Context, Cost, Dataset, Field, Model, Output, Transform
from coterie.core.numerics.features.singular_directions import (
    directions_cost,
    fit_directions,
    project,
)


class SingularDirections(Transform):
    """Replace the columns by the leading singular directions, without moving the origin.

    Of word counts this is latent semantic indexing: words that occur together share a direction.
    Sparse features are never made dense.
    """

    id, title = "svd", "Singular directions"
    reference = "Deerwester et al. (1990). Indexing by latent semantic analysis. JASIS 41(6)."

    class Params(Transform.Params):
        """How many directions."""

        components: int = Field(
            50,
            ge=1,
            description="Number of directions to keep.",
            json_schema_extra={"slider": [2, 300]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the model for new items, and the spectrum."""
        model, spectrum, notes = fit_directions(data, params.components, context)
        changed = self.apply(model, data, context)
        if notes:
            changed = replace(changed, notes=(*data.notes, *notes))
        return Output(changed, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Project new items onto the fitted directions."""
        return data.with_features(*project(model, data, context))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The directions and coordinates; of dense features also a working copy."""
        return directions_cost(data, params.components)
