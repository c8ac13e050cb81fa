"""Epsilon neighbours: items within a radius are joined."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Graph
from coterie.core.numerics.similarity.distances import gaussian_in_place
from coterie.core.numerics.similarity.exact_search import neighbours_within
from coterie.core.numerics.similarity.neighbours import (
    nearest_neighbours,
    typical_length,
)


class Epsilon(Graph):
    """Join every two items that are within a given radius.

    Sparse and symmetric; as many edges as there are near pairs. An item far from all others stays
    alone.
    """

    id, title = "epsilon", "Within a radius"
    needs = ("dataset",)

    class Params(Graph.Params):
        """The radius, and the weight of an edge."""

        radius: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Largest distance at which items are joined; 'auto': the smallest that "
            "leaves no item without an edge.",
            json_schema_extra={"slider": [1e-3, 10.0], "log": True, "unit": "feature units"},
        )
        weights: Literal["binary", "affinity"] = Field(
            "binary",
            description="Weight of an edge: 1, or the similarity exp(−d² / 2σ²).",
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ of the similarities; 'auto': the median length of an edge.",
            json_schema_extra={
                "slider": [1e-3, 10.0],
                "log": True,
                "unit": "feature units",
                "advanced": True,
                "only_if": {"weights": ["affinity"]},
            },
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the sparse graph."""
        X = data.dense_features()
        context.check()
        radius = _smallest(X, context) if params.radius == "auto" else params.radius
        graph = neighbours_within(X, radius, check=context.check)
        details: dict[str, Any] = {"radius": radius}
        if params.weights == "affinity":
            sigma = typical_length(graph.data) if params.sigma == "auto" else params.sigma
            graph.data = gaussian_in_place(graph.data**2, sigma)
            details["sigma"] = sigma
        else:
            graph.data = np.ones_like(graph.data)
        alone = int((np.diff(graph.indptr) == 0).sum())
        return Affinity(
            sparse=graph,
            symmetric=True,
            title=f"Pairs within {radius:.4g}",
            dataset=data,
            notes=(f"Items without an edge: {alone}.",) if alone else (),
            details=details,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """At worst all pairs; the estimate takes a tenth of them."""
        n, d = data.n, data.d
        return Cost(
            bytes=4 * n * n + (32 << 20),
            seconds=n * n * (1e-10 * d + 5e-9),
            alternatives=("use the graph of nearest neighbours", "choose a smaller radius"),
        )


def _smallest(X: Floats, context: Context) -> float:
    """The radius at which the last item finds a neighbour; 1 when all items coincide."""
    if len(X) < 2:
        return 1.0
    return float(nearest_neighbours(X, 1, check=context.check).distances.max()) or 1.0
