"""Walks that begin again: by iteration, by linear solve, by the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.pagerank import (
    discounted_sum,
    personalised_pagerank,
    spread_by_steps,
)
from tests.rounding import rounding


def graph(n: int, seed: int, *, symmetric: bool = True, isolated: bool = False) -> np.ndarray:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.6)
    A = A + A.T if symmetric else A
    if isolated:
        A[0] = 0.0
        A[:, 0] = 0.0 if symmetric else A[:, 0]
    return A


def by_definition(A: np.ndarray, s: np.ndarray, restart: float, fill: np.ndarray) -> np.ndarray:
    """A linear solve with P, its empty rows filled in."""
    degrees = A.sum(axis=1)
    P = np.where(degrees[:, None] > 0, A / np.where(degrees > 0, degrees, 1)[:, None], fill)
    return restart * np.linalg.solve(np.eye(len(A)) - (1 - restart) * P.T, s)


@given(
    st.integers(2, 20),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.booleans(),
    st.floats(0.02, 0.98),
)
@settings(max_examples=30)
def test_it_is_the_solution_of_its_equation(
    n: int, seed: int, symmetric: bool, isolated: bool, restart: float
) -> None:
    A = graph(n, seed, symmetric=symmetric, isolated=isolated)
    walk = random_walk(Affinity(values=A, symmetric=symmetric))
    seeds = np.random.default_rng(seed).random((n, 2))
    seeds /= seeds.sum(axis=0)
    for column in range(2):
        s = seeds[:, column]
        to_seed = personalised_pagerank(walk, seeds, restart).scores[:, column]
        np.testing.assert_allclose(to_seed, by_definition(A, s, restart, s), atol=1e-10)
        anywhere = personalised_pagerank(walk, seeds, restart, dangling="uniform")
        expected = by_definition(A, s, restart, np.full(n, 1 / n))
        np.testing.assert_allclose(anywhere.scores[:, column], expected, atol=1e-10)
        assert anywhere.converged


def test_sparse_and_factored_graphs_give_the_same() -> None:
    from scipy.sparse import csr_array

    F = np.random.default_rng(0).random((12, 4))
    seeds = np.eye(12)[:, :3]
    dense, sparse, factor = (
        personalised_pagerank(random_walk(A), seeds, 0.15).scores
        for A in (
            Affinity(values=F @ F.T),
            Affinity(sparse=csr_array(F @ F.T)),
            Affinity(factor=F),
        )
    )
    np.testing.assert_allclose(sparse, dense, atol=rounding(8 * 12 * 12, 1 / 0.15))
    np.testing.assert_allclose(factor, dense, atol=rounding(8 * 12 * 12, 1 / 0.15))


@given(st.integers(2, 15), st.integers(0, 2**32 - 1), st.floats(0, 0.99))
@settings(max_examples=20)
def test_sums_over_walks_solve_their_system(n: int, seed: int, weight: float) -> None:
    A = graph(n, seed)
    S = A / max(np.abs(np.linalg.eigvalsh(A)).max(), 1e-12)
    b = np.random.default_rng(seed).random((n, 2))
    expected = np.linalg.solve(np.eye(n) - weight * S, b)
    found = discounted_sum(lambda x: S @ x, b, weight)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-8)
    stepped = spread_by_steps(lambda x: S @ x, b, weight)
    np.testing.assert_allclose(stepped.scores, expected, rtol=1e-7)


def test_hitting_the_limit_is_said() -> None:
    walk = random_walk(Affinity(values=graph(10, 1, symmetric=False), symmetric=False))
    found = personalised_pagerank(walk, np.eye(10)[:, :1], 0.01, max_rounds=3)
    assert not found.converged
    assert "limit of 3 rounds" in found.notes[0]


def test_each_round_can_be_watched_and_stopped() -> None:
    walk = random_walk(Affinity(values=graph(10, 1)))
    seen: list[int] = []

    def watch(round_: int, residual: float, x: np.ndarray) -> None:
        seen.append(round_)
        if round_ == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        personalised_pagerank(walk, np.eye(10), 0.15, watch=watch)
    assert seen == [0, 1, 2]
