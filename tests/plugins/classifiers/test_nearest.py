"""Classifying by the nearest labelled items."""

import numpy as np

from coterie.core import Clustering, Context, Dataset, Ranking
from coterie.plugins.classifiers.nearest import Nearest
from tests.refusals import refuses

DATA = Dataset(title="line", features=np.array([[0.0], [1.0], [5.0], [6.0], [20.0]]))
GROUPS = Clustering(labels=np.array([0, 0, 1, 1, -1]), names=("land", "cloud"))


def fitted(**params: int) -> "tuple[Nearest, object]":
    ranking = Ranking(scores=np.array([1.0, 2.0, 2.0, 1.0, 9.0]))
    model = Nearest().compute(
        DATA, GROUPS, ranking, params=Nearest.Params(**params), context=Context()
    )
    return Nearest(), model


def test_new_items_take_the_group_of_the_nearest() -> None:
    component, model = fitted()
    new = Dataset(features=np.array([[2.0], [4.0], [100.0]]))
    found = component.apply(model, new, Context(workers=2))  # type: ignore[arg-type]
    assert found.labels.tolist() == [0, 1, 1]
    assert found.names == ("land", "cloud")


def test_only_the_best_of_each_group_are_trained_on() -> None:
    _, model = fitted(top_per_cluster=1)
    assert model.arrays["samples"].tolist() == [[1.0], [5.0]]  # type: ignore[attr-defined]


def test_several_neighbours_vote() -> None:
    component, model = fitted(neighbours=3)
    new = Dataset(features=np.array([[2.9]]))
    assert component.apply(model, new, Context()).labels.tolist() == [0]  # type: ignore[arg-type]


def test_new_items_need_the_same_columns() -> None:
    component, model = fitted()
    with refuses("columns-mismatch"):
        component.apply(model, Dataset(features=np.eye(2)), Context())  # type: ignore[arg-type]
