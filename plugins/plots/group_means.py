"""Heat map of group means: how each group differs from all items, column by column."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, DataError, Dataset, Field, Figure
from coterie.core.numerics.partitions.group_columns import (
    ColumnPlot,
    chosen_columns,
    group_means,
    marks_of_groups,
)


class GroupMeansPlot(ColumnPlot):
    """A row for each group, a column for each feature: the darker, the further from the mean.

    Each number is the mean of the group minus the mean of all items, in standard deviations of all
    items. Missing values are left out; a group without any value of a feature is shown as missing.
    """

    id, title = "group-means", "Heat map of group means"

    class Params(ColumnPlot.Params):
        """Which features."""

        most: int = Field(
            40,
            ge=1,
            le=400,
            description="Maximum number of features, when none are named.",
            json_schema_extra={"slider": [2, 100]},
        )

    def draw(self, groups: Clustering, data: Dataset, params: Params, context: Context) -> Figure:
        """Return the means as a matrix whose rows are the groups."""
        k = int(groups.labels.max(initial=-1)) + 1
        if k < 1:
            raise DataError(
                "No item is in a group, so there are no means to draw. Choose another result.",
                code="too-few-groups",
            )
        assert data.features is not None
        means = group_means(data.features, groups.labels, k)
        context.check()
        chosen, notes = chosen_columns(data, params.columns, means, params.most)
        items, starts = marks_of_groups(groups.labels, k)
        return Figure(
            form="matrix",
            values=means.z[:, chosen],
            items=items,
            starts=starts,
            groups=np.arange(k),
            group_names=groups.group_names[:k],
            group_colours=groups.colours,
            rows=groups.group_names[:k],
            columns=tuple(data.columns[j] for j in chosen.tolist()),
            axes=("feature", "group"),
            notes=("Means in standard deviations from the mean of all items.", *notes),
        )
