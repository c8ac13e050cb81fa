"""Rank by membership: the items that make up a group come first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from coterie.core import (
    Clustering,
    Context,
    DataError,
    Field,
    ParameterError,
    Ranker,
    Ranking,
    hookimpl,
)


class Membership(Ranker):
    """Order the items by their share in their group: the most typical come first.

    For a dominant set the share is the item's weight in the characteristic vector. Items that
    joined a group afterwards, and items in none, score 0.
    """

    id, title = "membership", "Membership"
    reference = "Pavan, Pelillo (2007). Dominant sets and pairwise clustering. IEEE PAMI 29(1)."
    needs = ("clustering",)

    class Params(Ranker.Params):
        """What to rank."""

        scope: Literal["global", "within-cluster"] = Field(
            "global",
            description="All items by the share in their own group, or group by group.",
        )
        cluster: int = Field(
            -1,
            ge=-1,
            description="The one group to rank; -1: every group on its own.",
            json_schema_extra={"only_if": {"scope": ["within-cluster"]}},
        )

    def compute(self, clustering: Clustering, *, params: Params, context: Context) -> Ranking:
        """Return the shares as scores, and the order of the items in scope."""
        context.check()
        membership = clustering.membership
        if membership is None:
            raise DataError(
                f"'{clustering.title}' has no memberships to rank by. "
                "Choose a method that gives them, such as dominant sets, or another ranking."
            )
        labels, k = clustering.labels, membership.shape[1]
        if params.cluster >= max(k, 1):
            raise ParameterError(
                f"There is no group {params.cluster}. The groups are 0 to {k - 1}."
                if k
                else "There are no groups to rank."
            )
        if params.scope == "within-cluster" and params.cluster >= 0 and k:
            scores = np.array(membership[:, params.cluster])
            members = np.flatnonzero(labels == params.cluster)
            order = members[np.argsort(-scores[members], kind="stable")]
            relative_to = f"group {params.cluster}"
        else:
            # The share in the item's own group, 0 for items in none.
            own = np.clip(labels, 0, None)[:, None]
            scores = (
                np.where(labels >= 0, np.take_along_axis(membership, own, axis=1)[:, 0], 0.0)
                if k
                else np.zeros(clustering.n)
            )
            if params.scope == "global":
                order = np.argsort(-scores, kind="stable")
                relative_to = "the whole set"
            else:
                grouped = np.lexsort((-scores, labels))
                order = grouped[labels[grouped] >= 0]
                relative_to = "each group on its own"
        return Ranking(
            title="Membership",
            dataset=clustering.dataset,
            scores=scores,
            order=order,
            scope=params.scope,
            relative_to=relative_to,
        )


@hookimpl
def coterie_rankers() -> Sequence[type[Ranker]]:
    """Offer ranking by membership."""
    return [Membership]
