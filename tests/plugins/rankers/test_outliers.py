"""Outliers of data and of similarities, by their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, DataError, Dataset, Ranking
from coterie.plugins.rankers.outliers import Outliers
from tests.refusals import refuses


def run(source: Any, **params: Any) -> Ranking:
    return Outliers().compute(source, params=Outliers.Params(**params), context=Context())


def test_the_distance_to_the_last_neighbour_is_the_score() -> None:
    X = np.array([[0.0], [1.0], [3.0], [20.0]])
    found = run(Dataset(features=X), neighbours=2)
    assert found.scores.tolist() == [3.0, 2.0, 3.0, 19.0]
    assert found.order is not None
    assert found.order[0] == 3


@pytest.mark.parametrize("of_data", ["distance", "density"])
def test_a_stray_item_comes_first(of_data: str) -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    X[17] = [9.0, -9.0]
    assert run(Dataset(features=X), of_data=of_data).scores.argmax() == 17


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_items_have_scores(n: int) -> None:
    for of_data in ("distance", "density"):
        assert np.isfinite(run(Dataset(features=np.ones((n, 1))), of_data=of_data).scores).all()


def _similar() -> np.ndarray:
    X = np.random.default_rng(1).normal(size=(12, 2))
    return np.asarray(np.exp(-((X[:, None] - X[None]) ** 2).sum(2)))


@pytest.mark.parametrize("sparse", [False, True])
def test_walks_that_restart_spend_the_share_of_time_that_the_score_says(sparse: bool) -> None:
    A = _similar()
    source = Affinity(sparse=csr_array(A)) if sparse else Affinity(values=A)
    P = A / A.sum(1)[:, None]
    stay = 0.9 * np.linalg.inv(np.eye(12) - 0.1 * P).diagonal()
    exact = stay * A.sum() / A.sum(1)
    # What is left out are steps from the third on: at most 0.1³ of the walk.
    np.testing.assert_allclose(run(source, of_similarities="restart").scores, exact, rtol=2e-3)
    np.testing.assert_allclose(run(source).scores, A.sum() / A.sum(1))


def test_an_item_without_similarities_comes_first_and_negative_ones_are_refused() -> None:
    A = _similar()
    A[4] = A[:, 4] = 0.0
    assert run(Affinity(values=A)).scores.argmax() == 4
    with refuses("negative-similarities", DataError):
        run(Affinity(values=-A, nonnegative=False))
