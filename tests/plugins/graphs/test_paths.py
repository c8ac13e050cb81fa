"""Minimax paths, compared with all paths of small graphs and with single linkage."""

import itertools

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.sparse import csr_array
from scipy.spatial.distance import squareform

from coterie.core import Affinity, Context
from coterie.plugins.graphs.paths import Paths
from tests.refusals import refuses
from tests.rounding import rounding


def paths(A: np.ndarray, *, sparse: bool = False) -> Affinity:
    form = {"sparse": csr_array(A)} if sparse else {"values": A}
    return Paths().compute(Affinity(**form), params=Paths.Params(), context=Context())


def symmetric(n: int, seed: int = 0) -> np.ndarray:
    A = np.random.default_rng(seed).random((n, n))
    A = (A + A.T) / 2
    np.fill_diagonal(A, 1.0)
    return A


@pytest.mark.parametrize("sparse", [False, True])
def test_it_is_the_weakest_link_of_the_best_of_all_paths(sparse: bool) -> None:
    A = symmetric(6)
    A[A < 0.4] = 0.0
    found = paths(A, sparse=sparse).to_dense()
    for i, j in itertools.combinations(range(6), 2):
        others = [item for item in range(6) if item not in (i, j)]
        ways = (
            (i, *middle, j) for size in range(5) for middle in itertools.permutations(others, size)
        )
        best = max(min(A[a, b] for a, b in itertools.pairwise(way)) for way in ways)
        assert found[i, j] == best
        assert found[j, i] == best
    np.testing.assert_array_equal(found.diagonal(), A.diagonal())


def test_it_is_where_single_linkage_joins() -> None:
    A = symmetric(30, 1)
    apart = squareform(1 - A, checks=False)
    joined = 1 - squareform(cophenet(linkage(apart, "single")))
    found = paths(A).to_dense().copy()
    np.fill_diagonal(found, 1.0)
    np.testing.assert_allclose(found, joined, atol=rounding(4))


def test_ties_and_parts_without_a_path() -> None:
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = A[2, 3] = A[3, 2] = 0.5
    found = paths(A)
    assert found.to_dense().tolist() == A.tolist()
    assert found.details["parts"] == 2


def test_directed_or_negative_similarities_are_refused() -> None:
    with refuses("not-symmetric"):
        paths(np.array([[0.0, 1.0], [0.2, 0.0]]))
    with refuses("negative-similarities"):
        paths(np.array([[0.0, -1.0], [-1.0, 0.0]]))
