"""Adjusted Rand index."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.core.numerics.partitions.contingency import Contingency
from coterie.plugins.metrics.adjusted_rand import AdjustedRand


def score(labels: Any, truth: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth), truth_names=("a", "b", "c", "d"))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return AdjustedRand().compute(
        clustering, params=AdjustedRand.Params(**params), context=Context()
    )


def drawn(n: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, n), rng.integers(0, 3, n)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_it_agrees_with_scikit_learn(n: int, seed: int) -> None:
    from sklearn.metrics import adjusted_rand_score

    labels, truth = drawn(n, seed)
    assert score(labels, truth).value == pytest.approx(adjusted_rand_score(truth, labels))


def test_large_counts_do_not_overflow() -> None:
    counts = np.array([[10**10, 0], [0, 10**10]])
    assert Contingency(counts, ("a", "b"), ("x", "y")).adjusted_rand() == pytest.approx(1.0)


def test_unassigned_items_as_a_group() -> None:
    labels, truth = [0, 0, 1, -1], [0, 0, 1, 1]
    assert score(labels, truth).value == pytest.approx(1)
    assert score(labels, truth, unassigned="own-class").value < 1
    assert score([0], [0]).value == 1
