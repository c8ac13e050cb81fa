"""Hubs and authorities are singular vectors."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Ranking
from coterie.plugins.rankers.hits import Hits
from tests.refusals import refuses


def rank(A: np.ndarray, *, sparse: bool = False, **params: Any) -> Ranking:
    form = {"sparse": csr_array(A)} if sparse else {"values": A}
    return Hits().compute(
        Affinity(**form, symmetric=False), params=Hits.Params(**params), context=Context()
    )


@pytest.mark.parametrize("sparse", [False, True])
def test_the_scores_are_the_leading_singular_vectors(sparse: bool) -> None:
    A = np.random.default_rng(0).random((7, 7))
    left, _, right = np.linalg.svd(A)
    for score, vector in (("hub", left[:, 0]), ("authority", right[0])):
        found = rank(A, sparse=sparse, rank_by=score)
        assert found.details["converged"]
        np.testing.assert_allclose(found.scores, np.abs(vector) / np.abs(vector).sum(), rtol=1e-6)


def test_a_limit_that_is_hit_is_said() -> None:
    found = rank(np.random.default_rng(1).random((6, 6)), max_iterations=1)
    assert not found.details["converged"]
    assert found.notes


def test_links_that_are_none_are_refused() -> None:
    with refuses("negative-similarities"):
        rank(np.array([[0.0, -1.0], [1.0, 0.0]]))
    with refuses("no-similarities"):
        rank(np.zeros((3, 3)))
