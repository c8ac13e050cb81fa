"""The items that a classifier learns from."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.core import Clustering, DataError, Dataset, Ranking
from coterie.core.numerics.partitions.training import training_items
from tests.refusals import refuses

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
    ("clustering", "ranking", "code"),
    [
        (Clustering(labels=np.zeros(5, np.int64)), None, "items-mismatch"),
        (Clustering(labels=np.full(6, -1)), None, "no-groups"),
        (GROUPS, None, "ranking-needed"),
        (GROUPS, Ranking(scores=np.zeros(4)), "items-mismatch"),
        (GROUPS, Ranking(scores=np.zeros(6), order=np.array([2])), "no-groups"),
    ],
)
def test_what_does_not_fit_is_refused(
    clustering: Clustering, ranking: Ranking | None, code: str
) -> None:
    with refuses(code, DataError):
        training_items(DATA, clustering, ranking, top_per_cluster=1)
