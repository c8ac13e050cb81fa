"""The polynomial kernel is the power of an inner product."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.polynomial import Polynomial
from tests.refusals import refuses


def similarities(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return Polynomial().compute(data, params=Polynomial.Params(**params), context=Context())


@settings(max_examples=30)
@given(st.integers(1, 5), st.floats(0, 5), st.integers(0, 2**32 - 1))
def test_it_equals_its_definition_and_is_positive_semidefinite(
    degree: int, offset: float, seed: int
) -> None:
    X = np.random.default_rng(seed).normal(size=(8, 3))
    affinity = similarities(X, degree=degree, offset=offset)
    K = affinity.to_dense()
    np.testing.assert_allclose(K, (X @ X.T + offset) ** degree, atol=1e-8)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * K.max()
    assert affinity.nonnegative == bool((K >= 0).all())


def test_degree_two_is_the_inner_product_of_all_pairs_of_features() -> None:
    x, y = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    K = similarities([x, y], offset=0.0).to_dense()
    assert K[0, 1] == pytest.approx(np.outer(x, x).ravel() @ np.outer(y, y).ravel())


def test_a_power_beyond_all_numbers_is_refused() -> None:
    with refuses("values-too-large"):
        similarities([[1e100], [2e100]], degree=2)
