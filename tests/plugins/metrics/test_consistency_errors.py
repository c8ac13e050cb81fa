"""Global and local consistency error: what one partition loses that the other keeps apart."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Metric, Score
from coterie.plugins.metrics.gce import GCE
from coterie.plugins.metrics.lce import LCE


def score(metric: type[Metric], labels: Any, truth: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth), truth_names=("a", "b", "c", "d"))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    got: Score = metric().compute(clustering, params=metric.Params(), context=Context())
    return got


def drawn(n: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, n), rng.integers(0, 3, n)


def errors(labels: Any, truth: Any) -> tuple[Any, Any]:
    """The refinement errors of each item, straight from their definition."""

    def one_way(own: Any, other: Any) -> Any:
        return np.array(
            [
                len(set(np.flatnonzero(own == own[p])) - set(np.flatnonzero(other == other[p])))
                / (own == own[p]).sum()
                for p in range(len(own))
            ]
        )

    return one_way(labels, truth), one_way(truth, labels)


@pytest.mark.parametrize(
    ("metric", "of"),
    [
        (GCE, lambda one, other: min(one.mean(), other.mean())),
        (LCE, lambda one, other: np.minimum(one, other).mean()),
    ],
)
@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_it_follows_the_definition(
    metric: type[Metric], of: Callable[[Any, Any], float], n: int, seed: int
) -> None:
    labels, truth = drawn(n, seed)
    assert score(metric, labels, truth).value == pytest.approx(of(*errors(labels, truth)))


@pytest.mark.parametrize("metric", [GCE, LCE])
def test_a_refinement_is_no_error(metric: type[Metric]) -> None:
    assert score(metric, [0, 1, 2, 3], [0, 0, 1, 1]).value == pytest.approx(0)
    assert score(metric, [0, 0, 0, 0], [0, 0, 1, 1]).value == pytest.approx(0)
    assert score(metric, [0, 1, 0, 1], [0, 0, 1, 1]).value == pytest.approx(0.5)


@pytest.mark.parametrize("metric", [GCE, LCE])
def test_unassigned_items_are_left_out_and_that_is_said(metric: type[Metric]) -> None:
    got = score(metric, [0, 0, 1, -1], [0, 0, 1, 1])
    assert got.value == pytest.approx(0)
    assert got.notes == ("1 item in no group left out.",)
