"""Euler-Gaussian kernel: a Gaussian of features wound onto circles."""

from __future__ import annotations

from typing import Annotated, Literal

from coterie.core import Affinity, Context, Cost, Dataset, Field, Kernel
from coterie.core.numerics.features.euler import euler_features, require_unit_range
from coterie.core.numerics.similarity.distances import gaussian_width
from coterie.core.numerics.similarity.gaussian_kernel import PrecisionParams, gaussian_affinity


class EulerGaussian(Kernel):
    """Similarity exp(−d_e / 2σ²), d_e = Σ 1 − cos(απ(x − y)): large differences count no more.

    For features from 0 to 1; robust against outliers and occluded pixels. The distance d_e is
    already squared: that of the points e^{iαπx}/√2, so one matrix product of twice as many
    columns gives all of them. Dense: n² numbers of 8 bytes (4 in single precision).
    """

    id, title = "euler-gaussian", "Euler-Gaussian"
    reference = "Liwicki et al. (2013). Euler principal component analysis. IJCV 101(3)."

    class Params(PrecisionParams):
        """How features are wound, and how fast similarity falls."""

        alpha: float = Field(
            1.9,
            gt=0,
            description="Winding α: at 1.9 the largest differences count as little as the "
            "smallest; near 0 it is a Gaussian.",
            json_schema_extra={"slider": [0.1, 2.0]},
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ: the Euler distance at which similarity has fallen to 0.61; "
            "'auto' derives it from the data.",
            json_schema_extra={"slider": [1e-2, 10.0], "log": True},
        )
        auto_fraction: float = Field(
            2.0,
            gt=0,
            description="With 'auto', σ is this fraction of the median Euler distance between two "
            "items.",
            json_schema_extra={"slider": [0.01, 4.0], "log": True, "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities."""
        X = data.dense_features()
        context.check()
        require_unit_range(X)
        wound = euler_features(X, params.alpha)
        sigma, notes = gaussian_width(wound, params.sigma, params.auto_fraction)
        title = f"Euler-Gaussian similarity, α = {params.alpha:g}, σ = {sigma:.4g}"
        return gaussian_affinity(
            wound, sigma, params, context, title=title, dataset=data, notes=notes
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix, working copies of the wound features and a tile."""
        return params.cost(data.n, 2 * data.d)
