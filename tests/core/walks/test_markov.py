"""The random walk on a graph: what it does to vectors, where it stays, where it cannot get out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError, Floats, ParameterError
from coterie.core.walks.markov import (
    closed_components,
    random_walk,
    stationary,
    strong_components,
    with_teleport,
)

FORMS = ("dense", "sparse", "factor")


def graph(n: int, form: str, *, seed: int = 0) -> Affinity:
    """A connected graph of n vertices; symmetric when factored, else directed."""
    rng = np.random.default_rng(seed)
    if form == "factor":
        return Affinity(factor=rng.random((n, 3)))
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    A[np.arange(n), (np.arange(n) + 1) % n] = 1.0  # a ring: every vertex reaches every other
    given: dict[str, Any] = {"values": A} if form == "dense" else {"sparse": csr_array(A)}
    return Affinity(**given, symmetric=False)


def eigenvector(P: Floats) -> Floats:
    values, vectors = np.linalg.eig(P.T)
    leading = np.real(vectors[:, np.argmax(values.real)])
    return np.asarray(leading / leading.sum())


@pytest.mark.parametrize("teleport", [0.0, 1e-4, 0.15])
@pytest.mark.parametrize("form", FORMS)
def test_the_walk_does_to_vectors_what_its_matrix_does(form: str, teleport: float) -> None:
    affinity = graph(12, form)
    walk = random_walk(affinity, teleport=teleport)
    A = affinity.to_dense()
    P = (1 - teleport) * A / A.sum(axis=1, keepdims=True) + teleport / 12
    x = np.random.default_rng(1).random((12, 2))
    np.testing.assert_allclose(walk.to_dense(), P, atol=1e-14)
    for vectors in (x, x[:, 0]):
        np.testing.assert_allclose(walk.forward(vectors), P @ vectors, atol=1e-13)
        np.testing.assert_allclose(walk.backward(vectors), P.T @ vectors, atol=1e-13)


@pytest.mark.parametrize("teleport", [0.0, 1e-4, 0.15, 1.0])
@pytest.mark.parametrize("form", FORMS)
def test_the_stationary_distribution_is_the_left_eigenvector(form: str, teleport: float) -> None:
    walk = random_walk(graph(20, form), teleport=teleport)
    np.testing.assert_allclose(stationary(walk), eigenvector(walk.to_dense()), atol=1e-9)


def test_a_symmetric_graph_stays_by_its_degrees() -> None:
    A = np.random.default_rng(0).random((15, 15))
    A += A.T
    np.testing.assert_allclose(
        stationary(random_walk(Affinity(values=A))), A.sum(axis=1) / A.sum(), atol=1e-14
    )


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_large_sparse_walks_settle_by_a_krylov_method_or_directly(form: str) -> None:
    walk = random_walk(graph(500, form), teleport=0.0)
    pi = stationary(walk)
    assert pi.sum() == pytest.approx(1.0)
    assert np.abs(walk.backward(pi) - pi).max() < 1e-9


def test_from_a_vertex_without_an_edge_the_walk_goes_anywhere() -> None:
    A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    for given in ({"values": A}, {"sparse": csr_array(A)}):
        walk = random_walk(Affinity(**given, symmetric=False))
        np.testing.assert_allclose(walk.to_dense()[2], 1 / 3)
        np.testing.assert_allclose(walk.forward(np.array([3.0, 0.0, 0.0]))[2], 1.0)
        assert strong_components(walk)[0] == 1
        np.testing.assert_allclose(stationary(walk), eigenvector(walk.to_dense()), atol=1e-12)
    with pytest.raises(DataError, match="Items without an edge: 1, the first is number 3"):
        random_walk(Affinity(values=A, symmetric=False), dangling="error")


def two_sinks() -> Affinity:
    """0 leads to 1 and to the pair 2, 3, and neither lets go."""
    A = np.zeros((4, 4))
    A[0, 1] = A[0, 2] = A[1, 1] = A[2, 3] = A[3, 2] = 1.0
    return Affinity(sparse=csr_array(A), symmetric=False)


def test_what_cannot_be_left_is_found_and_asks_for_a_teleport() -> None:
    walk = random_walk(two_sinks())
    assert strong_components(walk)[0] == 3
    assert [part.tolist() for part in closed_components(walk)] == [[1], [2, 3]]
    with pytest.raises(DataError, match="2 closed parts"):
        stationary(walk)
    jumping = with_teleport(walk, 1e-4)
    assert strong_components(jumping)[0] == 1
    np.testing.assert_allclose(stationary(jumping), eigenvector(jumping.to_dense()), atol=1e-9)


def test_with_one_sink_all_the_walk_ends_there() -> None:
    A = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    walk = random_walk(Affinity(values=A, symmetric=False))
    assert [part.tolist() for part in closed_components(walk)] == [[1, 2]]
    np.testing.assert_allclose(stationary(walk), [0.0, 1 / 3, 2 / 3], atol=1e-12)


def test_components_of_a_dense_graph_of_two_parts() -> None:
    A = np.kron(np.eye(2), np.ones((3, 3)))
    count, labels = strong_components(random_walk(Affinity(values=A)))
    assert count == 2
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1


def test_bad_graphs_are_refused_in_words() -> None:
    with pytest.raises(DataError, match="negative"):
        random_walk(Affinity(values=np.array([[0.0, -1.0], [-1.0, 0.0]])))
    with pytest.raises(DataError, match="too large"):
        random_walk(Affinity(values=np.full((2, 2), 1e308)))
    with pytest.raises(DataError, match="no items"):
        random_walk(Affinity(values=np.zeros((0, 0))))
    with pytest.raises(ParameterError, match="teleport"):
        random_walk(graph(4, "dense"), teleport=1.5)
