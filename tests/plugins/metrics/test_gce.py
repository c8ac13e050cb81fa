"""Global consistency error."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.plugins.metrics.gce import GCE


def score(labels: Any, truth: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth), truth_names=("a", "b", "c", "d"))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return GCE().compute(clustering, params=GCE.Params(**params), context=Context())


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


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_it_follows_the_definition(n: int, seed: int) -> None:
    labels, truth = drawn(n, seed)
    one, other = errors(labels, truth)
    assert score(labels, truth).value == pytest.approx(min(one.sum(), other.sum()) / n)


def test_a_refinement_is_no_error() -> None:
    assert score([0, 1, 2, 3], [0, 0, 1, 1]).value == pytest.approx(0)
    assert score([0, 0, 0, 0], [0, 0, 1, 1]).value == pytest.approx(0)
    assert score([0, 1, 0, 1], [0, 0, 1, 1]).value == pytest.approx(0.5)


def test_unassigned_items_are_left_out_and_that_is_said() -> None:
    got = score([0, 0, 1, -1], [0, 0, 1, 1])
    assert got.value == pytest.approx(0)
    assert got.notes == ("1 item in no group left out.",)
