"""What of a result is shown first."""

import numpy as np

from coterie.core import Clustering, Dataset, Ranking
from coterie.projects.cli.preview_tables import by_group, overview_of

LABELS = np.array([1, 0, 1, 0, 1, -1])


def test_groups_that_were_ranked_on_their_own_stand_side_by_side() -> None:
    data = Dataset(features=np.zeros((6, 1)), items=(*"abcde", "f" * 99))
    ranking = Ranking(
        scores=np.arange(6.0), order=np.array([3, 1, 4, 2, 0]), scope="within-cluster", dataset=data
    )
    table = by_group(ranking, Clustering(labels=LABELS))
    assert table.names == ("rank", "group 1 (2)", "group 2 (3)")
    assert [list(column) for column in table.columns] == [
        [1, 2, 3],
        ["d", "b", ""],
        ["e", "c", "a"],
    ]


def test_nobody_is_called_typical_where_nothing_says_so() -> None:
    assert overview_of(Clustering(labels=LABELS)).names == ("group", "items", "examples")
    membership = np.eye(2)[np.maximum(LABELS, 0)]
    hard = Clustering(labels=LABELS, membership=membership)
    assert overview_of(hard).names == ("group", "items", "examples")
    soft = Clustering(labels=LABELS, membership=membership * [[1], [1], [1], [1], [0.9], [1]])
    assert overview_of(soft).names == ("group", "items", "typical")
