"""The items that a classifier learns from."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.core import Clustering, DataError, Dataset, Ranking
from coterie.core.numerics.partitions.training import training_items

DATA = Dataset(features=np.arange(6.0)[:, None])
GROUPS = Clustering(labels=np.array([1, 0, -1, 1, 0, 1]))


def test_clutter_is_left_out() -> None:
    training = training_items(DATA, GROUPS)
    assert training.items.tolist() == [0, 1, 3, 4, 5]
    assert training.labels.tolist() == [1, 0, 1, 0, 1]
    assert training.k == 2


def test_the_best_of_each_group_by_rank() -> None:
    ranking = Ranking(scores=np.array([3.0, 1.0, 9.0, 4.0, 2.0, 5.0]))
    training = training_items(DATA, GROUPS, ranking, top_per_cluster=2)
    assert training.items.tolist() == [1, 3, 4, 5]


def test_a_ranking_of_one_group_trains_on_that_group() -> None:
    ranking = Ranking(scores=np.arange(6.0), order=np.array([5, 3]))
    assert training_items(DATA, GROUPS, ranking, top_per_cluster=1).items.tolist() == [5]


@pytest.mark.parametrize(
    ("clustering", "ranking", "part"),
    [
        (Clustering(labels=np.zeros(5, np.int64)), None, "5 items, the data 6"),
        (Clustering(labels=np.full(6, -1)), None, "nothing to learn from"),
        (GROUPS, None, "only be found with a ranking"),
        (GROUPS, Ranking(scores=np.zeros(4)), "ranking has 4 items"),
        (GROUPS, Ranking(scores=np.zeros(6), order=np.array([2])), "lists no item"),
    ],
)
def test_what_does_not_fit_is_refused(
    clustering: Clustering, ranking: Ranking | None, part: str
) -> None:
    with pytest.raises(DataError, match=part):
        training_items(DATA, clustering, ranking, top_per_cluster=1)
