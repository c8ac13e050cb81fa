"""Gower's similarity of items that have numbers and categories."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from coterie.core import (
    Affinity,
    Context,
    Cost,
    Dataset,
    Field,
    Floats,
    Kernel,
    Model,
    Output,
)
from coterie.core.numerics.mixed.columns import layout_of, table_like, table_of
from coterie.core.numerics.mixed.gower import GowerScale, GowerSpace, gower_scale
from coterie.core.numerics.mixed.weights import column_weights, number_of_columns
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress

SOME = 1000  # items whose distances give the width


class Gower(Kernel):
    """Similarity of numbers and categories: 1 less the mean difference of the columns.

    Two numbers differ by their distance over the range of the column, two categories by 0 or 1.
    What is missing of either item is left out, so nothing needs to be filled in. Dense: n² numbers
    of 8 bytes; for a sparse graph use the nearest neighbours by the same distance (graph/knn).
    """

    id, title = "gower", "Gower"
    reference = "Gower (1971). A general coefficient of similarity. Biometrics 27(4)."

    class Params(Kernel.Params):
        """How differences become similarities."""

        form: Literal["linear", "gaussian"] = Field(
            "linear",
            description="Similarity 1 − d, or exp(−d² / 2σ²), which ignores distant items.",
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ of the Gaussian, as a mean difference between 0 and 1; 'auto': "
            "half the median distance.",
            json_schema_extra={
                "slider": [0.01, 1.0],
                "log": True,
                "only_if": {"form": ["gaussian"]},
            },
        )
        column_weights: dict[str, float] = Field(
            {},
            description="Weights of columns by name; the others weigh 1.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Output:
        """Return the dense similarities, and the model to compare new items by the same scale."""
        context.check()
        table = table_of(data)
        space = GowerSpace(table, gower_scale(table, column_weights(table, params.column_weights)))
        distances = space.distances(check=tile_progress(context, table.n))
        sigma = 0.0
        if params.form == "gaussian":
            sigma = _width(distances) if params.sigma == "auto" else params.sigma
        model = Model(
            title="Ranges and weights of the columns",
            dataset=data,
            arrays={
                "least": space.scale.least,
                "spans": space.scale.spans,
                "weights": space.scale.weights,
            },
            settings={"layout": layout_of(table), "form": params.form, "sigma": sigma},
        )
        return Output(_affinity(data, distances, space.complete, sigma), {"model": model})

    def apply(self, model: Model, data: Dataset, context: Context) -> Affinity:
        """Return the similarities of new items among each other, by the fitted ranges."""
        context.check()
        table = table_like(data, model.settings["layout"])
        arrays = model.arrays
        scale = GowerScale(
            *(np.asarray(arrays[name], np.float64) for name in ("least", "spans", "weights"))
        )
        space = GowerSpace(table, scale)
        distances = space.distances(check=context.check)
        return _affinity(data, distances, space.complete, float(model.settings["sigma"]))

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, the columns, and a tile."""
        return dense_cost(data.n, number_of_columns(data), 6e-10)


def _affinity(data: Dataset, distances: Floats, complete: bool, sigma: float) -> Affinity:
    strange = np.isnan(distances)
    apart = int(strange.sum()) // 2
    distances[strange] = 1.0
    if sigma:
        values = np.exp(-0.5 * np.square(distances / sigma))
        words, details = f"Gower similarity, σ = {sigma:.4g}", {"sigma": sigma}
    else:
        values, words, details = 1.0 - distances, "Gower similarity", {}
    values[strange] = 0.0
    notes = (f"Pairs of items that share no known column: {apart}; their similarity is 0.",)
    return Affinity(
        values=values,
        symmetric=True,
        nonnegative=True,
        # Gower (1971): so it is when nothing is missing. The Gaussian of it need not be.
        positive_semidefinite=complete and not sigma,
        title=words,
        dataset=data,
        notes=notes if apart else (),
        details=details,
    )


def _width(distances: Floats) -> float:
    """Half the median distance of two items; of items that all agree, any will do."""
    n = len(distances)
    some = np.linspace(0, n - 1, min(n, SOME)).astype(int)
    own = distances[np.ix_(some, some)][np.triu_indices(len(some), 1)]
    own = own[np.isfinite(own) & (own > 0)]
    return 0.5 * float(np.median(own)) if len(own) else 1.0
