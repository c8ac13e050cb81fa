"""Stability: groups that are in the features are predicted, others are not."""

import numpy as np

from coterie.core import Clustering, Context, Dataset
from coterie.plugins.metrics.stability import Stability
from tests.refusals import refuses


def balls(n: int = 40) -> Dataset:
    rng = np.random.default_rng(0)
    return Dataset(
        features=np.repeat([[0.0, 0.0], [50.0, 0.0]], n, axis=0) + rng.random((2 * n, 2))
    )


def stability(labels: np.ndarray, data: Dataset | None, **params: int) -> float:
    found = Stability().compute(
        Clustering(labels=labels, dataset=data),
        params=Stability.Params(**params),
        context=Context(),
    )
    return float(found.value)


def test_balls_far_apart_are_fully_stable() -> None:
    assert stability(np.repeat([0, 1], 40), balls()) == 1


def test_labels_that_are_not_in_the_features_are_not() -> None:
    labels = np.tile([0, 1], 40)
    assert abs(stability(labels, balls(), splits=50)) < 0.2


def test_items_in_no_group_are_left_out_and_counted() -> None:
    labels = np.repeat([0, 1], 40)
    labels[::7] = -1
    found = Stability().compute(
        Clustering(labels=labels, dataset=balls()), params=Stability.Params(), context=Context()
    )
    assert found.value == 1
    assert found.notes == ("Items in no group, left out: 12.",)


def test_what_cannot_be_split_is_refused() -> None:
    with refuses("too-few-groups"):
        stability(np.zeros(80, dtype=int), balls())
    with refuses("features-needed"):
        stability(np.repeat([0, 1], 40), None)
    with refuses("items-mismatch"):
        Stability().compute(
            Clustering(labels=np.array([0, 1])),
            balls(),
            params=Stability.Params(),
            context=Context(),
        )
