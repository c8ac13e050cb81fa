"""The linear kernel is the inner product."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.linear import Linear
from tests.refusals import refuses


def similarities(X: Any) -> Affinity:
    return Linear().compute(Dataset(features=X), params=Linear.Params(), context=Context())


@pytest.mark.parametrize("shape", [(9, 3), (3, 9)])
def test_it_equals_its_definition_in_either_form(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(0).normal(size=shape)
    affinity = similarities(X)
    assert affinity.form == ("factor" if shape[1] < shape[0] else "dense")
    np.testing.assert_allclose(affinity.to_dense(), X @ X.T)
    assert not affinity.nonnegative
    assert np.linalg.eigvalsh(affinity.to_dense()).min() > -1e-9


def test_sparse_counts_stay_sparse_until_they_are_multiplied() -> None:
    X = np.random.default_rng(0).poisson(0.3, (12, 40)).astype(np.float64)
    affinity = similarities(csr_array(X))
    np.testing.assert_array_equal(affinity.to_dense(), X @ X.T)
    assert affinity.nonnegative


def test_missing_values_of_sparse_features_are_named() -> None:
    X = np.array([[0.0, 1.0], [np.nan, 0.0]])
    with refuses("missing-values"):
        similarities(csr_array(X))
