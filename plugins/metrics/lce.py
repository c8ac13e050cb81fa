"""Local consistency error: how far one segmentation is from refining the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from coterie.core import Clustering, Context, Dataset, Field, Metric, Score, hookimpl
from coterie.core.contingency import contingency


class LCE(Metric):
    """How far groups and classes are from one refining the other: 0 when one does.

    For each item, the share of its class that lies outside its group, and the other way round;
    averaged for each item in the better direction.
    """

    id, title = "lce", "Local consistency error"
    reference = "Martin, Fowlkes, Tal, Malik (2001). Human segmented natural images. ICCV."

    class Params(Metric.Params):
        """What becomes of items in no group."""

        unassigned: Literal["exclude", "own-class"] = Field(
            "exclude", description="Leave items in no group out, or count them as a group."
        )

    def compute(
        self,
        clustering: Clustering,
        other: Clustering | Dataset | None = None,
        *,
        params: Params,
        context: Context,
    ) -> Score:
        """Return the error and the table of classes × groups."""
        context.check()
        table = contingency(clustering, other, params.unassigned)
        counts = table.counts
        outside_group = 1 - counts / counts.sum(axis=1, keepdims=True)
        outside_class = 1 - counts / counts.sum(axis=0, keepdims=True)
        of_class, of_group = counts * outside_group, counts * outside_class
        value = float(np.minimum(of_class, of_group).sum()) / table.n
        return Score(
            title="Local consistency error",
            dataset=clustering.dataset,
            value=value,
            table=table.counts,
            rows=table.rows,
            columns=table.columns,
            notes=table.notes,
            details={"items": table.n, "unassigned": params.unassigned},
        )


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer the local consistency error."""
    return [LCE]
