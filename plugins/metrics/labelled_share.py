"""Labelled share: how many of the items have a group at all."""

from __future__ import annotations

import numpy as np

from coterie.core import Clustering, Context, DataError, Metric, Score


class LabelledShare(Metric):
    """Share of the items that are in a group; the rest is unassigned clutter."""

    id, title = "labelled-share", "Labelled share"
    needs = ("clustering",)

    class Params(Metric.Params):
        """No parameters."""

    def compute(self, clustering: Clustering, *, params: Params, context: Context) -> Score:
        """Return the share, and the number of items in each group."""
        context.check()
        if not clustering.n:
            raise DataError(
                "There are no items, so the labelled share is undefined.", code="empty-data"
            )
        sizes = np.bincount(clustering.labels + 1, minlength=clustering.k + 1)
        return Score(
            title="Labelled share",
            dataset=clustering.dataset,
            value=float(1 - sizes[0] / clustering.n),
            table=sizes[:, None],
            rows=("unassigned", *clustering.group_names),
            columns=("items",),
            details={"items": clustering.n, "labelled": int(clustering.n - sizes[0])},
        )
