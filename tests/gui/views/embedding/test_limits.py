"""What part of a plot is shown, and how crowds are made visible."""

import numpy as np
import pytest

from coterie.gui.views.embedding.limits import (
    is_collapsed,
    limits_of,
    range_of,
    spread_out,
)

rng = np.random.default_rng(0)
CLOUD = rng.normal(size=(500, 2))


def test_a_far_outlier_does_not_take_the_room_of_all() -> None:
    x, y = np.append(CLOUD[:, 0], 1e6), np.append(CLOUD[:, 1], 0.0)
    x0, _, x1, _ = limits_of(x, y)
    assert x1 - x0 < 3 * np.ptp(CLOUD[:, 0])
    assert limits_of(x, y, whole=True)[2] == 1e6


def test_a_cloud_without_outliers_is_shown_whole() -> None:
    x, y = CLOUD.T
    assert limits_of(x, y) == limits_of(x, y, whole=True)


def test_few_items_are_all_shown() -> None:
    assert range_of(np.array([0.0, 1.0, 2.0, 1e9])) == (0.0, 1e9)


def test_items_without_a_place_do_not_count() -> None:
    assert limits_of(np.array([np.nan, 1.0, 2.0]), np.array([5.0, 3.0, 4.0])) == (1, 3, 2, 4)
    assert limits_of(np.array([np.nan]), np.array([0.0])) == (0, 0, 1, 1)


@pytest.mark.parametrize("spots", [2, 6])
def test_specks_become_discs_with_their_items_apart(spots: int) -> None:
    places = rng.normal(size=(spots, 2))[np.arange(3000) % spots]
    x, y = (places + 1e-9 * rng.normal(size=places.shape)).T
    assert is_collapsed(x, y)
    u, v = spread_out(x, y, equal=True)
    assert not is_collapsed(u, v)
    # Each crowd stays about its middle, and the crowds do not run into each other's.
    for spot in range(spots):
        own = np.arange(3000) % spots == spot
        middle = u[own].mean(), v[own].mean()
        np.testing.assert_allclose(middle, (x[own].mean(), y[own].mean()), atol=0.05 * 4)


def test_who_is_farther_out_in_a_crowd_stays_so() -> None:
    tight = 1e-6 * rng.normal(size=(300, 2))
    x, y = np.concatenate([tight, tight + 1]).T
    u, v = spread_out(x, y)
    middle = tight.mean(axis=0)
    before = np.hypot(*((tight - middle) / tight.std(axis=0)).T)
    after = np.hypot(u[:300] - middle[0], v[:300] - middle[1])
    np.testing.assert_array_equal(np.argsort(before), np.argsort(after))


def test_a_plain_cloud_is_no_crowd() -> None:
    assert not is_collapsed(*CLOUD.T)
    assert not is_collapsed(np.zeros(10), np.zeros(10))
