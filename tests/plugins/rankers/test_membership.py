"""Ranking by membership."""

from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Ranking
from coterie.plugins.rankers.membership import Membership
from tests.refusals import refuses

GROUPS = Clustering(
    labels=np.array([0, 1, 0, -1, 1, 1]),
    membership=np.array([[0.3, 0], [0, 0.2], [0.7, 0], [0, 0], [0, 0.8], [0, 0]]),
)


def rank(clustering: Clustering = GROUPS, **params: Any) -> Ranking:
    return Membership().compute(clustering, params=Membership.Params(**params), context=Context())


def test_globally_the_largest_shares_come_first() -> None:
    ranking = rank()
    assert ranking.scores.tolist() == [0.3, 0.2, 0.7, 0, 0.8, 0]
    assert ranking.order is not None
    assert ranking.order.tolist() == [4, 2, 0, 1, 3, 5]


def test_within_each_group_clutter_is_not_listed() -> None:
    ranking = rank(scope="within-cluster")
    assert ranking.order is not None
    assert ranking.order.tolist() == [2, 0, 4, 1, 5]


def test_within_one_group() -> None:
    ranking = rank(scope="within-cluster", cluster=1)
    assert ranking.scores.tolist() == [0, 0.2, 0, 0, 0.8, 0]
    assert ranking.order is not None
    assert ranking.order.tolist() == [4, 1, 5]
    assert ranking.relative_to == "group 2 (label 1)"


def test_across_groups_the_share_in_the_first_counts_and_the_others_are_listed() -> None:
    ranking = rank(scope="across-cluster", cluster=1, of_cluster=0)
    assert ranking.scores.tolist() == [0, 0.2, 0, 0, 0.8, 0]
    assert ranking.order is not None
    assert sorted(ranking.order.tolist()) == [0, 2]
    everyone_else = rank(scope="across-cluster", cluster=1)
    assert everyone_else.order is not None
    assert sorted(everyone_else.order.tolist()) == [0, 2, 3]


def test_relative_to_items_their_groups_count() -> None:
    ranking = rank(scope="items", items=[0, 4])
    np.testing.assert_allclose(ranking.scores, [0.15, 0.1, 0.35, 0, 0.4, 0])


def test_a_group_that_is_not_there() -> None:
    with refuses("unknown-group"):
        rank(scope="within-cluster", cluster=2)


def test_a_clustering_without_memberships_is_refused() -> None:
    with refuses("no-memberships"):
        rank(Clustering(labels=np.array([0, 1])))


def test_no_groups_at_all_rank_nobody_above_another() -> None:
    none = Clustering(labels=np.array([-1, -1]), membership=np.zeros((2, 0)))
    assert rank(none).scores.tolist() == [0, 0]
