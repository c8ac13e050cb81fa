"""Parallel coordinates: a line for each item across its features."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, Dataset, Field, Figure
from coterie.core.numerics.partitions.group_columns import (
    ColumnPlot,
    chosen_columns,
    dense_columns,
    group_means,
    sample_note,
    spread_items,
)


class ParallelCoordinates(ColumnPlot):
    """A line for each item across the features, from the least value below to the largest above.

    Lines of one group that run together show what its items share. A missing value breaks the line.
    Of many items a sample is drawn, evenly from each group.
    """

    id, title = "parallel-coordinates", "Parallel coordinates"
    reference = "Inselberg (1985). The plane with parallel coordinates. The Visual Computer 1."

    class Params(ColumnPlot.Params):
        """Which features, and how many items."""

        most_columns: int = Field(
            12,
            ge=2,
            le=60,
            description="Maximum number of features, when none are named.",
            json_schema_extra={"slider": [2, 30]},
        )
        most: int = Field(
            400,
            ge=10,
            le=5000,
            description="Maximum number of items to draw.",
            json_schema_extra={"slider": [50, 2000]},
        )

    def draw(self, groups: Clustering, data: Dataset, params: Params, context: Context) -> Figure:
        """Return the lines, each feature from 0 to 1."""
        assert data.features is not None
        means = group_means(data.features, groups.labels, max(1, groups.k))
        context.check()
        chosen, notes = chosen_columns(data, params.columns, means, params.most_columns)
        whole = dense_columns(data, np.arange(data.n), chosen)
        low = np.nanmin(whole, axis=0, initial=np.inf)
        high = np.nanmax(whole, axis=0, initial=-np.inf)
        empty = low > high
        low, high = np.where(empty, 0.0, low), np.where(empty, 0.0, high)
        shown = spread_items(groups.labels, params.most)
        half = high / 2 - low / 2  # the whole span of numbers near the largest is infinite
        values = (whole[shown] / 2 - low / 2) / np.where(half > 0, half, 1.0)
        values = np.where(half > 0, values, np.where(np.isnan(values), np.nan, 0.5))
        return Figure(
            form="lines",
            values=values,
            items=shown,
            groups=groups.labels[shown],
            group_names=groups.group_names,
            group_colours=groups.colours,
            columns=tuple(data.columns[j] for j in chosen.tolist()),
            axes=("feature", "from least to largest value"),
            notes=(*sample_note(len(shown), data.n), *notes),
            details={"low": low.tolist(), "high": high.tolist()},
        )
