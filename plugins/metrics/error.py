"""Clustering error: the share of items outside the best matching of groups to classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from coterie.core import Clustering, Context, Dataset, Field, Metric, Score, hookimpl
from coterie.core.contingency import contingency


class ClusteringError(Metric):
    """Share of items in the wrong group, when each group is matched with at most one class.

    The matching is the best of all one-to-one matchings (Hungarian method).
    """

    id, title = "error", "Clustering error"
    reference = "Kuhn (1955). The Hungarian method for the assignment problem."

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
        """Return the number, the table of classes × groups, and the matching."""
        context.check()
        table = contingency(clustering, other, params.unassigned)
        rows, columns = table.matching()
        matched = int(table.counts[rows, columns].sum())
        return Score(
            title="Clustering error",
            dataset=clustering.dataset,
            value=1 - matched / table.n,
            table=table.counts,
            rows=table.rows,
            columns=table.columns,
            notes=table.notes,
            details={
                "items": table.n,
                "wrong": table.n - matched,
                "unassigned": params.unassigned,
                "matching": {
                    table.columns[column]: table.rows[row]
                    for row, column in zip(rows, columns, strict=True)
                },
            },
        )


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer the clustering error."""
    return [ClusteringError]
