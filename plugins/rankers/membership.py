"""Rank by membership: the items that make up a group come first."""

from __future__ import annotations

import numpy as np

from coterie.core import (
    Clustering,
    Context,
    Cost,
    DataError,
    Floats,
    Ints,
    Ranker,
    Ranking,
)
from coterie.core.api.ranking_scope import Scope, ScopedParams, find_scope


class Membership(Ranker):
    """Order the items by their share in their group: the most typical come first.

    For a dominant set the share is the item's weight in the characteristic vector. Items that
    joined a group afterwards, and items in none, score 0. Relative to chosen items, the shares in
    the groups of those items count, each group by how many of them it holds.
    """

    id, title = "membership", "Membership"
    version = "2"
    reference = "Pavan, Pelillo (2007). Dominant sets and pairwise clustering. IEEE PAMI 29(1)."
    needs = ("clustering",)
    weighs_items = True

    class Params(ScopedParams):
        """What to rank."""

    def compute(self, clustering: Clustering, *, params: Params, context: Context) -> Ranking:
        """Return the shares as scores, and the order of the items in scope."""
        context.check()
        membership = clustering.membership
        if membership is None:
            raise DataError(
                f"'{clustering.title}' has no memberships to rank by. "
                "Choose a method that gives them, such as dominant sets, or another ranking.",
                code="no-memberships",
            )
        scope = find_scope(params, clustering.n, clustering, clustering.dataset)
        scores = _scores(clustering.labels, membership, scope, params.cluster)
        return scope.ranking(scores, title="Membership", dataset=clustering.dataset)

    def estimate(self, clustering: Clustering, *, params: Params) -> Cost:
        """A few vectors."""
        return Cost(bytes=64 * clustering.n, seconds=1e-7 * clustering.n)


def _scores(labels: Ints, membership: Floats, scope: Scope, cluster: int) -> Floats:
    n, k = membership.shape
    if k == 0 or (scope.name != "global" and cluster >= k):
        return np.zeros((n, max(1, len(scope.seeds))))
    if scope.name == "items":
        groups = labels[scope.seeds[0]]
        groups = groups[(groups >= 0) & (groups < k)]
        counts = np.bincount(groups, minlength=k) / len(scope.seeds[0])
        return np.asarray(membership @ counts)
    if cluster >= 0 and scope.name != "global":
        return np.asarray(membership[:, cluster])
    # The share in the item's own group, 0 for items in none.
    inside = (labels >= 0) & (labels < k)
    own = np.take_along_axis(membership, np.where(inside, labels, 0)[:, None], axis=1)[:, 0]
    own = np.where(inside, own, 0.0)
    return np.repeat(own[:, None], max(1, len(scope.seeds)), axis=1)
