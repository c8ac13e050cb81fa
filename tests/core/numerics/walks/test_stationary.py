"""A walk in the long run: where it stays, where it cannot get out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError, Floats
from coterie.core.numerics.walks.markov import random_walk, with_teleport
from coterie.core.numerics.walks.stationary import closed_components, stationary, strong_components
from tests.core.numerics.walks.graphs import FORMS, graph
from tests.refusals import refuses
from tests.rounding import rounding


def eigenvector(P: Floats) -> Floats:
    values, vectors = np.linalg.eig(P.T)
    leading = np.real(vectors[:, np.argmax(values.real)])
    return np.asarray(leading / leading.sum())


@pytest.mark.parametrize("teleport", [0.0, 1e-4, 0.15, 1.0])
@pytest.mark.parametrize("form", FORMS)
def test_the_stationary_distribution_is_the_left_eigenvector(form: str, teleport: float) -> None:
    walk = random_walk(graph(20, form), teleport=teleport)
    np.testing.assert_allclose(stationary(walk), eigenvector(walk.to_dense()), atol=1e-9)


def test_a_symmetric_graph_stays_by_its_degrees() -> None:
    A = np.random.default_rng(0).random((15, 15))
    A += A.T
    shares = A.sum(axis=1) / A.sum()
    found = stationary(random_walk(Affinity(values=A)))
    np.testing.assert_allclose(found, shares, atol=rounding(2 * A.size, shares.max()))


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_large_sparse_walks_settle_by_a_krylov_method_or_directly(form: str) -> None:
    walk = random_walk(graph(500, form), teleport=0.0)
    pi = stationary(walk)
    assert pi.sum() == pytest.approx(1.0)
    assert np.abs(walk.backward(pi) - pi).max() < 1e-9


def test_a_vertex_without_an_edge_leads_everywhere() -> None:
    A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    for given in ({"values": A}, {"sparse": csr_array(A)}):
        walk = random_walk(Affinity(**given, symmetric=False))
        assert strong_components(walk)[0] == 1
        np.testing.assert_allclose(
            stationary(walk), eigenvector(walk.to_dense()), atol=rounding(100)
        )


def two_sinks() -> Affinity:
    """0 leads to 1 and to the pair 2, 3, and neither lets go."""
    A = np.zeros((4, 4))
    A[0, 1] = A[0, 2] = A[1, 1] = A[2, 3] = A[3, 2] = 1.0
    return Affinity(sparse=csr_array(A), symmetric=False)


def test_what_cannot_be_left_is_found_and_asks_for_a_teleport() -> None:
    walk = random_walk(two_sinks())
    assert strong_components(walk)[0] == 3
    assert [part.tolist() for part in closed_components(walk)] == [[1], [2, 3]]
    with refuses("not-connected", DataError):
        stationary(walk)
    jumping = with_teleport(walk, 1e-4)
    assert strong_components(jumping)[0] == 1
    np.testing.assert_allclose(stationary(jumping), eigenvector(jumping.to_dense()), atol=1e-9)


def test_with_one_sink_all_the_walk_ends_there() -> None:
    A = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    walk = random_walk(Affinity(values=A, symmetric=False))
    assert [part.tolist() for part in closed_components(walk)] == [[1, 2]]
    np.testing.assert_allclose(stationary(walk), [0.0, 1 / 3, 2 / 3], atol=rounding(100))


def test_components_of_a_dense_graph_of_two_parts() -> None:
    A = np.kron(np.eye(2), np.ones((3, 3)))
    count, labels = strong_components(random_walk(Affinity(values=A)))
    assert count == 2
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1
