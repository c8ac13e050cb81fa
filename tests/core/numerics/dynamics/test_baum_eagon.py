"""Baum–Eagon updates: they never go down, and end where no strategy would gain."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity
from coterie.core.numerics.dynamics.baum_eagon import baum_eagon, focused_baum_eagon
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.replicator import replicator
from coterie.core.numerics.similarity.triples import Triples, all_triples
from tests.rounding import rounding


def random_triples(n: int, seed: int) -> Triples:
    items = all_triples(n)
    return Triples(n, items, np.random.default_rng(seed).random((items.shape[1],)))


def value(triples: Triples, x: np.ndarray) -> float:
    """The polynomial by its definition, term by term."""
    return sum(
        float(w * x[i] * x[j] * x[k])
        for (i, j, k), w in zip(triples.items.T, triples.weights, strict=True)
    )


@pytest.mark.parametrize("dynamics", [baum_eagon, focused_baum_eagon])
@given(n=st.integers(3, 8), seed=st.integers(0, 2**32 - 1), boost=st.sampled_from([1.0, 16.0]))
@settings(max_examples=20)
def test_the_objective_is_the_polynomial_and_never_falls(
    dynamics: object, n: int, seed: int, boost: float
) -> None:
    triples = random_triples(n, seed)
    start = np.random.default_rng(seed).dirichlet(np.ones(n))
    states = (
        baum_eagon(triples, start, boost=boost, max_iterations=300)
        if dynamics is baum_eagon
        else focused_baum_eagon(triples, start, max_iterations=300)
    )
    before = 0.0
    for state in states:
        assert state.x.sum() == pytest.approx(1)
        assert state.objective == pytest.approx(value(triples, state.x), rel=1e-9)
        assert state.objective >= before * (1 - rounding(16 * len(triples.weights)))
        before = state.objective


@given(n=st.integers(3, 8), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_the_end_is_an_equilibrium_of_all_players(n: int, seed: int) -> None:
    triples = random_triples(n, seed)
    *_, state = focused_baum_eagon(triples, np.full(n, 1 / n), tolerance=1e-7)
    if state.converged:
        slopes = triples.slopes(state.x)
        average = float(state.x @ slopes)
        assert slopes.max() <= average * (1 + 1e-6)
        members = state.x > 1e-3 * state.x.max()
        np.testing.assert_allclose(slopes[members], average, rtol=1e-6)


def test_with_pairs_it_is_the_replicator() -> None:
    A = np.random.default_rng(0).random((6, 6))
    A = A + A.T
    np.fill_diagonal(A, 0)
    A /= A.max()

    class Pairs:
        degree = 2

        def slopes(self, x: np.ndarray) -> np.ndarray:
            return np.asarray(2 * A @ x)

    start = np.full(6, 1 / 6)
    ours = baum_eagon(Pairs(), start, max_iterations=30)
    theirs = replicator(Game.of(Affinity(values=A)), start, max_iterations=30)
    for one, other in zip(ours, theirs, strict=False):
        # Each of the steps multiplies the error of the one before by a number near 1.
        np.testing.assert_allclose(one.x, other.x, atol=1e-10)
        assert one.objective == pytest.approx(other.objective)
        assert one.gap == pytest.approx(other.gap, abs=1e-10)


def test_who_was_taken_out_too_early_is_let_in_again() -> None:
    # Item 3 begins almost without a share, but the triples with it are worth most.
    items = all_triples(4)
    weights = np.where((items == 3).any(axis=0), 5.0, 1.0)
    start = np.array([0.4, 0.35, 0.25, 0.0])
    *_, state = focused_baum_eagon(Triples(4, items, weights), start)
    assert state.converged
    assert state.x[3] > 0.3
    *_, plain = baum_eagon(Triples(4, items, weights), start, max_iterations=500)
    assert not plain.converged  # a strategy without a share never gets one


def test_nothing_similar_ends_at_once_and_says_so() -> None:
    none = Triples(4, np.zeros((3, 0), dtype=np.int64), np.zeros(0))
    states = list(baum_eagon(none, np.full(4, 0.25)))
    assert len(states) == 1
    assert not states[0].converged


def test_all_subsets_of_a_clique_of_triples_share_equally() -> None:
    inside = list(combinations(range(4), 3))
    triples = Triples(6, np.array(inside).T, np.ones(4))
    *_, state = baum_eagon(triples, np.full(6, 1 / 6))
    np.testing.assert_allclose(state.x, [0.25] * 4 + [0, 0], atol=1e-9)
    assert state.objective == pytest.approx(4 / 64)
