"""Groups of any method are made to keep to links."""

from typing import Any

import numpy as np

from coterie.core import Clustering, Context, DataError, Dataset
from coterie.plugins.clusterers.linked import Linked
from tests.refusals import refuses

DATA = Dataset(kind="table", features=np.arange(6.0)[:, None])
GROUPS = Clustering(labels=np.array([0, 0, 1, 1, 2, 2]), dataset=DATA, title="Thirds")


def linked(groups: Clustering = GROUPS, data: Dataset = DATA, **params: Any) -> Clustering:
    asked = Linked.Params(**params)
    return Linked().compute(groups, data, params=asked, context=Context())


def test_linked_groups_become_one() -> None:
    found = linked(together=[[0, 2]])
    assert found.labels.tolist() == [0, 0, 0, 0, 1, 1]
    assert found.notes[-1] == "3 groups became 2 groups to keep to the links."


def test_what_holds_already_is_left_alone() -> None:
    found = linked(together=[[0, 1]], apart=[[0, 2]])
    assert found.labels.tolist() == GROUPS.labels.tolist()
    assert found.title == "Thirds"


def test_groups_of_other_items_are_refused() -> None:
    with refuses("items-mismatch", DataError):
        linked(data=DATA.take(np.arange(4)), together=[[0, 1]])
