"""Weighings of several goals, and what is best by some of them."""

from math import comb

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import ParameterError
from coterie.core.numerics.dynamics.pareto import non_dominated, weight_grid
from tests.refusals import refuses


@given(count=st.integers(1, 4), steps=st.integers(1, 6))
def test_the_grid_holds_every_weighing_once(count: int, steps: int) -> None:
    grid = weight_grid(count, steps)
    assert grid.shape == (comb(steps + count - 1, count - 1), count)
    np.testing.assert_allclose(grid.sum(axis=1), 1)
    assert (grid >= 0).all()
    assert len({tuple(row) for row in np.round(grid * steps).astype(int).tolist()}) == len(grid)
    for corner in np.eye(count):
        assert (grid == corner).all(axis=1).any()


def test_too_fine_a_grid_is_refused() -> None:
    with refuses("too-many-runs", ParameterError):
        weight_grid(5, 20)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=10))
def test_what_stays_is_beaten_by_none_and_what_goes_by_one(rows: list[tuple[int, int]]) -> None:
    def beats(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return a != b and a[0] >= b[0] and a[1] >= b[1]

    expected = [not any(beats(other, row) for other in rows) for row in rows]
    assert non_dominated(np.array(rows, dtype=float)).tolist() == expected
