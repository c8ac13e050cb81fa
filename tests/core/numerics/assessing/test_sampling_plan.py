"""How many places of a map to look at."""

import numpy as np
import pytest

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
    half = found.overall[1] if of < 0 else found.areas_error[of]
    assert half * np.sqrt(1000) == pytest.approx(error, rel=0.02)


def test_every_class_gets_some_and_large_ones_more() -> None:
    found = shared_out([0.0, 0.01, 0.29, 0.7], 100, least=20)
    assert found.tolist() == [0, 20, 29, 70]
    assert shared_out([0.5, 0.5], 4, least=20).tolist() == [2, 2]
    assert (spread_of(SHARES, 0.9, 0)[1:] > 0).all()


def test_what_will_not_do() -> None:
    for error in (0.0, 1.5):
        with refuses("invalid-parameters"):
            planned(SHARES, error=error)
    with refuses("invalid-parameters"):
        planned(SHARES, error=0.1, expected=1.0)
    with refuses("invalid-parameters"):
        shared_out(SHARES, 0)
