"""Groups of any method are made to keep to links."""

from dataclasses import replace
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


def test_items_in_no_group_that_belong_together_become_one() -> None:
    loose = replace(GROUPS, labels=np.array([-1, -1, 0, 0, 1, 1]))
    found = linked(groups=loose, together=[[0, 1]], apart=[[0, 2]])
    assert found.labels.tolist() == [2, 2, 0, 0, 1, 1]


def test_names_stay_with_the_groups_that_they_name() -> None:
    named = replace(GROUPS, names=("a", "b", "c"))
    assert linked(groups=named, together=[[0, 1, 2, 3, 4]]).names == ()
    kept = replace(named, labels=np.array([0, 0, 1, 2, 2, 2]))
    moved = linked(groups=kept, together=[[0, 3]], apart=[[3, 4]])
    assert moved.labels.tolist() == [0, 0, 1, 0, 2, 2]
    assert moved.names == ("a", "b", "c")
    # One joined and one divided: as many groups, but not the same ones.
    other = linked(groups=named, together=[[0, 2]], apart=[[4, 5]])
    assert other.labels.max() == 2
    assert other.names == ()
