"""Adjusted Rand index: agreement on which pairs of items belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from coterie.core import Clustering, Context, Dataset, Field, Ints, Metric, Score, hookimpl
from coterie.core.contingency import contingency


class AdjustedRand(Metric):
    """Agreement on pairs of items, corrected for chance: 1 when the same, 0 when unrelated.

    Of all pairs, those that are together in both, compared with as many as groups of these sizes
    would share by chance.
    """

    id, title = "adjusted-rand", "Adjusted Rand index"
    reference = "Hubert, Arabie (1985). Comparing partitions. Journal of Classification 2."

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
        """Return the index and the table of classes × groups."""
        context.check()
        table = contingency(clustering, other, params.unassigned)
        together = _pairs(table.counts)
        of_classes, of_groups = _pairs(table.counts.sum(axis=1)), _pairs(table.counts.sum(axis=0))
        expected = of_classes * of_groups / max(1.0, _pairs(np.array([table.n])))
        most = (of_classes + of_groups) / 2
        # Both are one group, or all groups single: they are the same, and nothing else could be.
        value = 1.0 if most == expected else (together - expected) / (most - expected)
        return Score(
            title="Adjusted Rand index",
            dataset=clustering.dataset,
            value=value,
            table=table.counts,
            rows=table.rows,
            columns=table.columns,
            notes=table.notes,
            details={"items": table.n, "unassigned": params.unassigned},
        )


def _pairs(counts: Ints) -> float:
    """The pairs within sets of these sizes; as floats, for 10^10 items have 10^20."""
    sizes = counts.astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer the adjusted Rand index."""
    return [AdjustedRand]
