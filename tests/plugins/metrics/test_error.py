"""Clustering error."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.plugins.metrics.error import ClusteringError


def error(labels: Any, truth: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth), truth_names=("a", "b", "c", "d"))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return ClusteringError().compute(
        clustering, params=ClusteringError.Params(**params), context=Context()
    )


@given(st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_no_other_matching_is_better(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, truth = rng.integers(0, 4, n), rng.integers(0, 4, n)
    best = max(int(np.sum(np.array(names)[labels] == truth)) for names in permutations(range(4)))
    score = error(labels, truth)
    assert score.value == pytest.approx(1 - best / n)
    assert score.details["wrong"] == n - best


def test_the_matching_is_told_by_name() -> None:
    score = error([1, 1, 0, 0, 0], [0, 0, 1, 1, 0])
    assert score.value == pytest.approx(0.2)
    assert score.details["matching"] == {"group 1": "b", "group 2": "a"}


def test_surplus_groups_are_all_wrong() -> None:
    assert error([0, 0, 1, 1], [0, 0, 0, 0]).value == pytest.approx(0.5)


def test_unassigned_items_count_as_wrong_only_when_asked() -> None:
    labels, truth = [0, 0, 1, -1], [0, 0, 1, 1]
    assert error(labels, truth).value == 0
    assert error(labels, truth, unassigned="own-class").value == pytest.approx(0.25)
