"""Points of the simplex, and how far they are from equilibrium."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.numerics.dynamics import simplex
from tests.rounding import rounding


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_starting_points_lie_on_the_simplex_of_the_players(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    players = rng.random(n) < 0.5
    players[rng.integers(n)] = True
    points = [
        simplex.barycentre(n, players),
        simplex.random_point(n, rng, players),
        simplex.vertex(n, int(np.flatnonzero(players)[0])),
    ]
    for x in points:
        assert (x >= 0).all()
        assert x.sum() == pytest.approx(1)
        assert not x[~players].any()


def test_best_reply_ignores_those_who_do_not_play() -> None:
    payoffs = np.array([5.0, 1.0, 2.0])
    assert simplex.best_reply(payoffs) == 0
    assert simplex.best_reply(payoffs, np.array([False, True, True])) == 2


@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.sampled_from([1e-3, 1.0, 1e6]))
def test_the_projection_is_the_nearest_population(n: int, seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    point = size * rng.normal(size=n)
    nearest = simplex.project(point)
    assert (nearest >= 0).all()
    assert nearest.sum() == pytest.approx(1, abs=1e-9 * max(1, size))
    # The way back to the point makes no acute angle with the way to any vertex.
    toward = point - nearest
    assert (toward - toward @ nearest).max() <= 1e-9 * max(1, size) * n


def test_support_is_relative_to_the_largest_share() -> None:
    x = np.array([1e-3, 2e-9, 0.0])
    assert simplex.support(x, 1e-5).tolist() == [0]
    assert simplex.support(x).tolist() == [0, 1]


@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_gap_and_deviation_vanish_exactly_where_the_residual_does(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n))
    A = A + A.T
    np.fill_diagonal(A, 0)
    x = simplex.random_point(n, rng)
    payoffs = A @ x
    gap, deviation = simplex.nash_gap(x, payoffs), simplex.support_deviation(x, payoffs)
    assert gap >= 0
    assert deviation >= gap - rounding(
        4 * n, payoffs.max()
    )  # x is interior: the best strategy is a member
    assert (simplex.residual(x, payoffs) < 1e-12) == (max(gap, deviation) < 1e-12)


def test_two_alike_are_at_equilibrium() -> None:
    A = np.array([[0.0, 1.0, 0.2], [1.0, 0.0, 0.2], [0.2, 0.2, 0.0]])
    x = np.array([0.5, 0.5, 0.0])
    assert simplex.nash_gap(x, A @ x) == 0
    assert simplex.support_deviation(x, A @ x) == 0
    assert simplex.residual(x, A @ x) == 0
