"""Merging groups: scipy's trees, spanning trees, and the number that lasts longest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist

from coterie.core import Affinity, DataError
from coterie.core.numerics.partitions.linkage import (
    longest_lifetime,
    merges_of_affinity,
    merges_of_features,
)
from tests.refusals import refuses
from tests.rounding import rounding


def same_partition(one: Any, other: Any) -> bool:
    pairs = len(set(zip(np.asarray(one).tolist(), np.asarray(other).tolist(), strict=True)))
    return pairs == len(set(np.asarray(one).tolist())) == len(set(np.asarray(other).tolist()))


@pytest.mark.parametrize("link", ["average", "complete", "single"])
def test_similarities_are_merged_as_the_distances_below_the_largest(link: Any) -> None:
    X = np.random.default_rng(0).normal(size=(25, 3))
    d = pdist(X)
    A = np.zeros((25, 25))
    A[np.triu_indices(25, 1)] = d.max() - d
    A += A.T
    np.fill_diagonal(A, d.max())
    expected = linkage(d, method=link)
    merges = merges_of_affinity(Affinity(values=A), link)
    np.testing.assert_allclose(merges.heights, expected[:, 2], atol=1e-10)
    for k in (2, 5, 9):
        assert same_partition(merges.labels(k), fcluster(expected, k, "maxclust"))
        assert merges_of_features(X, link).labels(k).max() == k - 1


def test_single_linkage_of_a_sparse_graph_needs_its_spanning_tree_only() -> None:
    rng = np.random.default_rng(1)
    A = rng.random((30, 30)) * (rng.random((30, 30)) < 0.15)
    A = np.maximum(A, A.T)
    np.fill_diagonal(A, 1.0)
    dense = merges_of_affinity(Affinity(values=A), "single")
    sparse = merges_of_affinity(Affinity(sparse=csr_array(A)), "single")
    np.testing.assert_allclose(sparse.heights, dense.heights, atol=rounding(8, A.max()))
    for k in (2, 4):
        if dense.heights[-k] < dense.heights[-k + 1]:
            assert same_partition(sparse.labels(k), dense.labels(k))


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_a_spanning_tree_does_not_depend_on_the_unit_of_the_similarities(unit: float) -> None:
    A = np.random.default_rng(2).random((12, 12))
    A = np.maximum(A, A.T)
    plain = merges_of_affinity(Affinity(values=A), "single")
    scaled = merges_of_affinity(Affinity(sparse=csr_array(unit * A)), "single")
    np.testing.assert_allclose(scaled.heights / unit, plain.heights, atol=rounding(8, A.max()))
    assert same_partition(scaled.labels(4), plain.labels(4))


def test_separate_parts_are_joined_last() -> None:
    A = np.kron(np.eye(3), np.full((4, 4), 0.5))
    merges = merges_of_affinity(Affinity(sparse=csr_array(A)), "single")
    assert longest_lifetime(merges.heights) == 3
    assert merges.labels(3).tolist() == [0] * 4 + [1] * 4 + [2] * 4


def test_the_number_that_lasts_longest() -> None:
    assert longest_lifetime(np.zeros(5)) == 1
    assert longest_lifetime(np.zeros(0)) == 1
    assert longest_lifetime(np.array([1.0, 1.1, 5.0])) == 2


def test_ward_of_similarities_is_refused() -> None:
    with refuses("features-needed", DataError):
        merges_of_affinity(Affinity(values=np.eye(3)), "ward")
