"""Self-tuning similarity: each item has its own width."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import Affinity, Context, Cost, Dataset, Field, Graph
from coterie.core.numerics.similarity.affinity_ops import joined
from coterie.core.numerics.similarity.distances import row_blocks, squared_distances
from coterie.core.numerics.similarity.neighbours import (
    FLOOR,
    GOOD_RECALL,
    floored,
    nearest_neighbours,
    neighbour_graph,
    require_neighbours,
)
from coterie.core.numerics.similarity.tiles import tile_progress


class SelfTuning(Graph):
    """Similarity exp(−d² / σ_i σ_j), σ_i the distance of item i to its k-th other item.

    Dense and loose groups side by side get widths of their own. Zero diagonal, no factor 2. All
    pairs, dense; or those of the nearest neighbours only, sparse, for many items.
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
        keep: int = Field(
            0,
            ge=0,
            description="Keep pairs where either item is among this many nearest neighbours of "
            "the other; 0: keep all.",
            json_schema_extra={"slider": [0, 100], "advanced": True},
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense, or with `keep` the sparse, similarities."""
        X = data.dense_features()
        context.check()
        require_neighbours(data.n, params.neighbour, "neighbour")
        require_neighbours(data.n, params.keep, "keep")
        reach = max(params.neighbour, params.keep)
        found = nearest_neighbours(X, reach, recall=GOOD_RECALL, check=context.check)
        indices, distances = found
        widths, raised = floored(distances[:, params.neighbour - 1])
        if params.keep:
            near, away = indices[:, : params.keep], distances[:, : params.keep]
            weights = away**2 / widths[:, None] / widths[near]
            graph = neighbour_graph(near, np.exp(-weights), data.n)
            form: dict[str, Any] = {"sparse": joined(graph, "max")}
        else:
            values = squared_distances(X, check=tile_progress(context, data.n))
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
        note = f"Widths of zero (duplicates), raised to {FLOOR:g} of the median: {raised}."
        return Affinity(
            **form,
            symmetric=True,
            title=f"Self-tuning similarity, neighbour {params.neighbour}",
            dataset=data,
            notes=(note, *found.notes) if raised else found.notes,
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """Two n × n matrices, or the neighbours."""
        n, d = data.n, data.d
        return Cost(
            bytes=(100 * n * params.keep if params.keep else 16 * n * n) + 24 * n * d + (32 << 20),
            seconds=n * n * (2e-10 * d + 1e-8),
            alternatives=(
                "keep the pairs of nearest neighbours only",
                "take a sample of the items",
            ),
        )
