"""SALSA, compared with the walk that it is the long run of."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.plugins.rankers.salsa import Salsa
from tests.refusals import refuses


def shares(A: np.ndarray, score: Any = "authority", *, sparse: bool = False) -> Any:
    form = {"sparse": csr_array(A)} if sparse else {"values": A}
    found = Salsa().compute(
        Affinity(**form, symmetric=False), params=Salsa.Params(rank_by=score), context=Context()
    )
    return np.asarray(found.scores)


def long_run(A: np.ndarray) -> Any:
    """Where a walk back along a link and forth along another ends, from all linked items alike."""
    incoming = A.sum(axis=0)
    back = np.divide(A.T, incoming[:, None], out=np.zeros_like(A), where=incoming[:, None] > 0)
    outgoing = A.sum(axis=1)
    forth = np.divide(A, outgoing[:, None], out=np.zeros_like(A), where=outgoing[:, None] > 0)
    x = (incoming > 0) / (incoming > 0).sum()
    for _ in range(5000):
        x = x @ back @ forth
    return x


@pytest.mark.parametrize("sparse", [False, True])
def test_it_is_the_long_run_of_the_walk_in_every_part(sparse: bool) -> None:
    rng = np.random.default_rng(0)
    A = np.zeros((9, 9))
    A[:4, :5] = rng.random((4, 5))
    A[4:7, 5:8] = rng.random((3, 3))
    np.testing.assert_allclose(shares(A, sparse=sparse), long_run(A), atol=1e-9)
    np.testing.assert_allclose(shares(A, "hub"), long_run(A.T), atol=1e-9)


def test_items_without_links_have_no_share() -> None:
    A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert shares(A).tolist() == [0.5, 0.5, 0.0]
    with refuses("no-similarities"):
        shares(np.zeros((2, 2)))
