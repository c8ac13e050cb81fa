"""Laplacian kernel: similarity falls with the city-block distance."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Kernel
from coterie.core.numerics.similarity.inner_products import city_block_distances
from coterie.core.numerics.similarity.tiles import dense_cost, tile_progress

MOST_ITEMS = 1000  # to take the median distance of


class Laplacian(Kernel):
    """Similarity exp(−‖x − y‖₁ / σ): falls more slowly than a Gaussian; outliers count less.

    Dense: n² numbers of 8 bytes, computed tile by tile. Positive semi-definite.
    """

    id, title = "laplacian", "Laplacian"
    reference = "Schölkopf, Smola (2002). Learning with Kernels. MIT Press."

    class Params(Kernel.Params):
        """How fast similarity falls."""

        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ: the city-block distance at which similarity has fallen to 0.37; "
            "'auto' derives it from the data.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        auto_fraction: float = Field(
            0.5,
            gt=0,
            description="With 'auto', σ is this fraction of the median distance between two items.",
            json_schema_extra={"slider": [0.01, 2.0], "log": True, "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        context.check()
        sigma, notes = _width(X, params)

        def change(tile: Floats) -> None:
            with np.errstate(over="ignore"):  # what overflows becomes a similarity of 0
                tile /= -sigma
            np.exp(tile, out=tile)

        return Affinity(
            values=city_block_distances(X, change, check=tile_progress(context, data.n)),
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=f"Laplacian similarity, σ = {sigma:.4g}",
            dataset=data,
            notes=notes,
            details={"sigma": sigma},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, a copy of the features and a tile."""
        return dense_cost(data.n, data.d, 1e-9)


def _width(X: Floats, params: Laplacian.Params) -> tuple[float, tuple[str, ...]]:
    """The width, and what to say about it."""
    if params.sigma != "auto":
        return params.sigma, ()
    # Evenly spaced items, so the same data always give the same width.
    some = X[np.linspace(0, len(X) - 1, min(len(X), MOST_ITEMS)).astype(np.int64)]
    distances = city_block_distances(some)[np.triu_indices(len(some), 1)]
    distances = distances[distances > 0]
    if not len(distances):
        return 1.0, ("All items coincide, so every width gives the same result; σ = 1 was used.",)
    median = float(np.median(distances))
    sigma = params.auto_fraction * median
    return sigma, (
        f"Width σ = {sigma:.4g}, {params.auto_fraction:g} of the median city-block distance "
        f"{median:.4g}.",
    )
