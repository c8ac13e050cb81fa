"""What every dynamics promises: it stays on the simplex, climbs, and ends at an equilibrium."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.sparse import csr_array

from coterie.core import Affinity
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.continuous import ACCURACY, continuous_replicator
from coterie.core.numerics.dynamics.exponential import exponential
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.replicator import replicator
from coterie.core.numerics.dynamics.state import State
from coterie.core.numerics.dynamics.stopping import NEVER, until_still
from tests.rounding import rounding

Dynamics = Callable[..., Iterator[State]]
published = partial(infection_immunisation, selection="published")
ALL = [infection_immunisation, published, replicator, continuous_replicator, exponential]
every_dynamics = pytest.mark.parametrize(
    "dynamics", ALL, ids=lambda each: getattr(each, "__name__", "published")
)


def random_game(seed: int, n: int, lowest: float = 0.0) -> Game:
    A = np.random.default_rng(seed).uniform(lowest, 1, (n, n))
    A = np.triu(A, 1)
    return Game.of(Affinity(values=A + A.T, nonnegative=lowest >= 0))


def start_for(dynamics: Dynamics, n: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    if dynamics in (infection_immunisation, published):
        return simplex.vertex(n, int(rng.integers(n)))
    return simplex.random_point(n, rng)


@every_dynamics
@given(
    n=st.integers(2, 12),
    seed=st.integers(0, 2**32 - 1),
    lowest=st.sampled_from([0.0, -0.5, -2.0]),
)
@settings(max_examples=40)
def test_the_objective_never_falls_on_symmetric_similarities(
    dynamics: Dynamics, n: int, seed: int, lowest: float
) -> None:
    game = random_game(seed, n, lowest)
    # Payoffs may be carried from one iteration to the next, at a few operations each.
    slack = rounding(8 * 300 + 2 * n, 1 - lowest)
    allowed = 10 * ACCURACY if dynamics is continuous_replicator else 0.0  # of the integrator
    before = -np.inf
    for state in dynamics(game, start_for(dynamics, n, seed), max_iterations=300):
        assert state.x.sum() == pytest.approx(1)
        assert (state.x >= 0).all()
        assert state.objective >= before - max(slack, allowed)
        before = state.objective


@every_dynamics
@given(n=st.integers(2, 12), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_what_converged_is_an_equilibrium(dynamics: Dynamics, n: int, seed: int) -> None:
    game = random_game(seed, n)
    *_, state = dynamics(game, start_for(dynamics, n, seed), max_iterations=4000)
    payoffs = game.payoffs(state.x)  # computed anew, not what the dynamics kept up to date
    objective = float(state.x @ payoffs)
    assert state.objective == pytest.approx(objective)
    if state.converged:
        assert simplex.nash_gap(state.x, payoffs) <= 1.01e-8 * objective
        assert simplex.support_deviation(state.x, payoffs, 1e-5) <= 1.01e-8 * objective
    else:
        assert state.iteration == 4000
        assert dynamics is not infection_immunisation


@every_dynamics
def test_those_who_do_not_play_get_no_share(dynamics: Dynamics) -> None:
    game = random_game(5, 10)
    players = np.arange(10) % 2 == 0
    start = simplex.barycentre(10, players)
    *_, state = dynamics(game, start, players=players)
    assert not state.x[~players].any()
    gap = simplex.nash_gap(state.x, state.payoffs, players)
    assert state.gap == pytest.approx(gap, abs=rounding(2 * 10))
    assert state.converged


@every_dynamics
def test_the_start_is_left_alone_and_shown_first(dynamics: Dynamics) -> None:
    game, start = random_game(1, 6), simplex.barycentre(6)
    before = start.copy()
    first = next(dynamics(game, start))
    assert first.iteration == 0
    np.testing.assert_array_equal(first.x, before)
    list(dynamics(game, start))
    np.testing.assert_array_equal(start, before)


@every_dynamics
def test_the_iteration_limit_ends_it_and_is_not_called_convergence(dynamics: Dynamics) -> None:
    game = random_game(0, 12)
    states = [
        (state.iteration, state.converged)
        for state in dynamics(game, simplex.barycentre(12), max_iterations=3, tolerance=1e-15)
    ]
    assert states == [(0, False), (1, False), (2, False), (3, False)]


@every_dynamics
def test_a_single_item_is_at_rest(dynamics: Dynamics) -> None:
    *_, state = dynamics(Game.of(Affinity(values=np.ones((1, 1)))), simplex.vertex(1, 0))
    assert state.iteration == 0
    assert state.relative_gap == 0


@every_dynamics
def test_items_without_any_similarity_are_at_rest(dynamics: Dynamics) -> None:
    *_, state = dynamics(Game.of(Affinity(values=np.zeros((4, 4)))), simplex.barycentre(4))
    assert state.iteration == 0
    assert state.converged


@every_dynamics
def test_identical_items_share_alike(dynamics: Dynamics) -> None:
    *_, state = dynamics(Game.of(Affinity(values=np.ones((5, 5)))), simplex.barycentre(5))
    assert state.converged
    np.testing.assert_allclose(state.x, 0.2)


@pytest.mark.parametrize("scale", [1e-200, 1e-12, 1.0, 1e200])
@every_dynamics
def test_the_unit_of_the_similarities_does_not_matter(dynamics: Dynamics, scale: float) -> None:
    A = np.array([[0, 3, 1, 0.5], [3, 0, 1, 0.5], [1, 1, 0, 0.5], [0.5, 0.5, 0.5, 0]])
    *_, state = dynamics(Game.of(Affinity(values=A * scale)), simplex.barycentre(4))
    assert state.converged
    np.testing.assert_allclose(state.x, [0.5, 0.5, 0, 0], atol=1e-5)


@given(n=st.integers(2, 10), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_infection_on_asymmetric_similarities_ends_at_an_equilibrium_or_says_no(
    n: int, seed: int
) -> None:
    A = np.random.default_rng(seed).random((n, n))
    game = Game.of(Affinity(values=A, symmetric=False))
    *_, state = infection_immunisation(game, simplex.vertex(n, 0), max_iterations=2_000)
    assert state.x.sum() == pytest.approx(1)
    if state.converged:
        payoffs = game.payoffs(state.x)
        assert simplex.residual(state.x, payoffs) < 1e-6
    else:
        assert state.iteration == 2_000


def test_rock_paper_scissors_goes_in_circles_and_says_so() -> None:
    # The only equilibrium is the barycentre, which attracts nobody when losing costs more.
    A = np.array([[0.0, 3.0, 1.0], [1.0, 0.0, 3.0], [3.0, 1.0, 0.0]])
    game = Game.of(Affinity(values=A, symmetric=False))
    for dynamics in (infection_immunisation, replicator):
        start = np.array([0.5, 0.3, 0.2])
        *_, state = dynamics(game, start, max_iterations=500, tolerance=1e-13)
        assert state.x.sum() == pytest.approx(1)
        assert state.converged or state.iteration == 500


@pytest.mark.parametrize("symmetric", [True, False])
def test_infection_finds_the_same_in_every_form(symmetric: bool) -> None:
    factor = np.random.default_rng(2).random((30, 4))
    A = factor @ factor.T
    np.fill_diagonal(A, 7.0)  # must not matter
    affinities = [
        Affinity(values=A, symmetric=symmetric),
        Affinity(sparse=csr_array(A), symmetric=symmetric),
        Affinity(factor=factor),
    ]
    ends = []
    for affinity in affinities:
        *_, state = infection_immunisation(Game.of(affinity), simplex.vertex(30, 3))
        assert state.converged
        ends.append(state.x.copy())
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-6)
    np.testing.assert_allclose(ends[2], ends[0], atol=1e-6)


def test_the_updated_payoffs_do_not_drift_from_the_true_ones() -> None:
    X = np.random.default_rng(0).random((300, 2))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / 2)
    for symmetric, steps in ((True, 10), (False, 1000)):
        game = Game.of(Affinity(values=A, symmetric=symmetric))
        for state in infection_immunisation(game, simplex.vertex(300, 0), tolerance=1e-9):
            if symmetric or state.iteration % 100 == 0:
                true = game.payoffs(state.x)
                # Payoffs of at most 1: a product of the matrix, and an update in each iteration.
                near = rounding(2 * game.n + 8 * state.iteration)
                assert state.objective == pytest.approx(float(state.x @ true), abs=near)
                if len(state.payoffs) == game.n:
                    np.testing.assert_allclose(state.payoffs, true, rtol=0, atol=near)
        assert state.converged
        assert state.iteration > steps  # long enough for the test to mean something


def test_replicator_keeps_alive_what_it_may_still_need() -> None:
    # Nobody's share may vanish by underflow, or it could never come back.
    X = np.random.default_rng(0).random((60, 2))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / 2)
    *_, state = replicator(Game.of(Affinity(values=A)), simplex.barycentre(60), max_iterations=5000)
    assert (state.x > 0).all()


def test_exponential_halves_its_rate_rather_than_fall() -> None:
    game = random_game(3, 8, lowest=-1.0)
    slack = rounding(8 * 200 + 2 * 8, 2.0)
    before = -np.inf
    for state in exponential(game, simplex.barycentre(8), rate=1e4, max_iterations=200):
        assert state.objective >= before - slack
        before = state.objective


def test_published_infection_takes_the_steps_of_the_paper() -> None:
    """Rota Bulò and Bomze (2011): definitions 5 and 6 and algorithm 1, written plainly."""
    A = np.triu(np.random.default_rng(4).random((9, 9)), 1)
    A = A + A.T
    game = Game.of(Affinity(values=A))
    A = A / A.max()
    x = simplex.vertex(9, 2)
    # Far above rounding, so it never decides which strategy is the most able.
    for state in published(game, x, max_iterations=200, tolerance=1e-8):
        np.testing.assert_allclose(state.x, x, atol=1e-9)
        against = A @ x - x @ A @ x
        able = np.where(against > 0, against, np.where(x > 0, -against, 0))
        i = int(able.argmax())
        y = np.eye(9)[i]
        if against[i] < 0:
            y = x + x[i] / (x[i] - 1) * (y - x)
        away = y - x
        falls = away @ A @ away
        delta = min(-(away @ A @ x) / falls, 1.0) if falls < 0 else 1.0
        x = x + delta * away
    assert state.converged
    assert state.iteration > 10


def test_continuous_time_keeps_the_orbits_of_rock_paper_scissors() -> None:
    # Of a zero-sum cycle the product of the shares is a constant of the motion; in discrete time
    # the orbit winds outwards.
    A = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    start = np.array([0.5, 0.3, 0.2])
    states = continuous_replicator(Game.of(Affinity(values=A)), start, max_iterations=400)
    seen = np.array([state.x.copy() for state in states])
    np.testing.assert_allclose(seen.prod(axis=1), start.prod(), rtol=1e-8)
    assert seen[:, 0].max() > 0.5 > 0.2 > seen[:, 0].min()  # it does go round


def test_continuous_time_follows_the_equation() -> None:
    game = random_game(3, 6, -0.5)
    A = game.among(np.arange(6))
    start = simplex.random_point(6, np.random.default_rng(3))
    whole = solve_ivp(
        lambda _, x: x * (A @ x - x @ A @ x),
        (0, 30),
        start,
        rtol=1e-12,
        atol=1e-14,
        dense_output=True,
    )
    assert whole.sol is not None
    exactly = whole.sol
    for state in continuous_replicator(game, start, max_iterations=15):
        # On symmetric A the objective rises all the time, so it tells the moment.
        def late(t: float, reached: float = state.objective) -> float:
            x = exactly(t)
            return float(x @ A @ x) - reached

        if state.iteration:
            when = brentq(late, 0, 30, xtol=1e-13)
            np.testing.assert_allclose(state.x, exactly(when), atol=1e-8)


@pytest.mark.parametrize("rule", [replicator, published])
def test_the_rule_of_the_textbooks_ends_when_hardly_anything_moves(rule: Dynamics) -> None:
    game = random_game(8, 12)
    free = [
        state.x.copy()
        for state in rule(game, simplex.barycentre(12), tolerance=NEVER, max_iterations=3000)
    ]
    moved = np.linalg.norm(np.diff(free, axis=0), axis=1)
    first = int(np.argmax(moved <= 1e-4)) + 1
    states = rule(game, simplex.barycentre(12), tolerance=NEVER, max_iterations=3000)
    *_, state = until_still(states, 1e-4, 3000)
    assert state.converged
    assert state.iteration == first
    states = rule(game, simplex.barycentre(12), tolerance=NEVER, max_iterations=3)
    *_, state = until_still(states, 1e-9, 3)
    assert not state.converged
