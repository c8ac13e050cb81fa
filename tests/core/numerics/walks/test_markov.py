"""The random walk on a graph: what it does to vectors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError, ParameterError
from coterie.core.numerics.walks.markov import random_walk
from tests.core.numerics.walks.graphs import FORMS, graph
from tests.refusals import refuses
from tests.rounding import rounding


@pytest.mark.parametrize("teleport", [0.0, 1e-4, 0.15])
@pytest.mark.parametrize("form", FORMS)
def test_the_walk_does_to_vectors_what_its_matrix_does(form: str, teleport: float) -> None:
    affinity = graph(12, form)
    walk = random_walk(affinity, teleport=teleport)
    A = affinity.to_dense()
    P = (1 - teleport) * A / A.sum(axis=1, keepdims=True) + teleport / 12
    x = np.random.default_rng(1).random((12, 2))
    np.testing.assert_allclose(walk.to_dense(), P, atol=rounding(4 * 12))
    slack = rounding(6 * 12, P.sum(axis=0).max())
    for vectors in (x, x[:, 0]):
        np.testing.assert_allclose(walk.forward(vectors), P @ vectors, atol=slack)
        np.testing.assert_allclose(walk.backward(vectors), P.T @ vectors, atol=slack)


def test_from_a_vertex_without_an_edge_the_walk_goes_anywhere() -> None:
    A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    for given in ({"values": A}, {"sparse": csr_array(A)}):
        walk = random_walk(Affinity(**given, symmetric=False))
        np.testing.assert_allclose(walk.to_dense()[2], 1 / 3)
        np.testing.assert_allclose(walk.forward(np.array([3.0, 0.0, 0.0]))[2], 1.0)
    with refuses("not-connected", DataError):
        random_walk(Affinity(values=A, symmetric=False), dangling="error")


def test_bad_graphs_are_refused_in_words() -> None:
    with refuses("negative-similarities", DataError):
        random_walk(Affinity(values=np.array([[0.0, -1.0], [-1.0, 0.0]])))
    with refuses("values-too-large", DataError):
        random_walk(Affinity(values=np.full((2, 2), 1e308)))
    with refuses("empty-data", DataError):
        random_walk(Affinity(values=np.zeros((0, 0))))
    with refuses("invalid-parameters", ParameterError):
        random_walk(graph(4, "dense"), teleport=1.5)
