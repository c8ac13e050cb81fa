"""Stability matrix: in which groups the items of each group land when halves predict each other."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Dataset, Field, Figure, Floats
from coterie.core.numerics.partitions.group_columns import (
    GroupPlot,
    marks_of_groups,
    sample_note,
    spread_items,
)
from coterie.core.numerics.similarity.nearest import vote_of_nearest


class StabilityMatrix(GroupPlot):
    """How often items of a group are assigned to another when one half predicts the other.

    The items are split in two at random, again and again. Each item of the second half gets the
    group that most of its nearest neighbours in the first have. A row is a group, and its entries
    the shares of its items that were given to each group: 1 on the diagonal where it is stable.
    """

    id, title = "stability-matrix", "Stability matrix"

    class Params(GroupPlot.Params):
        """How often, and by how many neighbours."""

        splits: int = Field(
            10, ge=1, description="Number of random halves.", json_schema_extra={"slider": [1, 50]}
        )
        neighbours: int = Field(
            5,
            ge=1,
            description="Number of nearest neighbours that vote.",
            json_schema_extra={"slider": [1, 25]},
        )
        most: int = Field(
            4000,
            ge=20,
            le=50_000,
            description="Maximum number of items to use.",
            json_schema_extra={"slider": [500, 10_000]},
        )

    def draw(self, groups: Clustering, data: Dataset, params: Params, context: Context) -> Figure:
        """Return the shares as a matrix whose rows are the groups."""
        inside = np.flatnonzero(groups.labels >= 0)
        k = int(groups.labels.max(initial=-1)) + 1
        if len(inside) < 4 or len(np.unique(groups.labels[inside])) < 2:
            raise DataError(
                "A stability matrix needs at least four items in two groups or more.",
                code="too-few-groups",
            )
        shown = spread_items(groups.labels[inside], params.most)
        taken = inside[shown]
        X, labels = data.take(taken).dense_features(), groups.labels[taken]
        counts = np.zeros((k, k))
        for split in range(params.splits):
            context.progress(split, params.splits, "predicting halves")
            order = context.rng.permutation(len(labels))
            first, second = order[: len(order) // 2], order[len(order) // 2 :]
            predicted = vote_of_nearest(
                X[second], X[first], labels[first], k, params.neighbours, context.check
            )
            np.add.at(counts, (labels[second], predicted), 1.0)
        items, starts = marks_of_groups(groups.labels, k)
        names = groups.group_names[:k]
        return Figure(
            form="matrix",
            values=_shares(counts),
            items=items,
            starts=starts,
            groups=np.arange(k),
            group_names=names,
            group_colours=groups.colours,
            rows=names,
            columns=names,
            axes=("predicted group", "group"),
            notes=(_in_words(counts), *sample_note(len(shown), len(inside))),
        )

    def cost(self, groups: Clustering, d: int, params: Params) -> Cost:
        """Distances between halves."""
        n = min(groups.n, params.most)
        return Cost(
            bytes=32 * n * d + (64 << 20),
            seconds=params.splits * (1e-9 * n * n * d + 1e-3),
            alternatives=("lower the number of splits", "lower the number of items"),
        )


def _shares(counts: Floats) -> Floats:
    """Each row as shares; missing where none of its items was in a second half."""
    total = counts.sum(axis=1, keepdims=True)
    return np.where(total > 0, counts / np.maximum(total, 1), np.nan)


def _in_words(counts: Floats) -> str:
    kept = float(np.trace(counts) / max(counts.sum(), 1))
    return f"{kept:.0%} of the items were predicted to be in their own group."
