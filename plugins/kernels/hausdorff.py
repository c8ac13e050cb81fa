"""Hausdorff similarity: items that are sets of points, compared by the point that fits least."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Dataset, Field, Floats, Kernel
from coterie.core.numerics.similarity.tiles import SPARSER


class Hausdorff(Kernel):
    """Similarity exp(−h / σ), with h the largest distance of a point of x from the nearest of y.

    Each item is a set of points: its columns, taken `dimension` at a time, are their coordinates. A
    point with a missing coordinate does not exist, so sets may differ in size. The distance h from
    x to y is not that from y to x: a part is near the whole, the whole far from its part. Dense;
    every pair of items compares all pairs of their points.
    """

    id, title = "hausdorff", "Hausdorff"
    reference = (
        "Huttenlocher, Klanderman, Rucklidge (1993). Comparing images using the Hausdorff "
        "distance. IEEE PAMI 15(9)."
    )

    class Params(Kernel.Params):
        """What the points are, and how fast similarity falls."""

        dimension: int = Field(
            2,
            ge=1,
            description="Number of columns that make a point.",
            json_schema_extra={"slider": [1, 4], "unit": "columns"},
        )
        direction: Literal["directed", "both"] = Field(
            "directed",
            description="Distance from the first set to the second, or the larger of both "
            "directions.",
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Distance at which similarity has fallen to 0.37; 'auto': the median "
            "distance between two items.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n similarities, from each row's set to each column's."""
        context.check()
        sets = _point_sets(data, params.dimension)
        n = len(sets)
        distances = np.zeros((n, n))
        for i, first in enumerate(sets):
            context.progress(i, n, "distances between sets")
            for j in range(i):
                context.check()
                distances[i, j], distances[j, i] = _both_ways(first, sets[j])
        if params.direction == "both":
            distances = np.maximum(distances, distances.T)
        sigma = params.sigma if params.sigma != "auto" else _median(distances)
        values = np.exp(-distances / sigma)
        return Affinity(
            values=values,
            symmetric=params.direction == "both",
            nonnegative=True,
            title=f"Hausdorff similarity, σ = {sigma:.4g}",
            dataset=data,
            details={"sigma": sigma},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Two n × n matrices; all pairs of points."""
        n, points = data.n, max(1, data.d // params.dimension)
        return Cost(
            bytes=24 * n * n + 32 * points**2 + 16 * n * data.d,
            seconds=n * n * (1e-5 + 1e-8 * points**2),
            alternatives=SPARSER,
        )


def _point_sets(data: Dataset, dimension: int) -> list[Floats]:
    if data.features is None or data.d % dimension:
        raise DataError(
            f"Points of {dimension} columns each need a number of columns that is a multiple of "
            f"{dimension}. Got {data.d if data.features is not None else 0} columns; set "
            "'dimension' to the number of coordinates of a point.",
            code="wrong-shape",
        )
    features: Floats = np.asarray(
        data.features.toarray() if hasattr(data.features, "toarray") else data.features, float
    )
    if not features.size or np.isinf(features).any():
        data.dense_features()  # says what is wrong
    points = features.reshape(len(features), -1, dimension)
    sets = [one[~np.isnan(one).any(axis=1)] for one in points]
    empty = [number for number, one in enumerate(sets, 1) if not len(one)]
    if empty:
        raise DataError(
            f"Item {empty[0]} has no complete point. Remove items without points "
            "(transform/select), or fill in their coordinates (transform/impute).",
            code="missing-values",
        )
    return sets


def _both_ways(first: Floats, second: Floats) -> tuple[float, float]:
    """The distances h from the first set to the second, and back."""
    # hypot does not overflow where squares would.
    apart = np.hypot.reduce(np.abs(first[:, None] - second[None]), axis=2)
    return float(apart.min(axis=1).max()), float(apart.min(axis=0).max())


def _median(distances: Floats) -> float:
    n = len(distances)
    between = distances[~np.eye(n, dtype=bool)]
    middle = float(np.median(between)) if between.size else 0.0
    return middle if middle > 0 else 1.0  # of equal sets any width gives the same
