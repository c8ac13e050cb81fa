"""Self-tuning similarity: each item has its own width."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Floats, Graph
from coterie.core.numerics.similarity.affinity_ops import joined
from coterie.core.numerics.similarity.distances import row_blocks, squared_distances
from coterie.core.numerics.similarity.metric_choice import fitting_metric, rows_for
from coterie.core.numerics.similarity.neighbours import (
    FLOOR,
    GOOD_RECALL,
    Metric,
    floored,
    nearest_neighbours,
    neighbour_graph,
    require_neighbours,
)
from coterie.core.numerics.similarity.tiles import Check, tile_progress

# Of 10, 15, 20 and 30 the one with the highest precision at 10 on eight of fifteen sets.
KEPT = 15
SHARE_KEPT = 5  # "auto" keeps at most one in so many of the items, and at least so many


class SelfTuning(Graph):
    """Similarity exp(−d² / σ_i σ_j), σ_i the distance of item i to its k-th other item.

    Dense and loose groups side by side get widths of their own. Zero diagonal, no factor 2. All
    pairs, dense; or those of the nearest neighbours only, sparse, for many items. With `metric` and
    `keep` = auto it is the graph that ranks best relative to an item without knowing labels
    (docs/quality.md): the distance is the one by which half of the columns find the same
    neighbours as the other half.
    """

    id, title = "self-tuning", "Self-tuning"
    reference = "Zelnik-Manor, Perona (2004). Self-tuning spectral clustering. NIPS 17."
    needs = ("dataset",)

    class Params(Graph.Params):
        """Which neighbour sets the width, and which pairs are kept."""

        neighbour: int = Field(
            7,
            ge=1,
            description="Which nearest neighbour sets the width of an item.",
            json_schema_extra={"slider": [1, 50]},
        )
        keep: Annotated[int, Field(ge=0)] | Literal["auto"] = Field(
            0,
            description="Keep pairs where either item is among this many nearest neighbours of "
            "the other; 0: keep all; auto: 15, or fewer of fewer than 75 items.",
            json_schema_extra={"slider": [0, 100], "advanced": True},
        )
        metric: Literal["euclidean", "cosine", "manhattan", "auto"] = Field(
            "euclidean",
            description="Distance d: of the features, of their directions, or the sum of their "
            "differences; auto: the one on which random halves of the columns agree best.",
            json_schema_extra={"advanced": True},
        )

        def kept(self, n: int) -> int:
            """How many neighbours are kept of n items."""
            if self.keep != "auto":
                return self.keep
            return max(1, min(KEPT, max(SHARE_KEPT, n // SHARE_KEPT), n - 1))

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense, or with `keep` the sparse, similarities."""
        X, n = data.dense_features(), data.n
        context.check()
        keep = params.kept(n)
        own = min(params.neighbour, max(1, n - 1)) if params.keep == "auto" else params.neighbour
        require_neighbours(n, own, "neighbour")
        require_neighbours(n, keep, "keep")
        reach, notes = max(own, keep), []
        metric: Metric = "euclidean" if params.metric == "auto" else params.metric
        if params.metric == "auto":
            metric, why = fitting_metric(X, reach, context.rng, check=context.check)
            notes.append(why)
        X, ordering = rows_for(X, metric)
        found = nearest_neighbours(
            X, reach, metric=ordering, recall=GOOD_RECALL, check=context.check
        )
        indices, distances = found
        widths, raised = floored(distances[:, own - 1])
        if raised:
            notes.append(
                f"Widths of zero (duplicates), raised to {FLOOR:g} of the median: {raised}."
            )
        if keep:
            near, away = indices[:, :keep], distances[:, :keep]
            weights = away**2 / widths[:, None] / widths[near]
            graph = neighbour_graph(near, np.exp(-weights), n)
            form: dict[str, Any] = {"sparse": joined(graph, "max")}
        else:
            values = _squared(X, ordering, tile_progress(context, n))
            for rows in row_blocks(*values.shape):
                context.check()
                block = values[rows]
                block /= -widths[rows, None]
                block /= widths
                np.exp(block, out=block)
            # Divided by both widths in turn, which rounds differently for i, j and j, i.
            values = joined(values, "max", check=context.check)
            np.fill_diagonal(values, 0.0)
            form = {"values": values}
        return Affinity(
            **form,
            symmetric=True,
            title=f"Self-tuning similarity, neighbour {own}",
            dataset=data,
            notes=(*notes, *found.notes),
            details={"metric": metric} if params.metric != "euclidean" else {},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Two n × n matrices, or the neighbours."""
        n, d = data.n, data.d
        return Cost(
            bytes=(100 * n * params.kept(n) if params.keep else 16 * n * n)
            + 24 * n * d
            + (32 << 20),
            seconds=n * n * (2e-10 * d + 1e-8),
            alternatives=("keep the pairs of nearest neighbours only",),
        )


def _squared(X: Floats, metric: Metric, check: Check) -> Floats:
    """The squares of all distances."""
    if metric == "euclidean":
        return squared_distances(X, check=check)
    from scipy.spatial.distance import cdist

    values = np.empty((len(X), len(X)))
    for rows in row_blocks(*values.shape):
        check()
        np.square(cdist(X[rows], X, "cityblock"), out=values[rows])
    return values
