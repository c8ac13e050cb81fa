"""How many places of a map to look at."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core.numerics.assessing.sampling_plan import planned, shared_out, spread_of
from coterie.core.numerics.partitions.accuracy import accuracy_of
from tests.refusals import refuses

SHARES = np.array([0.1, 0.3, 0.6])


def table(counts: np.ndarray, right: float) -> np.ndarray:
    """An error matrix as expected: what is wrong belongs to the others by their areas."""
    found = np.zeros((3, 3))
    for i in range(3):
        others = np.where(np.arange(3) == i, 0, SHARES) / (1 - SHARES[i])
        found[i] = counts[i] * np.where(np.arange(3) == i, right, (1 - right) * others)
    return found


@pytest.mark.parametrize("of", [-1, 0, 2])
@pytest.mark.parametrize("error", [0.01, 0.03])
def test_the_plan_gives_the_wanted_interval(of: int, error: float) -> None:
    places = planned(SHARES, error=error, of=of, expected=0.9, least=1)
    # Of a thousand times as many, so that rounding to whole places does not matter.
    found = accuracy_of(np.rint(1000 * table(places, 0.9)).astype(int), mapped=SHARES)
    low, high = found.overall_range if of < 0 else found.areas_range[of]
    assert (high - low) / 2 * np.sqrt(1000) == pytest.approx(error, rel=0.02)


def test_every_class_gets_some_and_large_ones_more() -> None:
    found = shared_out([0.0, 0.01, 0.29, 0.7], 100, least=20)
    assert found.tolist() == [0, 20, 23, 57]
    assert shared_out([0.5, 0.5], 4, least=20).tolist() == [2, 2]
    assert shared_out([0.9, 0.1], 1).sum() == 1


@given(st.lists(st.integers(0, 400), min_size=1, max_size=6), st.integers(1, 300))
def test_as_many_as_asked_are_shared_out(pixels: list[int], total: int) -> None:
    if not sum(pixels):
        return
    found = shared_out(pixels, total, most=pixels)
    assert found.sum() == min(total, sum(pixels))
    assert (found <= pixels).all()
    assert (found[np.array(pixels) == 0] == 0).all()


def test_enough_places_for_an_error_include_the_least_of_each_class() -> None:
    assert planned([0.01, 0.99], error=0.05, least=20).tolist() == [20, 194]


def test_every_class_gets_some_of_its_spread() -> None:
    assert (spread_of(SHARES, 0.9, 0)[1:] > 0).all()


def test_what_will_not_do() -> None:
    for error in (0.0, 1.5):
        with refuses("invalid-parameters"):
            planned(SHARES, error=error)
    with refuses("invalid-parameters"):
        planned(SHARES, error=0.1, expected=1.0)
    with refuses("invalid-parameters"):
        shared_out(SHARES, 0)
