"""Means and intervals of repeated measurements, against scipy's own tests."""

import math

import numpy as np
import pytest
from scipy import stats

from coterie.core.numerics.partitions.repetitions import difference_of, spread_of


def test_the_interval_is_students() -> None:
    values = np.random.default_rng(0).normal(0.9, 0.05, 12)
    found = spread_of(values)
    low, high = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert found.n == 12
    assert found.mean == pytest.approx(values.mean())
    assert found.deviation == pytest.approx(np.std(values, ddof=1))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_the_interval_holds_the_mean_in_95_of_100_draws() -> None:
    rng = np.random.default_rng(1)
    draws = [spread_of(rng.normal(3.0, 2.0, 6)) for _ in range(2000)]
    share = np.mean([found.low <= 3.0 <= found.high for found in draws])
    assert 0.935 < share < 0.965


def test_a_difference_is_of_pairs() -> None:
    rng = np.random.default_rng(2)
    other = rng.normal(0.8, 0.1, 9)
    one = other + rng.normal(0.01, 0.005, 9)
    found, told = difference_of(one, other), stats.ttest_rel(one, other)
    assert found.p == pytest.approx(told.pvalue)
    interval = told.confidence_interval()
    assert found.low == pytest.approx(interval.low)
    assert found.high == pytest.approx(interval.high)


def test_what_was_not_measured_is_left_out() -> None:
    found = spread_of([0.5, math.nan, 0.7])
    assert found.n == 2
    assert found.mean == pytest.approx(0.6)
    assert difference_of([1.0, math.nan, 2.0], [0.0, 1.0, 1.5]).n == 2


@pytest.mark.parametrize("values", [[], [math.nan]])
def test_nothing_measured_says_nothing(values: list[float]) -> None:
    assert spread_of(values).n == 0
    assert math.isnan(spread_of(values).mean)


def test_one_measurement_has_no_scatter() -> None:
    found = spread_of([0.5])
    assert found.mean == 0.5
    assert math.isnan(found.deviation)
    assert math.isnan(found.low)


def test_the_same_difference_every_time_has_no_probability() -> None:
    assert math.isnan(difference_of([1.0, 2.0], [0.5, 1.5]).p)
