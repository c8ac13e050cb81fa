"""Factors instead of numbers and categories."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.core import Context, Cost, Dataset, Field, Model, Output, Spectrum, Transform
from coterie.core.numerics.mixed.columns import item_weights, table_of
from coterie.core.numerics.mixed.factor_model import factor_cost, factor_model, new_coordinates
from coterie.core.numerics.mixed.factors import fit_factors


class FactorsOfColumns(Transform):
    """Replace numbers and categories by the few directions along which the items vary most.

    As many as are asked for, or as many as keep the asked share of the variance. What embedder/famd
    draws becomes features for any method; missing values are at the middle of their column.
    """

    id, title = "famd", "Factors of mixed columns"
    reference = "Pagès (2014). Multiple Factor Analysis by Example Using R. CRC Press."

    class Params(Transform.Params):
        """How many directions."""

        components: int = Field(
            0,
            ge=0,
            description="Number of directions to keep; 0: as many as 'energy' asks for.",
            json_schema_extra={"slider": [0, 100]},
        )
        energy: float = Field(
            0.9,
            gt=0,
            le=1,
            description="Share of the variance to keep, when no number is given.",
            json_schema_extra={"slider": [0.5, 1.0], "only_if": {"components": [0]}},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the model for new items, and the spectrum."""
        context.check()
        table = table_of(data)
        factors = fit_factors(table, item_weights(data))
        context.check()
        total = float(factors.variances.sum())
        kept = params.components
        if not kept:
            # A hair below, as a sum of all shares may fall short of 1 by rounding.
            shares = np.cumsum(factors.variances) / (total or 1.0)
            kept = int(np.searchsorted(shares, params.energy - 1e-12)) + 1
        kept = min(kept, len(factors.axes))
        model = factor_model(data, table, factors, kept)
        share = float(factors.variances[:kept].sum()) / total if total else 1.0
        note = f"{kept} of {len(factors.axes)} directions, with {share:.1%} of the variance."
        changed = replace(self.apply(model, data, context), notes=(*data.notes, note))
        spectrum = Spectrum(
            title="Variance by direction", dataset=data, eigenvalues=factors.variances
        )
        return Output(changed, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Dataset:
        """Project new items onto the fitted directions."""
        context.check()
        values = new_coordinates(model, data)
        names = tuple(f"factor {j + 1}" for j in range(values.shape[1]))
        return data.with_features(values, names)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The encoded columns, their directions, and the smaller of the two Gram matrices."""
        return factor_cost(data)
