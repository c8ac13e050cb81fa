"""Ranking by plain distance."""

from typing import Any

import numpy as np

from coterie.core import Clustering, Context, Dataset, Ranking
from coterie.plugins.rankers.distance import Distance

X = np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0], [10.0, 0.0]])


def rank(clustering: Clustering | None = None, **params: Any) -> Ranking:
    data = Dataset(features=X, items=("a", "b", "c", "d"))
    return Distance().compute(data, clustering, params=Distance.Params(**params), context=Context())


def test_from_a_named_item_the_nearest_come_first() -> None:
    ranking = rank(scope="items", items=["a"])
    assert ranking.scores.tolist() == [0, -5, -1, -10]
    assert ranking.order is not None
    assert ranking.order.tolist() == [0, 2, 1, 3]
    assert ranking.relative_to == "a"


def test_globally_from_the_middle_of_all() -> None:
    np.testing.assert_allclose(rank().scores, -np.linalg.norm(X - X.mean(axis=0), axis=1))


def test_items_in_no_group_score_lowest() -> None:
    ranking = rank(Clustering(labels=np.array([0, 0, 0, -1])), scope="within-cluster")
    assert ranking.scores[3] == ranking.scores.min()
    assert ranking.order is not None
    assert 3 not in ranking.order
