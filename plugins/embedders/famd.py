"""Factor analysis of mixed data: principal components of numbers and categories."""

from __future__ import annotations

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
from coterie.core.numerics.mixed.columns import item_weights, table_of
from coterie.core.numerics.mixed.factor_model import factor_cost, factor_model, new_coordinates
from coterie.core.numerics.mixed.factors import explained, fit_factors


class FAMD(Embedder):
    """Project numbers and categories together onto the directions along which the items vary most.

    Principal components of standardised numbers when there are no categories, multiple
    correspondence analysis when there is nothing else; each column counts alike. Missing values
    are at the middle of their column. Weights of items are used. The details list how much of each
    direction each column makes.
    """

    id, title = "famd", "Factors of mixed columns"
    reference = "Pagès (2014). Multiple Factor Analysis by Example Using R. CRC Press."
    needs = ("dataset",)

    class Params(Embedder.Params):
        """How many directions."""

        components: int = Field(
            2,
            ge=1,
            description="Number of directions to keep; at most as many as the columns have.",
            json_schema_extra={"slider": [1, 10]},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the coordinates; parts: the spectrum, and the model for new items."""
        context.check()
        table = table_of(data)
        factors = fit_factors(table, item_weights(data))
        context.check()
        kept = min(params.components, len(factors.axes))
        total = float(factors.variances.sum())
        shares = factors.variances[:kept] / (total or 1.0)
        notes = []
        if kept < params.components:
            notes.append(f"There are {kept} directions, not {params.components}.")
        if missing := int((~table.known).sum()):
            notes.append(f"Missing values: {missing}, set to the middle of their column.")
        made = explained(factors, table, kept)
        embedding = Embedding(
            title="Factors of mixed columns",
            dataset=data,
            coordinates=factors.coordinates(table)[:, :kept],
            spectrum=factors.variances,
            axes=tuple(f"factor {j + 1} ({share:.0%})" for j, share in enumerate(shares)),
            notes=tuple(notes),
            details={
                "variance_shares": [float(share) for share in shares],
                "columns": [dict(zip(table.names, map(float, row), strict=True)) for row in made],
            },
        )
        spectrum = Spectrum(
            title="Variance by direction", dataset=data, eigenvalues=factors.variances
        )
        model = factor_model(data, table, factors, kept)
        return Output(embedding, {"model": model, "spectrum": spectrum})

    def apply(self, model: Model, data: Dataset, context: Context) -> Embedding:
        """Project new items onto the fitted directions."""
        context.check()
        return Embedding(
            title="Factors of mixed columns",
            dataset=data,
            coordinates=new_coordinates(model, data),
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The encoded columns, their directions, and the smaller of the two Gram matrices."""
        return factor_cost(data)
