"""Principal components: the flat view that keeps most of the variance."""

from __future__ import annotations

import numpy as np

from coterie.core import (
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
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares


class PCA(Embedder):
    """Project onto the orthogonal directions along which the items vary most.

    The spectrum holds the variance along each direction. The sign of a direction is chosen so that
    its largest loading is positive.
    """

    id, title = "pca", "Principal components"
    reference = "Jolliffe (2002). Principal Component Analysis. Springer."
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How many directions."""

        components: int = Field(
            2,
            ge=1,
            description="Number of directions to keep; at most the number of columns.",
            json_schema_extra={"slider": [1, 10]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        X = data.dense_features()
        n, d = X.shape
        mean = X.mean(axis=0)
        centred = X - mean
        require_squares(centred)
        context.check()
        axes, values = leading_directions(centred)
        variances = values**2 / max(1, n - 1)
        context.check()
        kept = min(params.components, len(axes))
        notes = (
            (f"{n} items with {d} columns have {kept} directions, not {params.components}.",)
            if kept < params.components
            else ()
        )
        total = float(variances.sum())
        shares = variances[:kept] / total if total > 0 else np.zeros(kept)
        model = Model(
            title="Mean and principal directions",
            dataset=data,
            arrays={"mean": mean, "axes": axes[:kept]},
        )
        embedding = Embedding(
            title="Principal components",
            dataset=data,
            coordinates=centred @ axes[:kept].T,
            spectrum=variances,
            axes=_axis_names(shares),
            notes=notes,
            details={"variance_shares": [float(share) for share in shares]},
        )
        spectrum = Spectrum(title="Variance by direction", dataset=data, eigenvalues=variances)
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Project new items onto the fitted directions."""
        X = data.dense_features()
        context.check()
        axes = model.arrays["axes"]
        require_columns(data, axes.shape[1])
        return Embedding(
            title="Principal components",
            dataset=data,
            coordinates=(X - model.arrays["mean"]) @ axes.T,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The centred copy, its singular vectors, and the smaller of the two Gram matrices."""
        n, d = data.n, data.d
        return Cost(
            bytes=8 * (3 * n * d + 2 * min(n, d) ** 2),
            seconds=1e-8 * n * d * min(n, d),
        )


def _axis_names(shares: Floats) -> tuple[str, ...]:
    return tuple(f"component {j + 1} ({share:.0%})" for j, share in enumerate(shares))
