"""Hitting times against their definition: linear systems, return times, closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError, Floats
from coterie.core.numerics.walks.hitting import (
    fundamental_matrix,
    hitting_times,
    hitting_times_to,
    reaching_vertices,
)
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.stationary import stationary
from tests.refusals import refuses


def directed(n: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.4)
    A[np.arange(n), (np.arange(n) + 1) % n] += 0.5
    return np.asarray(A)


def by_definition(P: Floats, target: int) -> Floats:
    """h = 1 + P h off the target, 0 on it."""
    n = len(P)
    others = np.delete(np.arange(n), target)
    h = np.zeros(n)
    h[others] = np.linalg.solve(np.eye(n - 1) - P[np.ix_(others, others)], np.ones(n - 1))
    return h


@settings(max_examples=15)
@given(n=st.integers(2, 15), seed=st.integers(0, 1000), teleport=st.sampled_from([0.0, 1e-4, 0.2]))
def test_all_times_equal_direct_solves(n: int, seed: int, teleport: float) -> None:
    walk = random_walk(Affinity(values=directed(n, seed), symmetric=False), teleport=teleport)
    P = walk.to_dense()
    expected = np.column_stack([by_definition(P, j) for j in range(n)])
    H, pi = hitting_times(walk)
    np.testing.assert_allclose(H, expected, rtol=1e-7)
    np.testing.assert_allclose(pi, stationary(walk), atol=1e-9)
    np.testing.assert_allclose(hitting_times_to(walk, np.arange(n)), expected, rtol=1e-7)
    # A walker who leaves j is back after 1 / π_j steps on average.
    np.testing.assert_allclose(1 + np.einsum("ij,ji->i", P, H), 1 / pi, rtol=1e-7)


def test_the_fundamental_matrix_gives_the_same_times() -> None:
    walk = random_walk(Affinity(values=directed(12, 3), symmetric=False))
    pi = stationary(walk)
    Z = fundamental_matrix(walk, pi)
    np.testing.assert_allclose(Z @ np.ones(12), np.ones(12), atol=1e-10)
    np.testing.assert_allclose(hitting_times(walk)[0], (Z.diagonal() - Z) / pi, atol=1e-8)


@pytest.mark.parametrize("teleport", [0.0, 1e-3])
def test_sparse_and_factored_graphs_need_no_dense_matrix(teleport: float) -> None:
    rng = np.random.default_rng(0)
    factor = rng.random((500, 4)) ** 4
    A = directed(500, 1)
    cases: list[Affinity] = [
        Affinity(factor=factor),
        Affinity(sparse=csr_array(A), symmetric=False),
        Affinity(sparse=csr_array(A + A.T)),
    ]
    for affinity in cases:
        walk = random_walk(affinity, teleport=teleport)
        expected = by_definition(walk.to_dense(), 7)
        np.testing.assert_allclose(
            hitting_times_to(walk, np.array([7])).ravel(), expected, rtol=1e-6
        )


def test_the_end_of_a_path_is_reached_after_the_square_of_its_length() -> None:
    n = 40
    A = np.diag(np.ones(n - 1), 1)
    walk = random_walk(Affinity(sparse=csr_array(A + A.T)))
    times = hitting_times_to(walk, np.array([n - 1])).ravel()
    np.testing.assert_allclose(times, (n - 1) ** 2 - np.arange(n) ** 2.0, rtol=1e-8)


@pytest.mark.parametrize("form", ["values", "sparse"])
def test_where_the_walk_may_get_lost_the_time_is_infinite(form: str) -> None:
    # 0 → 1 → 2 → 1, and 3 goes to 2 or to the trap 4.
    A = np.zeros((5, 5))
    A[0, 1] = A[1, 2] = A[2, 1] = A[3, 2] = A[3, 4] = A[4, 4] = 1.0
    matrix: Any = A if form == "values" else csr_array(A)
    walk = random_walk(Affinity(**{form: matrix}, symmetric=False))
    times = hitting_times_to(walk, np.array([1, 4]))
    np.testing.assert_allclose(times[:, 0], [1.0, 0.0, 1.0, np.inf, np.inf])
    np.testing.assert_allclose(times[:, 1], [np.inf, np.inf, np.inf, np.inf, 0.0])
    assert reaching_vertices(walk, np.array([1])).tolist() == [True, True, True, True, False]
    with refuses("not-connected", DataError):
        hitting_times(walk)
    jumping = random_walk(walk.affinity, teleport=1e-4)
    assert np.isfinite(hitting_times_to(jumping, np.array([1]))).all()


def test_from_a_vertex_without_an_edge_the_walk_finds_its_way() -> None:
    A = np.zeros((4, 4))
    A[0, 1] = A[1, 0] = A[2, 3] = A[3, 2] = 1.0
    A[3] = 0.0
    for form in ({"values": A}, {"sparse": csr_array(A)}):
        walk = random_walk(Affinity(**form, symmetric=False))
        times = hitting_times_to(walk, np.array([3])).ravel()
        assert times.tolist() == [np.inf, np.inf, 1.0, 0.0]
        times = hitting_times_to(walk, np.array([0])).ravel()
        np.testing.assert_allclose(times, by_definition(walk.to_dense(), 0))
