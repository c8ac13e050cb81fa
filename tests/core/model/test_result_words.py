"""Results in a line."""

import numpy as np

from coterie.core import Clustering, Dataset, Ranking
from coterie.core.model.result_words import clustering_summary, ranking_summary


def test_many_groups_are_counted_not_listed() -> None:
    nine = Clustering(labels=np.repeat(np.arange(9), 2))
    assert clustering_summary(nine) == "9 groups of 2, 2, 2, 2, 2, 2 and 3 others"
    three = Clustering(labels=np.array([0, 0, 0, 1, 1, 2]))
    assert clustering_summary(three) == "3 groups of 3, 2 and 1 items"


def test_a_ranking_counts_the_items_it_lists() -> None:
    data = Dataset(features=np.zeros((5, 1)))
    some = Ranking(scores=np.arange(5.0), order=np.array([4, 2]), dataset=data)
    assert ranking_summary(some) == "2 items ranked, first 5 and 3"
