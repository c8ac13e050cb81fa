"""The Convergence view's state."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from coterie.core.api.curves import Curve
from coterie.core.api.frame import Frame
from coterie.core.catalogue.descriptors import Catalogue
from coterie.gui.views.convergence.population import MOST_BARS
from coterie.gui.views.convergence.state import MOST_DRAWN, ConvergenceState
from tests.rounding import rounding


def test_it_says_what_to_do_when_there_is_nothing(new_session: Any, fresh: Any) -> None:
    nothing, opened = ConvergenceState(new_session()), ConvergenceState(fresh)
    for state in (nothing, opened):
        state.update()
    assert nothing.empty.startswith("Open a file")
    assert opened.empty.startswith("Run an iterative method")


def test_a_recorded_trace_is_shown(session: Any) -> None:
    state = ConvergenceState(session)
    state.update()
    assert state.empty == ""
    assert state.reached == 120
    assert [mark.text for mark in state.live.marks] == ["set 1", "set 2", "set 3"]
    assert "iteration 120" in state.headline


def test_a_run_that_is_being_watched_is_not_replaced(session: Any) -> None:
    state = ConvergenceState(session)
    session.set_job("running")
    session.framed.emit("groups", Frame(1, phase="set 1"))
    state.update()
    assert state.reached == 1
    assert "running" in state.headline


def test_the_largest_shares_come_first_with_their_names(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    state.update()
    shares = np.zeros(300)
    shares[[7, 3]] = (0.7, 0.3)
    fresh.framed.emit("groups", Frame(1, shares=shares))
    bars = state.population.bars()
    assert bars is not None
    assert bars.names == ("item 8", "item 4")
    assert bars.others == 0


def test_shares_that_find_no_room_are_counted(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.framed.emit("groups", Frame(1, shares=np.full(300, 1 / 300)))
    bars = state.population.bars()
    assert bars is not None
    assert len(bars.shares) == MOST_BARS
    assert bars.others == 300 - MOST_BARS
    assert bars.rest == pytest.approx(1 - MOST_BARS / 300)


def test_bars_have_the_colour_of_the_group_being_formed(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.framed.emit("groups", Frame(1, shares=np.ones(300)))
    assert state.population.forming == 0
    fresh.happened.emit("groups", "peeled", {"set": 1})
    fresh.framed.emit("groups", Frame(2, shares=np.ones(300)))
    assert state.population.forming == 1


def test_lines_follow_the_items_that_peaked_highest(session: Any) -> None:
    state = ConvergenceState(session)
    state.update()
    found = state.population.lines()
    assert found is not None
    iterations, shares, groups = found
    assert shares.shape == (len(iterations), len(groups))
    trace = session.results.artefact("groups", "trace")
    assert shares.max() == trace.shares.max()


def test_a_residual_of_zero_fits_a_logarithmic_axis(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    for i, residual in enumerate((0.5, 0.0, float("inf"), float("nan"))):
        fresh.framed.emit("groups", Frame(i, {"residual": residual}))
    residual_curve = next(curve for curve in state.curves if curve.name == "residual")
    assert residual_curve.log
    shown = state.series(residual_curve)
    assert (shown[:2] > 0).all()
    assert np.isnan(shown[2:]).all()


def test_iterations_between_two_pictures_are_on_the_curves(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    iterations = np.arange(300)
    since = {"iteration": iterations, "objective": iterations / 10}
    fresh.framed.emit("groups", Frame(299, {"objective": 29.9}, since=since))
    assert state.live.iterations.tolist() == list(range(300))
    assert state.live.curve("objective")[-1] == 29.9


def test_a_chosen_speed_is_told_to_the_session(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    state.choose_speed(5.0)
    fresh.set_job("running")
    assert fresh.sent[-1].frames_per_second == 5.0


def test_when_a_run_is_past_its_population_the_last_one_stays(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.framed.emit("groups", Frame(7, shares=np.full(300, 1 / 300)))
    fresh.framed.emit("groups", Frame(8, labels=np.zeros(300, dtype=np.int64)))
    bars = state.population.bars()
    assert bars is not None
    assert bars.iteration == 7


def test_of_groups_the_share_is_of_the_items_that_chose_each(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    for iteration, counts in enumerate(([200, 100, 0, 0], [50, 100, 100, 50])):
        labels = np.repeat([-1, 0, 1, 2], counts)
        fresh.framed.emit("groups", Frame(iteration, labels=labels))
    population = state.population
    assert population.of_groups
    bars = population.bars()
    assert bars is not None
    assert bars.shares == pytest.approx([1 / 3, 1 / 3, 1 / 6])
    assert bars.groups.tolist() == [0, 1, 2]
    found = population.lines()
    assert found is not None
    np.testing.assert_allclose(found[1], [[1 / 3, 0, 0], [1 / 3, 1 / 3, 1 / 6]])
    path = population.simplex()
    assert path is not None
    assert path.names == ("group 1", "group 2", "group 3")
    np.testing.assert_allclose(path.places[0], [0, 0], atol=rounding(40))
    state.live.scrub(0)
    earlier = population.bars()
    assert earlier is not None
    assert earlier.shares == pytest.approx([1 / 3])


def test_corners_are_chosen_for_one_step(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.framed.emit("groups", Frame(1, shares=np.full(300, 1 / 300)))
    state.population.choose((5, 6, 7))
    path = state.population.simplex()
    assert path is not None
    assert path.items == (5, 6, 7)
    fresh.framed.emit("others", Frame(1, shares=np.full(300, 1 / 300)))
    path = state.population.simplex()
    assert path is not None
    assert path.items != (5, 6, 7)


def test_corners_are_not_those_of_another_project(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.framed.emit("groups", Frame(1, shares=np.full(300, 1 / 300)))
    state.population.choose((5, 6, 7))
    fresh.project.load_recipe(fresh.recipe)
    state.update()
    assert state.population.strategies is None


def test_sorted_shares_keep_the_largest_and_the_smallest(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    shares = np.arange(1.0, 10_001.0)
    fresh.framed.emit("groups", Frame(1, shares=shares / shares.sum()))
    found = state.population.in_order()
    assert found is not None
    assert found.count == 10_000
    assert found.places[[0, -1]].tolist() == [1, 10_000]
    np.testing.assert_allclose(found.shares, (10_001 - found.places) / shares.sum())


def names(curves: Sequence[Curve]) -> list[str]:
    return [curve.name for curve in curves]


def test_a_curve_of_which_nothing_came_has_no_name_once_the_run_has_ended(session: Any) -> None:
    state = ConvergenceState(session)
    state.update()
    assert names(state.curves) == ["objective", "residual", "support"]
    whole = session.results.artefact("groups", "trace")
    values = {**whole.values, "residual": np.full_like(whole.residual, np.nan)}
    session.put("groups", replace(whole, values=values), "trace")
    state.update()
    assert names(state.curves) == ["objective", "support"]


def test_while_a_run_goes_on_a_curve_may_still_come(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.set_job("running")
    fresh.framed.emit("groups", Frame(1, {"objective": 0.5}))
    state.update()
    assert names(state.curves) == ["objective", "residual", "support"]


def test_values_that_no_method_declares_are_curves_as_well(fresh: Any) -> None:
    state = ConvergenceState(fresh)
    fresh.set_job("running")
    fresh.framed.emit("groups", Frame(1, {"step_size": 0.5, "stress": 2.0}))
    others = [(curve.name, curve.title) for curve in state.curves][-2:]
    assert others == [("step_size", "step size"), ("stress", "stress")]


def test_a_person_chooses_among_many_curves(fresh: Any) -> None:
    fresh.plugins.catalogue = Catalogue()  # nobody declares any
    state = ConvergenceState(fresh)
    fresh.set_job("running")
    fresh.framed.emit("groups", Frame(1, {f"value_{i}": float(i) for i in range(9)}))
    assert names(state.drawn_curves) == ["value_0", "value_1", "value_2"]
    state.choose_curve("value_7", True)
    state.choose_curve("value_1", False)
    assert names(state.drawn_curves) == ["value_0", "value_2", "value_7"]
    for name in names(state.curves):
        state.choose_curve(name, True)
    assert len(state.drawn_curves) == MOST_DRAWN
    for name in names(state.curves):
        state.choose_curve(name, False)
    assert names(state.drawn_curves) == ["value_0", "value_1", "value_2"]
