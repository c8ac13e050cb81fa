"""Gaussian kernel: similarity falls with the squared distance."""

from __future__ import annotations

from typing import Annotated, Literal

from coterie.core import Affinity, Context, Cost, Dataset, Field, Kernel
from coterie.core.numerics.similarity.distances import gaussian_width
from coterie.core.numerics.similarity.gaussian_kernel import PrecisionParams, gaussian_affinity


class Gaussian(Kernel):
    """Similarity exp(−‖x − y‖² / 2σ²): nearby items are similar, distant ones are not.

    Dense: n² numbers of 8 bytes (4 in single precision), computed tile by tile.
    """

    id, title = "gaussian", "Gaussian"
    reference = "Schölkopf, Smola (2002). Learning with Kernels. MIT Press."

    class Params(PrecisionParams):
        """How fast similarity falls."""

        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ: the distance at which similarity has fallen to 0.61; "
            "'auto' derives it from the data.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        auto_fraction: float = Field(
            0.15,
            gt=0,
            description="With 'auto', σ is this fraction of the median distance between two items.",
            json_schema_extra={"slider": [0.01, 4.0], "log": True, "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        sigma, notes = gaussian_width(X, params.sigma, params.auto_fraction)
        title = f"Gaussian similarity, σ = {sigma:.4g}"
        return gaussian_affinity(X, sigma, params, context, title=title, dataset=data, notes=notes)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, working copies of the features and a tile."""
        return params.cost(data.n, data.d)
