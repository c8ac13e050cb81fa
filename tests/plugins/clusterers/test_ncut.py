"""Normalised cut and its two-way recursion, against other ways to find them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Dataset
from coterie.core.numerics.spectral.cuts import normalised_cut
from coterie.plugins.clusterers.ncut import NCut
from coterie.plugins.clusterers.ncut_recursive import NCutRecursive
from coterie.plugins.clusterers.njw import NJW
from tests.refusals import refuses
from tests.rounding import rounding

from .graphs import clustering, planted, same_groups, truth


@pytest.mark.parametrize("seed", range(4))
def test_two_groups_cost_hardly_more_than_the_best_of_all_cuts(seed: int) -> None:
    A = planted((5, 4), between=0.6, seed=seed)
    affinity = Affinity(values=A)
    every = (np.array((0, *rest)) for rest in product((0, 1), repeat=8) if any(rest))
    best = min(normalised_cut(affinity, labels) for labels in every)
    found = clustering(NCutRecursive, affinity, k=2)
    assert found.details["normalised_cut"] <= 1.02 * best
    np.testing.assert_allclose(found.details["cuts"], [2 * found.details["normalised_cut"]])


def test_the_recursion_stops_where_cuts_cost_too_much() -> None:
    affinity = Affinity(values=planted(between=0.05))
    assert clustering(NCutRecursive, affinity, max_ncut=0.4).k == 3
    assert clustering(NCutRecursive, affinity, max_ncut=0.001).k == 1
    result = clustering(NCutRecursive, affinity, k=3, max_ncut=0.001)
    assert "at the cost allowed" in result.notes[0]


def test_the_recursion_takes_small_pieces_too() -> None:
    result = clustering(NCutRecursive, Affinity(values=planted((8, 3, 5), 0.0)), k=2)
    assert result.k == 2
    assert result.details["normalised_cut"] < rounding(1000)


def test_large_sparse_graphs_agree_with_scikit_learn() -> None:
    from sklearn.cluster import SpectralClustering
    from sklearn.neighbors import kneighbors_graph

    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0], [4, 0], [0, 4]])
    X = np.concatenate([rng.normal(c, 1.0, (200, 2)) for c in centres])
    near = kneighbors_graph(X, 10)
    A = csr_array((near + near.T) / 2)
    affinity = Affinity(sparse=A)
    theirs = SpectralClustering(3, affinity="precomputed", random_state=0).fit_predict(A)
    limit = normalised_cut(affinity, theirs.astype(np.int64)) + 1e-6
    for method in (NCut, NJW):
        assert clustering(method, affinity, k=3).details["normalised_cut"] <= 1.02 * limit


def test_rows_on_the_sphere_do_not_depend_on_the_diagonal() -> None:
    A = planted(between=0.3)
    heavy = A + np.diag(np.linspace(0, 50, len(A)))
    one, other = (clustering(NJW, Affinity(values=B), k=3) for B in (A, heavy))
    assert (one.labels == other.labels).all()
    assert same_groups(one.labels, truth())


def test_equal_eigenvalues_of_which_some_are_left_out_are_told() -> None:
    alike = Affinity(values=np.ones((6, 6)))
    assert "Eigenvalues 2 and 3 are equal up to rounding" in clustering(NCut, alike, k=2).notes[0]
    assert clustering(NCut, Affinity(values=planted()), k=3).notes == ()


def second_vector(A: np.ndarray) -> np.ndarray:
    """The second eigenvector of the walk, by the dense symmetric problem."""
    root = np.sqrt(A.sum(axis=1))
    _, vectors = np.linalg.eigh(A / np.outer(root, root))
    return np.asarray(vectors[:, -2] / root)


def test_the_eigenvector_is_cut_at_zero_or_in_the_middle() -> None:
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(0, 1, 14), rng.normal(5, 1, 7)])
    A = np.exp(-((X[:, None] - X) ** 2) / 4)
    np.fill_diagonal(A, 0)
    vector = second_vector(A)
    for split, left in (("zero", vector > 0), ("median", vector > np.median(vector))):
        found = clustering(NCutRecursive, Affinity(values=A), k=2, split=split)
        one = found.labels == found.labels[0]
        sides = min((one != (left == left[0])).sum(), (one == (left == left[0])).sum())
        assert sides <= (split == "median")  # of an odd number one is in the middle


def test_a_part_without_a_stable_cut_is_left_whole() -> None:
    X = np.linspace(0, 1, 80)
    A = np.exp(-((X[:, None] - X) ** 2) / 0.02)
    np.fill_diagonal(A, 0)
    even = clustering(NCutRecursive, Affinity(values=A), k=2, most_even=0.06)
    assert even.k == 1
    assert any("stably" in note for note in even.notes)
    clumps = np.concatenate([X / 10, 1 + X / 10])
    A = np.exp(-((clumps[:, None] - clumps) ** 2) / 0.02)
    np.fill_diagonal(A, 0)
    assert clustering(NCutRecursive, Affinity(values=A), k=2, most_even=0.06).k == 2


def test_a_graph_of_nothing_but_pairs_has_no_groups_to_find() -> None:
    pairs = Affinity(values=np.kron(np.eye(60), [[0.0, 1.0], [1.0, 0.0]]))
    with refuses("no-similarities"):
        clustering(NJW, pairs, k=5)


def test_groups_of_equal_items_are_said_to_be_arbitrary() -> None:
    blocks = np.kron(np.eye(4), np.ones((10, 10))) - np.eye(40)
    for features, said in ((np.ones((40, 2)), True), (np.arange(80.0).reshape(40, 2), False)):
        near = Affinity(values=blocks, dataset=Dataset(features=features))
        for method in (NCut, NJW):
            found = clustering(method, near, k=4)
            assert any("arbitrary" in note for note in found.notes) == said
