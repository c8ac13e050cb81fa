"""Bernoulli, Poisson and multinomial kernels, compared with scipy's densities."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from coterie.core import Context, Dataset
from coterie.plugins.kernels.bernoulli import Bernoulli
from coterie.plugins.kernels.multinomial import Multinomial
from coterie.plugins.kernels.poisson import Poisson
from tests.refusals import refuses


def similarities(kernel: Any, X: np.ndarray, **params: Any) -> Any:
    found = kernel().compute(Dataset(features=X), params=kernel.Params(**params), context=Context())
    return np.asarray(found.to_dense())


def by_rows(densities: np.ndarray) -> Any:
    return densities / densities.max(axis=1, keepdims=True)


def test_bernoulli_is_a_density_relative_to_its_largest_value() -> None:
    X = (np.random.default_rng(0).random((6, 5)) < 0.4).astype(float)
    expected = [[np.prod(stats.bernoulli.pmf(x == y, 0.8)) / 0.8**5 for y in X] for x in X]
    np.testing.assert_allclose(similarities(Bernoulli, X), expected, rtol=1e-9)
    np.testing.assert_allclose(similarities(Bernoulli, X, agreement=0.5), 1.0)
    only_equal = (X[:, None] == X[None]).all(axis=2)
    np.testing.assert_array_equal(similarities(Bernoulli, X, agreement=1.0), only_equal)


def test_poisson_rates_are_the_counts_of_the_other_item() -> None:
    X = np.random.default_rng(1).poisson(3, (6, 4)).astype(float)
    expected = [[np.prod(stats.poisson.pmf(x, y + 0.5)) for y in X] for x in X]
    np.testing.assert_allclose(similarities(Poisson, X), by_rows(np.array(expected)), rtol=1e-9)


def test_multinomial_shares_are_those_of_the_other_item() -> None:
    X = np.random.default_rng(2).poisson(3, (6, 4)).astype(float)
    smooth = X + 0.5
    shares = smooth / smooth.sum(axis=1, keepdims=True)
    expected = [[stats.multinomial.pmf(x, x.sum(), p) for p in shares] for x in X]
    np.testing.assert_allclose(similarities(Multinomial, X), by_rows(np.array(expected)), rtol=1e-9)
    whole, each = (similarities(Multinomial, X, per_count=flag) for flag in (False, True))
    np.testing.assert_allclose(each ** X.sum(axis=1, keepdims=True), whole, rtol=1e-9)


def test_many_columns_do_not_underflow() -> None:
    X = np.random.default_rng(3).poisson(40, (4, 3000)).astype(float)
    for kernel in (Poisson, Multinomial):
        np.testing.assert_array_equal(similarities(kernel, X).max(axis=1), 1.0)


@pytest.mark.parametrize("kernel", [Bernoulli, Poisson, Multinomial])
def test_values_that_are_no_counts_are_refused(kernel: Any) -> None:
    for value in (-1.0, 0.5):
        with refuses("values-out-of-range"):
            similarities(kernel, np.array([[value, 1.0], [0.0, 1.0]]))
