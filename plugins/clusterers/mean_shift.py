"""Mean shift: items climb to the nearest peak of density."""

from __future__ import annotations

from typing import Annotated, Literal

from coterie.core import Clusterer, Clustering, Context, Cost, Dataset, Field
from coterie.core.numerics.density.density_params import density_result, quiet
from coterie.core.numerics.similarity.distances import require_squares

SAMPLE = 500  # items from which the bandwidth is estimated
BIN_FROM = 500  # more items than this start from the cells of a grid instead of each item


class MeanShift(Clusterer):
    """Items belong together when they climb to the same peak of density.

    The number of groups is found from the bandwidth. On scikit-learn's engine, with a flat kernel.
    """

    id, title = "mean-shift", "Mean shift"
    reference = "Comaniciu, Meer (2002). Mean shift: a robust approach. IEEE PAMI 24(5)."
    needs = ("dataset",)

    class Params(Clusterer.Params):
        """How smooth the density is."""

        bandwidth: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Radius within which the mean is taken; 'auto': the mean distance to the "
            "farthest of a share of the items.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        share: float = Field(
            0.2,
            gt=0,
            le=1,
            description="Share of the items that 'auto' looks at around each item.",
            json_schema_extra={"slider": [0.05, 1.0], "only_if": {"bandwidth": ["auto"]}},
        )
        assign_all: bool = Field(
            True, description="Also assign items that are beyond the bandwidth of every peak."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Clustering:
        """Return the items by their peaks."""
        from sklearn.cluster import MeanShift as Engine
        from sklearn.cluster import estimate_bandwidth

        context.check()
        X = data.dense_features()
        require_squares(X)
        width = params.bandwidth
        if width == "auto":
            width = 1.0
            if data.n > 1:
                some = min(SAMPLE, data.n)
                width = estimate_bandwidth(
                    X, quantile=params.share, n_samples=some, random_state=context.seed % 2**32
                )
            width = float(width) or 1.0
        context.progress(1, 4, "climbing")
        with quiet():
            engine = Engine(
                bandwidth=width, bin_seeding=data.n > BIN_FROM, cluster_all=params.assign_all
            )
            labels = engine.fit_predict(X)
        context.progress(1, 1, "done")
        result = density_result(labels)
        result["details"]["bandwidth"] = width
        return Clustering(title=f"Mean shift, bandwidth {width:.4g}", dataset=data, **result)

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Every start looks at every item, some dozen times."""
        n, d = data.n, data.d
        return Cost(
            bytes=n * (40 * d + 400) + (16 << 20),
            seconds=min(n, 3000) * n * (2e-9 * d + 2e-8) * 20,
            alternatives=("use HDBSCAN",),
        )
