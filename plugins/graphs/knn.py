"""k nearest neighbours: each item is joined to those most like it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Graph
from coterie.core.numerics.mixed.columns import table_of
from coterie.core.numerics.mixed.gower import GowerSpace
from coterie.core.numerics.similarity.affinity_ops import joined, most_similar, require_items
from coterie.core.numerics.similarity.distances import gaussian_in_place
from coterie.core.numerics.similarity.neighbours import (
    GOOD_RECALL,
    Neighbours,
    nearest_neighbours,
    neighbour_graph,
    require_neighbours,
    search_seconds,
    typical_length,
)


class KNN(Graph):
    """Join each item to its k nearest others: a sparse graph for any number of items.

    Of a data set by distance, of an affinity by similarity; an item is not its own neighbour. A
    table with categories or missing values can be compared by Gower's distance as it is. Union
    joins two items when either is a neighbour of the other, mutual when both are; directed keeps
    the arrows. Needs no n × n matrix: n = 100,000 takes some tens of megabytes.
    """

    id, title = "knn", "Nearest neighbours"

    class Params(Graph.Params):
        """The number of neighbours, and the weight of an edge."""

        neighbours: int = Field(
            10,
            ge=1,
            description="Number of nearest neighbours k.",
            json_schema_extra={"slider": [1, 50]},
        )
        mode: Literal["union", "mutual", "directed"] = Field(
            "union",
            description="Join two items when either is a neighbour of the other (either), when "
            "both are (both), or point from each item to its neighbours.",
        )
        weights: Literal["binary", "affinity"] = Field(
            "binary",
            description="Weight of an edge: 1, or the similarity; for data, exp(−d² / 2σ²).",
        )
        metric: Literal["euclidean", "cosine", "gower"] = Field(
            "euclidean",
            description="Distance between items of a data set: between their features, between "
            "their directions, or Gower's, which handles categories and missing values.",
            json_schema_extra={"advanced": True},
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ of the similarities of data; 'auto': the median length of an "
            "edge.",
            json_schema_extra={
                "slider": [1e-3, 10.0],
                "log": True,
                "unit": "feature units",
                "advanced": True,
                "only_if": {"weights": ["affinity"]},
            },
        )

    def compute(self, source: Dataset | Affinity, *, params: Params, context: Context) -> Affinity:
        """Return the sparse graph."""
        context.check()
        details: dict[str, Any] = {}
        notes: tuple[str, ...] = ()
        if isinstance(source, Dataset):
            dataset: Dataset | None = source
            graph, details, notes = _of_features(source, params, context)
        else:
            dataset = source.dataset
            require_items(source)
            require_neighbours(source.n, params.neighbours)
            graph = most_similar(source, params.neighbours, check=context.check)
            if params.weights == "binary":
                graph.data = np.ones_like(graph.data)
        context.check()
        if params.mode != "directed":
            graph = _undirected(graph, params.mode)
        alone = int((np.diff(graph.indptr) == 0).sum())
        return Affinity(
            sparse=graph,
            symmetric=params.mode != "directed",
            nonnegative=bool(graph.data.min(initial=0.0) >= 0),
            title=f"{params.neighbours} nearest neighbours, {params.mode}",
            dataset=dataset,
            notes=(*notes, f"Items without an edge: {alone}.") if alone else notes,
            details=details,
        )

    def estimate(self, source: Dataset | Affinity, *, params: Params) -> Cost:
        """Neighbours and edges only."""
        n = source.n
        d = source.d if isinstance(source, Dataset) else 1
        return Cost(
            bytes=80 * n * params.neighbours + 16 * n * d + (64 << 20),
            seconds=search_seconds(n, d) if params.metric != "gower" else n * n * 5e-9,
        )


def _of_features(
    data: Dataset, params: KNN.Params, context: Context
) -> tuple[Any, dict[str, Any], tuple[str, ...]]:
    """The arrows, what to know of them, and what to say."""
    near = _nearest(data, params, context)
    details = {"recall": near.recall} if near.measured_on else {}
    if params.weights == "binary":
        graph = neighbour_graph(near.indices, np.ones_like(near.distances), data.n)
        return graph, details, near.notes
    sigma = typical_length(near.distances) if params.sigma == "auto" else params.sigma
    weights = gaussian_in_place(near.distances**2, sigma)
    return neighbour_graph(near.indices, weights, data.n), {"sigma": sigma, **details}, near.notes


def _nearest(data: Dataset, params: KNN.Params, context: Context) -> Neighbours:
    if params.metric == "gower":
        table = table_of(data)
        require_neighbours(table.n, params.neighbours)
        return Neighbours(*GowerSpace(table).neighbours(params.neighbours, check=context.check))
    X = data.clean_features()
    require_neighbours(data.n, params.neighbours)
    return nearest_neighbours(
        X,
        params.neighbours,
        metric=params.metric,
        recall=GOOD_RECALL,
        check=context.check,
        progress=context.progress,
        each=context.each if context.crew.away else None,
    )


def _undirected(graph: Any, mode: str) -> Any:
    """Edges of either direction, of two weights the larger; or of both, the smaller."""
    chosen = joined(graph, "max" if mode == "union" else "min")
    if graph.data.min(initial=0.0) >= 0:
        return chosen
    # An edge that is not there counts as 0 in these, which is more than a negative weight.
    pattern = graph.copy()
    pattern.data = np.ones_like(graph.data)
    mutual = pattern.multiply(pattern.T).tocsr()
    chosen = chosen.multiply(mutual)
    if mode == "union":
        either = graph + graph.T
        chosen = chosen + (either - either.multiply(mutual))
    chosen = chosen.tocsr()
    chosen.eliminate_zeros()
    return chosen
