"""Turning a cloud of points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.gui.views.embedding.camera import Side, in_a_cube, seen_from
from tests.rounding import rounding

ANGLES = st.floats(-7, 7)


@given(st.lists(st.tuples(ANGLES, ANGLES), max_size=30))
@settings(max_examples=25)
def test_turning_keeps_distances(turns: list[tuple[float, float]]) -> None:
    side = Side()
    for across, up in turns:
        side = side.turned(across, up)
    assert np.allclose(side.rotation @ side.rotation.T, np.eye(3), atol=rounding(30 * 60))
    assert np.isclose(np.linalg.det(side.rotation), 1.0)


def test_a_drag_moves_what_is_in_front_along_with_the_pointer() -> None:
    front = np.array([[0.0, 0.0, 1.0]])
    right = seen_from(front, Side(np.eye(3)).turned(0.1, 0.0))
    assert right.x[0] > 0
    up = seen_from(front, Side(np.eye(3)).turned(0.0, 0.1))
    assert up.y[0] > 0


def test_the_cloud_fills_its_cube_and_lies_around_its_middle() -> None:
    rng = np.random.default_rng(3)
    axes = [rng.random(40) * 100, rng.random(40), rng.random(40) - 5]
    each = in_a_cube(axes, equal=False)
    assert np.allclose(each.max(axis=0), 1)
    assert np.allclose(each.min(axis=0), -1)
    equal = in_a_cube(axes, equal=True)
    spread = np.ptp(equal, axis=0)
    assert spread[0] == pytest.approx(2)
    assert spread[1] / spread[0] == pytest.approx(np.ptp(axes[1]) / np.ptp(axes[0]))


def test_a_point_without_a_value_has_no_place_and_a_flat_axis_no_depth() -> None:
    axes = [np.array([1.0, np.nan, 3.0]), np.array([2.0, 2.0, 2.0]), np.array([0.0, 1.0, 2.0])]
    places = in_a_cube(axes, equal=False)
    assert np.isnan(places[1]).all()
    assert np.isfinite(places[[0, 2]]).all()
    seen = seen_from(places, Side())
    assert np.isnan(seen.x[1])
    assert np.isfinite(seen.scales).all()


def test_near_points_are_larger_and_clearer() -> None:
    seen = seen_from(np.array([[0, 0, 1.0], [0, 0, -1.0]]), Side(np.eye(3)))
    assert seen.scales[0] > 1 > seen.scales[1]
    assert 1 >= seen.opacities[0] > seen.opacities[1] > 0.3
