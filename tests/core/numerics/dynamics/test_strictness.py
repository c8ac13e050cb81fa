"""An equilibrium is strict when nobody ties with it and xᵀA x falls in every direction."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.replicator import replicator
from coterie.core.numerics.dynamics.strictness import MOST_MEMBERS, away_from_saddle, strictness
from tests.rounding import rounding


def judged(A: np.ndarray, start: np.ndarray, own: float = 0.0) -> tuple[object, object]:
    game = Game.of(Affinity(values=A), own=own)
    *_, state = replicator(game, start)
    assert state.converged
    members = state.support(1e-5)
    outside = np.setdiff1d(np.arange(len(A)), members)
    found = strictness(game, state, members, state.payoffs[outside], 1e-8)
    return found.strict, found.ascent


@given(n=st.integers(2, 9), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_no_population_near_a_strict_equilibrium_does_as_well(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)), 1)
    A += A.T
    game = Game.of(Affinity(values=A))
    *_, state = infection_immunisation(game, simplex.vertex(n, 0), tolerance=1e-12)
    members = state.support(1e-9)
    outside = np.setdiff1d(np.arange(n), members)
    found = strictness(game, state, members, state.payoffs[outside], 1e-12)
    x = state.x
    around = [(1 - 1e-4) * x + 1e-4 * simplex.random_point(n, rng) for _ in range(50)]
    # Of those all but equal to x the difference is lost in rounding.
    around = [y for y in around if np.abs(y - x).max() > 1e-6]
    if found.strict:
        assert all(y @ A @ y < x @ A @ x for y in around)


def test_equal_rivals_are_counted() -> None:
    path = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    assert judged(path, np.array([0.5, 0.5, 0.0]))[0] is False


def test_members_that_can_be_exchanged_make_a_plateau_not_a_saddle() -> None:
    path = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    strict, ascent = judged(path, np.array([0.5, 0.25, 0.25]))
    assert strict is False
    assert ascent is None


@pytest.mark.parametrize("n", [8, MOST_MEMBERS + 2])
def test_a_saddle_is_seen_and_left_uphill(n: int) -> None:
    # Two halves that are strangers: all alike is an equilibrium that nothing holds.
    half = np.arange(n) < n // 2
    A = (half[:, None] == half[None]).astype(float)
    np.fill_diagonal(A, 0)
    game = Game.of(Affinity(values=A), own=0.5)
    x = simplex.barycentre(n)
    (state,) = replicator(game, x)
    found = strictness(game, state, np.arange(n), np.empty(0), 1e-8)
    assert found.strict is False
    assert found.ascent is not None
    moved = away_from_saddle(x, np.arange(n), found.ascent)
    assert moved.min() >= 0
    assert moved.sum() == pytest.approx(1)
    assert moved @ game.payoffs(moved) > state.objective + rounding(4 * n)


def test_of_very_many_members_the_curvature_is_not_known() -> None:
    n = MOST_MEMBERS + 1
    game = Game.of(Affinity(values=np.ones((n, n))))
    (state,) = replicator(game, simplex.barycentre(n))
    assert strictness(game, state, np.arange(n), np.empty(0), 1e-8).strict is None
