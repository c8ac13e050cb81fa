"""Silhouette plot: for each item, whether it is nearer to its own group than to the next."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, Cost, DataError, Dataset, Field, Figure
from coterie.core.numerics.partitions.group_columns import GroupPlot, sample_note, spread_items
from coterie.core.numerics.partitions.silhouettes import BLOCK_BYTES, silhouettes


class Silhouettes(GroupPlot):
    """A bar for each item, by group: long where it fits its group, below 0 where another is nearer.

    With a the mean distance of an item to the others of its group, and b the smallest mean distance
    to another group, its silhouette is (b − a) / max(a, b). Euclidean distances of the features. Of
    many items a sample is drawn, evenly from each group, and compared among itself.
    """

    id, title = "silhouettes", "Silhouette plot"
    reference = "Rousseeuw (1987). Silhouettes. J. Computational and Applied Mathematics 20."

    class Params(GroupPlot.Params):
        """How many items."""

        most: int = Field(
            2000,
            ge=10,
            le=20_000,
            description="Maximum number of items to draw.",
            json_schema_extra={"slider": [100, 5000]},
        )

    def draw(self, groups: Clustering, data: Dataset, params: Params, context: Context) -> Figure:
        """Return the bars, the longest of each group first."""
        inside = np.flatnonzero(groups.labels >= 0)
        labels = groups.labels[inside]
        if len(np.unique(labels)) < 2:
            found = "There is 1" if len(inside) else "There are none"
            raise DataError(
                f"A silhouette plot needs at least two groups. {found}.", code="too-few-groups"
            )
        shown = spread_items(labels, params.most)
        items, labels = inside[shown], labels[shown]
        X = data.take(items).dense_features()
        _, group = np.unique(labels, return_inverse=True)
        lengths = silhouettes(X, group, context)
        order = np.lexsort((-lengths, labels))
        mean = float(lengths.mean())
        left = groups.n - len(inside)
        return Figure(
            form="bars",
            values=lengths[order],
            items=items[order],
            groups=labels[order],
            group_names=groups.group_names,
            group_colours=groups.colours,
            axes=("silhouette", "items, by group"),
            notes=(
                f"Mean {mean:.3g}; {int((lengths < 0).sum())} of {len(lengths):,} below 0.",
                *sample_note(len(shown), len(inside)),
                *((f"Items in no group, left out: {left:,}.",) if left else ()),
            ),
            details={"mean": mean},
        )

    def cost(self, groups: Clustering, d: int, params: Params) -> Cost:
        """The distances of the items that are drawn, some of them at a time."""
        n = min(groups.n, params.most)
        return Cost(
            bytes=8 * n * (max(1, groups.k) + 3 * d) + 4 * BLOCK_BYTES,
            seconds=1e-9 * n**2 * (d + 5),
        )
