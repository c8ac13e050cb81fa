"""The way of a population among three strategies."""

from typing import Any

import numpy as np

from coterie.core.api.frame import Frame
from coterie.gui.views.convergence.simplex_path import CORNERS, in_triangle, leading_three, path_of
from coterie.gui.views.convergence.state import ConvergenceState


def test_a_pure_strategy_is_a_corner_and_a_mixture_lies_between() -> None:
    np.testing.assert_allclose(in_triangle(np.eye(3)), CORNERS)
    np.testing.assert_allclose(in_triangle(np.ones((1, 3)))[0], CORNERS.mean(axis=0))


def test_where_none_has_a_share_there_is_no_place() -> None:
    assert np.isnan(in_triangle(np.zeros((1, 3)))).all()


def test_the_two_that_lead_and_the_one_that_lost_most_are_the_corners() -> None:
    earlier = Frame(1, shares=np.array([0.1, 0.1, 0.1, 0.5, 0.2]))
    now = Frame(2, shares=np.array([0.45, 0.4, 0.1, 0.0, 0.05]))
    assert leading_three(now, [earlier, now]) == (0, 1, 3)


def test_the_corners_stay_while_their_strategies_matter() -> None:
    shares = np.array([0.3, 0.01, 0.25, 0.2, 0.24])
    assert leading_three(Frame(2, shares=shares), [], (0, 1, 3)) == (0, 1, 3)
    shares = np.array([0.5, 1e-9, 0.3, 1e-9, 0.2])
    assert leading_three(Frame(3, shares=shares), [], (0, 1, 3)) == (0, 2, 4)


def test_two_strategies_make_no_triangle() -> None:
    assert leading_three(Frame(1, shares=np.array([0.5, 0.5])), []) == ()


def test_a_set_that_is_peeled_off_begins_a_new_line() -> None:
    moments = [Frame(i, shares=np.eye(4)[i % 4]) for i in range(6)]
    places, iterations, sets, here = path_of(moments, (0, 1, 2), [2], None)
    assert places.shape == (6, 2)
    assert iterations.tolist() == [0, 1, 2, 3, 4, 5]
    assert sets.tolist() == [0, 0, 0, 1, 1, 1]
    assert here == 5
    assert path_of(moments, (0, 1, 2), [2], 3)[3] == 3


def test_the_state_takes_the_strategies_that_a_person_chose(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    state.update()
    shares = np.zeros(300)
    shares[[7, 3, 100]] = (0.5, 0.3, 0.2)
    fresh.framed.emit("groups", Frame(1, shares=shares))
    found = state.population.simplex()
    assert found is not None
    assert found.items == (3, 7, 100)
    assert found.names == ("item 4", "item 8", "item 101")
    state.population.choose((7, 8, 9))
    found = state.population.simplex()
    assert found is not None
    assert found.items == (7, 8, 9)
    np.testing.assert_allclose(found.places[found.here], CORNERS[0])
    assert {3, 7, 8, 9, 100} <= {item for item, _ in state.population.candidates()}


def test_without_a_population_there_is_no_path(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    assert state.population.simplex() is None
    fresh.framed.emit("groups", Frame(1))
    assert state.population.simplex() is None
