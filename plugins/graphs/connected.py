"""Connected: join the nearest pairs until the graph is one piece."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, DataError, Dataset, Field, Floats, Graph
from coterie.core.numerics.similarity.affinity_ops import at_least, joined, require_items
from coterie.core.numerics.similarity.distances import gaussian_in_place, require_squares
from coterie.core.numerics.similarity.exact_search import neighbours_within
from coterie.core.numerics.similarity.neighbours import typical_length
from coterie.core.numerics.similarity.spanning import spanning_tree


class Connected(Graph):
    """Join pairs in order of distance until the graph is connected.

    The last edge is the longest of the minimum spanning tree, which is found by one row of
    distances at a time; then all pairs up to its length are edges. One outlier makes it dense. Of
    an affinity, pairs are joined by decreasing similarity. Zero diagonal.
    """

    id, title = "connected", "Connected"
    reference = (
        "Zhou, Weston, Gretton, Bousquet, Schölkopf (2004). Ranking on data manifolds. NIPS 16."
    )

    class Params(Graph.Params):
        """The weight of an edge."""

        weights: Literal["affinity", "binary"] = Field(
            "affinity",
            description="Weight of an edge: the similarity (for data, exp(−d² / 2σ²)), or 1.",
        )
        sigma: Annotated[float, Field(gt=0)] | Literal["auto"] = Field(
            "auto",
            description="Width σ of the similarities of data; 'auto': the median length of an "
            "edge.",
            json_schema_extra={
                "slider": [1e-3, 10.0],
                "log": True,
                "unit": "feature units",
                "only_if": {"weights": ["affinity"]},
            },
        )

    def compute(self, source: Dataset | Affinity, *, params: Params, context: Context) -> Affinity:
        """Return the sparse graph; its details name the last edge."""
        context.check()
        if isinstance(source, Dataset):
            dataset: Dataset | None = source
            graph, details = _of_features(source, params, context)
        else:
            dataset = source.dataset
            graph, details = _of_similarities(source, context)
        if params.weights == "binary":
            graph.data = np.ones_like(graph.data)
        # Most pairs joined: a dense matrix is smaller than a list of them.
        dense = 3 * graph.nnz > 2 * source.n**2
        return Affinity(
            **{"values" if dense else "sparse": graph.toarray() if dense else graph},
            symmetric=True,
            nonnegative=bool(graph.data.min(initial=0.0) >= 0),
            title="Nearest pairs until connected",
            dataset=dataset,
            details=details,
        )

    def estimate(self, source: Dataset | Affinity, *, params: Params) -> Cost:
        """At worst all pairs; the estimate takes a fourth of them."""
        n = source.n
        d = source.d if isinstance(source, Dataset) else 1
        return Cost(
            bytes=6 * n * n + (32 << 20),
            seconds=n * n * (2e-9 * d + 1e-8),
            alternatives=("use the graph of nearest neighbours",),
        )


def _of_features(
    data: Dataset, params: Connected.Params, context: Context
) -> tuple[Any, dict[str, Any]]:
    X = data.dense_features()
    require_squares(X)

    def row(i: int) -> Floats:
        apart = X - X[i]
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", apart, apart)))

    i, j, lengths = spanning_tree(data.n, row, check=context.check)
    last = int(lengths.argmax()) if len(lengths) else -1
    longest = float(lengths[last]) if len(lengths) else 0.0
    graph: Any = neighbours_within(X, longest, check=context.check)
    sigma = typical_length(graph.data) if params.sigma == "auto" else params.sigma
    graph.data = gaussian_in_place(graph.data**2, sigma)
    edge = [int(i[last]), int(j[last])] if len(lengths) else []
    return graph, {"longest_edge": longest, "last_edge": edge, "sigma": sigma}


def _of_similarities(affinity: Affinity, context: Context) -> tuple[Any, dict[str, Any]]:
    require_items(affinity)
    if not affinity.symmetric:
        raise DataError(
            "Joining pairs until connected needs symmetric similarities. "
            "Put the graph 'symmetrise' before this step.",
            offer=("graph/symmetrise",),
            code="not-symmetric",
        )

    def row(i: int) -> Floats:
        similarities = np.asarray(affinity.rows(np.array([i])), dtype=np.float64)[0]
        return np.where(similarities == 0, np.inf, -similarities)

    i, j, lengths = spanning_tree(affinity.n, row, check=context.check)
    if not np.isfinite(lengths).all():
        raise DataError(
            "Some parts of the data have no similarity with others, so they cannot be "
            "connected. Use a wider kernel or more neighbours.",
            code="not-connected",
        )
    last = int(lengths.argmax()) if len(lengths) else -1
    weakest = -float(lengths[last]) if len(lengths) else 0.0
    graph: Any = at_least(affinity, weakest, check=context.check).tocoo()
    others = graph.row != graph.col
    parts = (graph.data[others], (graph.row[others], graph.col[others]))
    graph = joined(type(graph)(parts, shape=graph.shape).tocsr(), "max")
    edge = [int(i[last]), int(j[last])] if len(lengths) else []
    return graph, {"weakest_edge": weakest, "last_edge": edge}
