"""Very many points in cells: what is found in a part is what looking at all would find."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.gui.views.embedding.crowd import CELLS, Crowd
from coterie.gui.views.embedding.layers import Layer, shaded
from coterie.gui.views.shown_items import geometry

N = 20_000


def points(seed: int = 0) -> tuple[Any, Any]:
    """A cloud, a crowd in one spot, two far outliers and some points without a place."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=N), rng.normal(size=N)
    x[:5000], y[:5000] = 0.25, -0.5
    x[-2:], y[-1] = (1e6, -1e6), 1e6
    x[100:110], y[105:120] = np.nan, np.inf
    return x, y


@pytest.fixture(scope="module")
def crowd() -> Crowd:
    return Crowd(*points())


def test_outliers_and_points_without_a_place_are_told_apart(crowd: Crowd) -> None:
    assert crowd.unplaced == 20
    assert sorted(crowd.far.tolist())[-2:] == [N - 2, N - 1]
    assert crowd.whole[2] == 1e6
    assert crowd.near[2] < 10
    inside = geometry.in_box(crowd.x, crowd.y, crowd.near)
    items = np.concatenate([items for _, items in crowd.by_cells()])
    assert np.array_equal(np.sort(items), np.flatnonzero(inside))


def test_points_come_with_the_cells_they_are_in(crowd: Crowd) -> None:
    x0, y0, _, _ = crowd.near
    across, up = crowd.sides
    for cells, items in crowd.by_cells():
        row, column = np.divmod(cells, CELLS)
        assert (np.abs((crowd.x[items] - x0) / across * CELLS - column - 0.5) <= 0.501).all()
        assert (np.abs((crowd.y[items] - y0) / up * CELLS - row - 0.5) <= 0.501).all()


places = st.integers(-3000, 3000).map(lambda thousandths: thousandths / 1000)


@given(st.lists(st.tuples(places, places), min_size=3, max_size=12))
def test_a_lasso_holds_what_it_holds_when_all_points_are_looked_at(
    crowd: Any, corners: Any
) -> None:
    corners = np.array(corners)
    expected = geometry.in_lasso(crowd.x, crowd.y, corners)
    assert np.array_equal(crowd.inside(corners), expected)


def test_a_lasso_about_everything_holds_outliers_too(crowd: Crowd) -> None:
    corners = np.array([(-2e6, -2e6), (2e6, -2e6), (2e6, 2e6), (-2e6, 2e6)])
    assert int(crowd.inside(corners).sum()) == N - crowd.unplaced


@given(places, places, st.floats(1e-3, 1.0))
def test_the_nearest_point_is_that_of_all(crowd: Any, x: float, y: float, reach: float) -> None:
    expected = geometry.nearest(crowd.x, crowd.y, (x, y), (reach, reach))
    found = crowd.nearest((x, y), (reach, reach))
    assert found == expected or (
        found is not None
        and expected is not None
        and (crowd.x[found], crowd.y[found]) == (crowd.x[expected], crowd.y[expected])
    )


def counted(crowd: Crowd, box: Any, size: tuple[int, int], codes: Any, table: Any) -> Any:
    """The sums by looking at all points."""
    height, width = size
    x0, y0, x1, y1 = box
    with np.errstate(invalid="ignore"):
        column = np.floor((crowd.x - x0) / (x1 - x0) * width)
        row = np.floor((crowd.y - y0) / (y1 - y0) * height)
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    sums = np.zeros((height, width, 4))
    at = row[inside].astype(int), column[inside].astype(int)
    np.add.at(sums, at, table[codes[inside]])
    return sums


BOXES = [
    None,
    (-1.0, -1.0, 1.0, 1.0),
    (0.2, -0.6, 0.3, -0.4),  # the crowd in one spot
    (0.001, 0.001, 0.002, 0.003),
    (50.0, 50.0, 60.0, 60.0),  # nothing there
    (-2e6, -2e6, 2e6, 2e6),
]


@pytest.mark.parametrize("box", BOXES)
def test_a_picture_has_each_point_on_its_pixel(crowd: Crowd, box: Any) -> None:
    codes = (np.arange(N) % 3).astype(np.int32)
    table = np.array([[10.0, 20.0, 30.0, 1.0], [200.0, 0.0, 100.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    layer = Layer(crowd, codes, table)
    sums, covered = layer.sums(box or crowd.near, (200, 150))
    again, _ = layer.sums(box or crowd.near, (200, 150))
    assert np.array_equal(sums, again)
    expected = counted(crowd, covered, sums.shape[:2], codes, table)
    # A point within rounding of the border of two pixels may be on either.
    assert np.abs(sums - expected).sum() <= 0.002 * max(expected.sum(), 1.0) + 2 * table.sum()
    assert 80 <= sums.shape[0] <= 320
    assert 80 <= sums.shape[1] <= 420


def test_pixels_stay_where_they_are_when_the_picture_is_moved(crowd: Crowd) -> None:
    layer = Layer(crowd, np.zeros(N, dtype=np.int32), np.array([[1.0, 1.0, 1.0, 1.0]]))
    one, box = layer.sums((-1.0, -1.0, 1.0, 1.0), (200, 200))
    other, moved = layer.sums((-0.8, -1.0, 1.2, 1.0), (200, 200))
    step = (box[2] - box[0]) / one.shape[1]
    shift = round((moved[0] - box[0]) / step)
    assert shift > 0
    width = min(one.shape[1] - shift, other.shape[1])
    assert np.array_equal(one[:, shift : shift + width], other[: len(one), :width])


def test_what_is_hidden_or_empty_is_not_seen() -> None:
    nothing = shaded(np.zeros((3, 4, 4), dtype=np.float32))
    assert not nothing.any()
    assert Crowd(np.full(9, np.nan), np.zeros(9)).near == (0.0, 0.0, 1.0, 1.0)
    assert Crowd(np.ones(9), np.ones(9)).nearest((1.0, 1.0), (0.1, 0.1)) is not None
