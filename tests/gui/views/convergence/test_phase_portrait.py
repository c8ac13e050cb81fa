"""The phase portrait of three strategies, compared with what is known of the games."""

import numpy as np
import pytest

from coterie.core.model.arrays import Floats
from coterie.gui.views.convergence.phase_portrait import phase_portrait
from coterie.gui.views.convergence.simplex_path import CORNERS, in_triangle

ALL_ALIKE = np.ones((3, 3)) - np.eye(3)
ONE_PAIR = np.array([[0.0, 0.9, 0.2], [0.9, 0.0, 0.3], [0.2, 0.3, 0.0]])
ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


@pytest.mark.parametrize(
    ("payoffs", "rests"),
    [(ALL_ALIKE, [[1 / 3, 1 / 3, 1 / 3]]), (ONE_PAIR, [[0.5, 0.5, 0.0]])],
)
def test_every_start_leads_to_the_dominant_set(payoffs: Floats, rests: list[list[float]]) -> None:
    found = phase_portrait(payoffs)
    place = in_triangle(np.array(rests))
    np.testing.assert_allclose(found.rests[found.stable], place, atol=1e-9)
    for path in found.paths:
        assert np.linalg.norm(path[-1] - place[0]) < 0.03


def test_average_payoff_never_falls_along_a_path() -> None:
    to_shares = np.linalg.inv(np.column_stack([CORNERS, np.ones(3)]).T)
    for path in phase_portrait(ONE_PAIR).paths:
        shares = np.column_stack([path, np.ones(len(path))]) @ to_shares.T
        payoff = np.einsum("ti,ij,tj->t", shares, ONE_PAIR, shares)
        assert (np.diff(payoff) > -1e-3).all()  # one step beyond the point of rest


def test_a_game_without_a_winner_goes_round_a_point_that_is_not_stable() -> None:
    found = phase_portrait(ROCK_PAPER_SCISSORS)
    assert not found.stable.any()
    middle = in_triangle(np.full((1, 3), 1 / 3))[0]
    assert min(np.linalg.norm(found.rests - middle, axis=1)) < 1e-9


def test_strategies_that_earn_nothing_stay_where_they_start() -> None:
    found = phase_portrait(np.zeros((3, 3)))
    assert all(len(path) == 1 for path in found.paths)
    assert not found.stable.any()
