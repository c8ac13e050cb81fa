"""Landmarks: items are similar when they are near the same few places."""

from __future__ import annotations

from typing import Annotated, Literal

from coterie.core import Affinity, Context, Cost, DataError, Dataset, Field, Graph
from coterie.core.numerics.similarity.landmarks import bridge, how_many, placed


class Landmarks(Graph):
    """Similarity by way of a few hundred landmarks: spectral methods for a million items.

    Each item is joined to its nearest landmarks, Z with rows that sum to one, and two items are as
    similar as a walk between them by way of a landmark is likely: Z Λ⁻¹ Zᵀ, Λ the column sums of Z.
    Never negative; every degree is 1. Kept as a factor of n × p numbers of 4 bytes: the
    eigenvectors that cut it come from a p × p matrix, so time and memory grow with n alone.
    """

    id, title = "landmarks", "Landmarks"
    reference = (
        "Chen, Cai (2011). Large scale spectral clustering with landmark-based representation. "
        "AAAI."
    )
    needs = ("dataset",)

    class Params(Graph.Params):
        """How many landmarks, where, and how items are joined to them."""

        landmarks: Annotated[int, Field(ge=2)] | Literal["auto"] = Field(
            "auto",
            description="Number of landmarks p; auto: 100 to 500, as many as fit into 400 MB.",
            json_schema_extra={"slider": [50, 2000]},
        )
        near: int = Field(
            5,
            ge=1,
            description="Number of nearest landmarks that each item is joined to.",
            json_schema_extra={"slider": [1, 20]},
        )
        place: Literal["means", "random"] = Field(
            "means",
            description="Landmarks are the centres of k-means on some of the items, or items drawn "
            "at random. Sparse data use the latter.",
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ of the Gaussian between items and landmarks; 'auto': the median "
            "distance to the last landmark that an item is joined to.",
            json_schema_extra={
                "slider": [1e-3, 10.0],
                "log": True,
                "unit": "feature units",
                "advanced": True,
            },
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Place the landmarks and join the items to them."""
        X = data.clean_features()
        if data.n == 0:
            raise DataError(
                "There are no items to connect. Open a file with at least one item.",
                code="empty-data",
            )
        wanted = how_many(data.n) if params.landmarks == "auto" else params.landmarks
        context.progress(0, 2, "landmarks")
        places = placed(X, wanted, context.rng, means=params.place == "means")
        context.progress(1, 2, "similarities")
        sigma = 0.0 if params.sigma == "auto" else params.sigma
        found = bridge(X, places, params.near, sigma, check=context.check)
        notes: tuple[str, ...] = (f"Through {found.used} landmarks; width σ = {found.sigma:.4g}.",)
        if places.shape[0] < wanted:
            notes += (f"No more than {places.shape[0]} different places were found.",)
        return Affinity(
            factor=found.factor,
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=f"Through {found.used} landmarks",
            dataset=data,
            notes=notes,
            details={"sigma": found.sigma, "landmarks": found.used},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """The factor in single precision, a copy of the features, and the nearest landmarks."""
        n, d = data.n, data.d
        p = how_many(n) if params.landmarks == "auto" else min(params.landmarks, n)
        return Cost(
            bytes=4 * n * p + 24 * n * d + 96 * n * params.near + (64 << 20),
            seconds=n * p * (2e-10 * d + 5e-9) + 1e-6 * n,
            alternatives=("use fewer landmarks",),
        )
