"""Cohen's kappa: agreement beyond what chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from coterie.core import Clustering, Context, Dataset, Field, Metric, Score, hookimpl
from coterie.core.contingency import contingency


class Kappa(Metric):
    """Agreement of groups and classes beyond chance: 1 when perfect, 0 when by chance.

    Each group stands for the class that the best one-to-one matching gives it; groups left over
    agree with no class.
    """

    id, title = "kappa", "Cohen's kappa"
    reference = "Cohen (1960). A coefficient of agreement for nominal scales."

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
        """Return kappa and the table of classes × groups."""
        context.check()
        table = contingency(clustering, other, params.unassigned)
        rows, columns = table.matching()
        agreed = float(table.counts[rows, columns].sum() / table.n)
        of_class = table.counts.sum(axis=1)[rows] / table.n
        of_group = table.counts.sum(axis=0)[columns] / table.n
        by_chance = float((of_class * of_group).sum())
        # One class and one group agree wholly, and could do no else.
        value = 1.0 if by_chance == 1.0 else (agreed - by_chance) / (1 - by_chance)
        return Score(
            title="Cohen's kappa",
            dataset=clustering.dataset,
            value=value,
            table=table.counts,
            rows=table.rows,
            columns=table.columns,
            notes=table.notes,
            details={
                "items": table.n,
                "unassigned": params.unassigned,
                "agreed": agreed,
                "by_chance": by_chance,
            },
        )


@hookimpl
def coterie_metrics() -> Sequence[type[Metric]]:
    """Offer Cohen's kappa."""
    return [Kappa]
