"""The Euler representation."""

import numpy as np

from coterie.core import DataError
from coterie.core.numerics.features.euler import euler_features, require_unit_range
from tests.refusals import refuses
from tests.rounding import rounding


def test_squared_distances_are_one_minus_cosine() -> None:
    X = np.random.default_rng(0).random((6, 3))
    E = euler_features(X, 1.9)
    squared = ((E[:, None] - E[None]) ** 2).sum(2)
    expected = (1 - np.cos(1.9 * np.pi * (X[:, None] - X[None]))).sum(2)
    np.testing.assert_allclose(squared, expected, atol=rounding(64))
    np.testing.assert_allclose((E**2).sum(axis=1), 3 / 2)


def test_the_range_is_asked_for() -> None:
    require_unit_range(np.array([[0.0, 1.0]]))
    with refuses("values-out-of-range", DataError):
        require_unit_range(np.array([[0.0, 1.1]]))
