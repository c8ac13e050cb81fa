"""Equilibria of large support, compared with the linear equations that hold on their support."""

import numpy as np
import pytest

from coterie.core import Affinity
from coterie.core.numerics.dynamics.constrained import SeededGame
from coterie.core.numerics.dynamics.faces import by_faces
from coterie.core.numerics.dynamics.game import Game
from tests.rounding import rounding


@pytest.mark.parametrize("seeds", [[0], [0, 7, 30]])
def test_the_shares_solve_the_equations_of_their_support(seeds: list[int]) -> None:
    n = 60
    X = np.random.default_rng(1).random((n, 3))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1))
    np.fill_diagonal(A, 0.0)
    base = Game.of(Affinity(values=A), compare=True)
    assert base.mirrored
    game = SeededGame.seeded(base.affinity, np.array(seeds), base=base)
    start = np.zeros(n)
    start[seeds] = 1.0 / len(seeds)
    assert game.steepness is not None
    *_, state = by_faces(game, start, game.steepness, 1e-10, 1000)
    assert state.converged
    members = np.flatnonzero(state.x)
    assert len(members) > n // 2
    B = A / base.scale - np.diag(game.price)
    # B x is the same for all members, and the shares add up to one.
    m = len(members)
    equations = np.block([[B[np.ix_(members, members)], -np.ones((m, 1))], [np.ones(m), 0.0]])
    solved = np.linalg.solve(equations, np.append(np.zeros(m), 1.0))
    # Payoffs agree to 1e-10 of their mean, which is at most 1: the shares to that times ‖K⁻¹‖.
    apart = 2e-10 * m * np.linalg.norm(np.linalg.inv(equations), 2)
    assert np.abs(solved[:m] - state.x[members]).max() <= apart


def test_where_the_game_does_not_fall_it_goes_to_the_border() -> None:
    """Who earns most among those like himself: every corner is an equilibrium, no mixture is."""
    A = np.array([[0.0, 0.1, 1.0], [0.1, 0.0, 1.0], [1.0, 1.0, 0.0]])
    game = Game.of(Affinity(values=A - 1.0, nonnegative=False), own=3.0)
    *_, state = by_faces(game, np.array([0.5, 0.3, 0.2]), np.ones(3), 1e-8, 100)
    assert state.converged
    assert sorted(state.x) == [0.0, 0.0, 1.0]
    assert state.payoffs.max() == state.objective


@pytest.mark.parametrize("seed", range(5))
def test_payoffs_are_those_of_the_shares_at_every_face(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 300
    X = rng.random((n, 2))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / rng.choice([0.01, 0.1, 10.0]))
    np.fill_diagonal(A, 0.0)
    seeds = rng.choice(n, 4, replace=False)
    game = SeededGame.seeded(Affinity(values=A), seeds)
    assert game.steepness is not None
    for state in by_faces(game, game.start(seeds), game.steepness, 1e-9, 1000):
        assert state.x.sum() == pytest.approx(1.0, abs=rounding(n))
        assert state.x.min() >= 0.0
        # Some twenty updates, each of a product with n terms, against the game's largest entry.
        exact = A @ state.x / game.scale - game.price * state.x
        largest = max(1.0, float(game.price.max()))
        assert np.abs(state.payoffs - exact).max() <= rounding(100 * n, largest)
        last = state
    assert last.converged
