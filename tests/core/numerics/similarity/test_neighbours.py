"""Nearest neighbours without all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.numerics.similarity import neighbours
from coterie.core.numerics.similarity.neighbours import (
    floored,
    nearest_neighbours,
    neighbours_within,
)


@settings(max_examples=25)
@given(st.integers(2, 40), st.sampled_from([1, 2, 9, 30]), st.integers(1, 6), st.integers(0, 10**6))
def test_neighbours_by_brute_force(n: int, d: int, k: int, seed: int) -> None:
    k = min(k, n - 1)
    X = np.random.default_rng(seed).integers(0, 4, (n, d)).astype(np.float64)  # many ties
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "CHUNK_PAIRS", 7 * n)
        indices, distances = nearest_neighbours(X, k)
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(2))
    np.testing.assert_allclose(distances, np.take_along_axis(away, indices, axis=1), atol=1e-12)
    np.fill_diagonal(away, np.inf)
    np.testing.assert_allclose(distances, np.sort(away, axis=1)[:, :k], atol=1e-12)
    assert (indices != np.arange(n)[:, None]).all()
    assert all(len(set(row)) == k for row in indices)


def test_a_far_origin_does_not_change_the_neighbours() -> None:
    X = np.random.default_rng(0).random((50, 12))
    near, away = nearest_neighbours(X, 5)
    shifted, shifted_away = nearest_neighbours(X + 1e6, 5)
    np.testing.assert_array_equal(near, shifted)
    np.testing.assert_allclose(away, shifted_away, atol=1e-8)


def test_duplicates_within_a_radius_stay_joined() -> None:
    graph = neighbours_within(np.array([[1.0], [1.0], [3.0]]), 0.5)
    assert graph.nnz == 2
    assert not graph.data.any()


def test_widths_of_zero_are_raised() -> None:
    assert floored(np.zeros(3))[0].tolist() == [1.0, 1.0, 1.0]
    assert floored(np.ones(3))[1] == 0
