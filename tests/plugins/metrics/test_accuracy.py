"""Accuracy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.plugins.metrics.accuracy import MatchedAccuracy


def score(labels: Any, truth: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth), truth_names=("a", "b", "c", "d"))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return MatchedAccuracy().compute(
        clustering, params=MatchedAccuracy.Params(**params), context=Context()
    )


def drawn(n: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, n), rng.integers(0, 3, n)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_it_is_what_the_error_leaves(n: int, seed: int) -> None:
    from coterie.plugins.metrics.error import ClusteringError

    labels, truth = drawn(n, seed)
    dataset = Dataset(title="d", truth=truth, truth_names=("a", "b", "c"))
    error = ClusteringError().compute(
        Clustering(labels=labels, dataset=dataset),
        params=ClusteringError.Params(),
        context=Context(),
    )
    assert score(labels, truth).value == pytest.approx(1 - error.value)


def test_it_agrees_with_scikit_learn_once_the_groups_have_names() -> None:
    from sklearn.metrics import accuracy_score, classification_report

    labels, truth = np.array([1, 1, 0, 0, 0, 2]), np.array([0, 0, 1, 1, 0, 2])
    named = np.array([1, 0, 2])[labels]
    got = score(labels, truth)
    assert got.value == pytest.approx(accuracy_score(truth, named))
    report = classification_report(truth, named, output_dict=True)
    assert got.details["producer"]["a"] == pytest.approx(report["0"]["recall"])
    assert got.details["user"]["b"] == pytest.approx(report["1"]["precision"])
    assert got.details["matching"] == {"group 2": "a", "group 1": "b", "group 3": "c"}


def test_unassigned_items_are_left_out_or_a_group_and_that_is_said() -> None:
    labels, truth = [0, 0, 1, -1], [0, 0, 1, 1]
    assert score(labels, truth).value == 1
    assert score(labels, truth).notes == ("1 item in no group left out.",)
    counted = score(labels, truth, unassigned="own-class")
    assert counted.value == pytest.approx(0.75)
    assert counted.details["unassigned"] == "own-class"
