"""Accuracy: the share of items in the group that stands for their class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from coterie.core import Clustering, Context, Dataset, Field, Metric, Score, hookimpl
from coterie.core.contingency import contingency


class Accuracy(Metric):
    """Share of items in the right group, when each group stands for at most one class.

    The matching of groups to classes is the best of all one-to-one matchings; it is told, with
    each class's producer's accuracy (share of the class found) and user's accuracy (share of the
    group that is right).
    """

    id, title = "accuracy", "Accuracy"
    reference = "Congalton (1991). A review of assessing the accuracy of classifications. RSE 37."

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
        """Return the share, the table of classes × groups, and the matching."""
        context.check()
        table = contingency(clustering, other, params.unassigned)
        rows, columns = table.matching()
        hits = table.counts[rows, columns]
        classes = [table.rows[row] for row in rows]
        of_class, of_group = table.counts.sum(axis=1)[rows], table.counts.sum(axis=0)[columns]
        return Score(
            title="Accuracy",
            dataset=clustering.dataset,
            value=float(hits.sum() / table.n),
            table=table.counts,
            rows=table.rows,
            columns=table.columns,
            notes=table.notes,
            details={
                "items": table.n,
                "unassigned": params.unassigned,
                "matching": dict(zip([table.columns[j] for j in columns], classes, strict=True)),
                "producer": dict(zip(classes, (hits / of_class).tolist(), strict=True)),
                "user": dict(zip(classes, (hits / of_group).tolist(), strict=True)),
            },
        )


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer the accuracy."""
    return [Accuracy]
