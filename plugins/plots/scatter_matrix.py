"""Scatter matrix: each pair of features against each other."""

from __future__ import annotations

from coterie.core import Clustering, Context, DataError, Dataset, Field, Figure
from coterie.core.numerics.partitions.group_columns import (
    ColumnPlot,
    chosen_columns,
    dense_columns,
    group_means,
    sample_note,
    spread_items,
)


class ScatterMatrix(ColumnPlot):
    """A plot for each pair of features, with the items in the colours of their groups.

    The features are those that set the groups apart the most, unless some are named. Of many items
    a sample is drawn, evenly from each group.
    """

    id, title = "scatter-matrix", "Scatter matrix"

    class Params(ColumnPlot.Params):
        """Which features, and how many items."""

        most_columns: int = Field(
            4,
            ge=2,
            le=8,
            description="Maximum number of features, when none are named.",
            json_schema_extra={"slider": [2, 8]},
        )
        most: int = Field(
            1000,
            ge=10,
            le=20_000,
            description="Maximum number of items to draw.",
            json_schema_extra={"slider": [100, 5000]},
        )

    def draw(self, groups: Clustering, data: Dataset, params: Params, context: Context) -> Figure:
        """Return the items by their values of the features."""
        assert data.features is not None
        means = group_means(data.features, groups.labels, max(1, groups.k))
        context.check()
        chosen, notes = chosen_columns(data, params.columns, means, params.most_columns)
        if not 2 <= len(chosen) <= 8:
            raise DataError(
                f"A scatter matrix needs two to eight features. Got {len(chosen)}. Draw the heat "
                "map of group means, or parallel coordinates.",
                code="wrong-shape",
            )
        shown = spread_items(groups.labels, params.most)
        return Figure(
            form="scatter",
            values=dense_columns(data, shown, chosen),
            items=shown,
            groups=groups.labels[shown],
            group_names=groups.group_names,
            group_colours=groups.colours,
            columns=tuple(data.columns[j] for j in chosen.tolist()),
            notes=(*sample_note(len(shown), data.n), *notes),
        )
