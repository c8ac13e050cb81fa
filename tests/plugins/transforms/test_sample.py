"""Samples of the items."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Context, Dataset
from coterie.plugins.transforms.sample import RandomSubset
from tests.refusals import refuses


def sampled(data: Dataset, seed: int = 0, **params: Any) -> Dataset:
    return RandomSubset().compute(
        data, params=RandomSubset.Params(**params), context=Context(seed=seed)
    )


def numbered(n: int, truth: Any = None) -> Dataset:
    return Dataset(title="numbers", features=np.arange(n, dtype=np.float64)[:, None], truth=truth)


@settings(max_examples=30)
@given(st.integers(1, 50), st.integers(1, 60), st.integers(0, 10**6))
def test_items_are_taken_once_and_in_order(n: int, size: int, seed: int) -> None:
    found = sampled(numbered(n), seed, size=size)
    taken = found.dense_features().ravel()
    assert len(taken) == min(n, size)
    assert (np.diff(taken) > 0).all()
    np.testing.assert_array_equal(taken, found.details["positions"])


def test_the_seed_decides() -> None:
    data = numbered(100)
    one, two = (sampled(data, seed, size=10).details["positions"] for seed in (1, 2))
    assert one == sampled(data, 1, size=10).details["positions"]
    assert one != two


@pytest.mark.parametrize(("size", "counts"), [(9, [3, 3, 3]), (10, [3, 3, 4]), (30, [4, 10, 16])])
def test_classes_are_balanced_as_far_as_they_go(size: int, counts: list[int]) -> None:
    truth = np.repeat([0, 1, 2, -1], [4, 10, 30, 6])
    found = sampled(numbered(50, truth), size=size, balanced_by="truth")
    assert found.truth is not None
    got = np.bincount(found.truth, minlength=3)
    assert got.sum() == size
    if size == 30:
        assert got[0] == 4
        assert abs(int(got[2]) - int(got[1])) <= 30 - 4 - 2 * 10
    else:
        np.testing.assert_array_equal(np.sort(got), counts)


def test_balancing_needs_classes() -> None:
    with refuses("known-classes-needed"):
        sampled(numbered(5), balanced_by="truth")


def test_items_with_missing_cells_are_taken_as_they_are() -> None:
    values = np.where(np.arange(20) % 3 == 0, np.nan, np.arange(20.0))
    found = sampled(Dataset(features=values[:, None]), size=10)
    assert found.n == 10
    assert np.isnan(np.asarray(found.features)).any()
