"""Principal components instead of columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.core import (
    Context,
    Cost,
    Dataset,
    Field,
    Model,
    Output,
    Spectrum,
    Transform,
)
from coterie.core.numerics.features.directions import leading_directions
from coterie.core.numerics.similarity.check_columns import require_columns
from coterie.core.numerics.similarity.distances import require_squares


class PrincipalComponents(Transform):
    """Replace the columns by the few directions along which the items vary most.

    As many as are asked for, or as many as keep the asked share of the variance, up to a limit.
    Their variances are published as the spectrum.
    """

    id, title = "pca", "Principal components"
    reference = "Jolliffe (2002). Principal Component Analysis. Springer."

    class Params(Transform.Params):
        """How many directions."""

        components: int = Field(
            0,
            ge=0,
            description="Number of directions to keep; 0: as many as 'energy' asks for.",
            json_schema_extra={"slider": [0, 100]},
        )
        energy: float = Field(
            0.99,
            gt=0,
            le=1,
            description="Share of the variance to keep, when no number is given.",
            json_schema_extra={"slider": [0.5, 1.0], "only_if": {"components": [0]}},
        )
        at_most: int = Field(
            0,
            ge=0,
            description="Maximum number of directions to keep for 'energy'; 0: no limit.",
            json_schema_extra={"only_if": {"components": [0]}, "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the model for new items, and the spectrum."""
        X = data.dense_features()
        context.check()
        mean = X.mean(axis=0)
        centred = X - mean
        require_squares(centred)
        axes, values = leading_directions(centred)
        context.check()
        variances = values**2 / max(1, data.n - 1)
        total = float(variances.sum())
        if params.components:
            kept = min(params.components, len(axes))
        else:
            # A hair below, as a sum of all shares may fall short of 1 by rounding.
            shares = np.cumsum(variances) / (total or 1.0)
            enough = int(np.searchsorted(shares, params.energy - 1e-12)) + 1
            kept = min(enough, len(axes), params.at_most or enough)
        model = Model(
            title="Mean and principal directions",
            dataset=data,
            arrays={"mean": mean, "axes": axes[:kept]},
        )
        share = float(variances[:kept].sum()) / total if total else 1.0
        note = f"{kept} of {data.d} directions, with {share:.1%} of the variance."
        changed = replace(self.apply(model, data, context), notes=(*data.notes, note))
        spectrum = Spectrum(title="Variance by direction", dataset=data, eigenvalues=variances)
        return Output(changed, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Project new items onto the fitted directions."""
        X = data.dense_features()
        context.check()
        axes = model.arrays["axes"]
        require_columns(data, axes.shape[1])
        names = tuple(f"component {j + 1}" for j in range(len(axes)))
        return data.with_features((X - model.arrays["mean"]) @ axes.T, names)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The centred copy, its singular vectors, and the smaller of the two Gram matrices."""
        n, d = data.n, data.d
        return Cost(
            bytes=8 * (4 * n * d + 2 * min(n, d) ** 2),
            seconds=1e-8 * n * d * min(n, d),
            alternatives=("use the transform 'svd' on sparse data",),
        )
