"""Robust, logarithmic and quantile scaling, by their definitions."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.log import Log
from coterie.plugins.transforms.quantile import Quantile
from coterie.plugins.transforms.robust import Robust
from tests.refusals import refuses


def run(method: Any, X: np.ndarray, **params: Any) -> tuple[np.ndarray, Output]:
    data = Dataset(features=X, columns=tuple("abcdef"[: X.shape[1]]))
    output = method().compute(data, params=method.Params(**params), context=Context())
    return output.main.dense_features(), output


def test_robust_scaling_has_median_0_and_the_quartiles_of_a_normal_distribution() -> None:
    X = np.random.default_rng(0).exponential(size=(101, 3)) * [1, 1e6, 1e-6]
    found, _ = run(Robust, X)
    first, middle, third = np.quantile(found, (0.25, 0.5, 0.75), axis=0)
    np.testing.assert_allclose(middle, 0, atol=1e-9)
    np.testing.assert_allclose(third - first, 2 * stats.norm.ppf(0.75), rtol=1e-9)


def test_one_extreme_value_changes_nothing_for_the_others() -> None:
    X = np.arange(9.0)[:, None]
    wild = X.copy()
    wild[-1] = 1e9
    np.testing.assert_allclose(run(Robust, X)[0][:-1], run(Robust, wild)[0][:-1])


def test_robust_scaling_of_a_column_that_is_mostly_equal_or_constant() -> None:
    X = np.column_stack([[0.0] * 9 + [5.0], [3.0] * 10])
    found, _ = run(Robust, X)
    assert found[-1, 0] == pytest.approx(5.0 / X[:, 0].std())
    np.testing.assert_array_equal(found[:, 1], 0)


def test_the_logarithm_of_one_more() -> None:
    X = np.array([[0.0, -3.0], [9.0, 3.0]])
    with refuses("negative-values"):
        run(Log, X)
    found, _ = run(Log, X, negative="keep sign")
    np.testing.assert_allclose(found, [[0, -np.log(4)], [np.log(10), np.log(4)]])
    found, _ = run(Log, X, columns=["a"])
    np.testing.assert_allclose(found, [[0, -3], [np.log(10), 3]])
    with refuses("unknown-column"):
        run(Log, X, columns=["z"])


def test_quantiles_are_uniform_or_normal_and_keep_the_order() -> None:
    X = np.random.default_rng(1).lognormal(size=(400, 2))
    uniform, _ = run(Quantile, X, like="uniform")
    ranks = (stats.rankdata(X, axis=0) - 1) / 399
    np.testing.assert_allclose(uniform, ranks, atol=1e-9)
    normal, output = run(Quantile, X)
    assert stats.kstest(normal[:, 0], "norm").pvalue > 0.5
    np.testing.assert_array_equal(np.argsort(normal, axis=0), np.argsort(X, axis=0))
    beyond = Dataset(features=np.array([[-1.0, 1e9]]))
    ends = Quantile().apply(output.parts["model"], beyond, Context()).dense_features()  # type: ignore[arg-type]
    np.testing.assert_allclose(ends, [[normal[:, 0].min(), normal[:, 1].max()]])


def test_equal_values_stay_equal_and_a_constant_is_0() -> None:
    X = np.column_stack([[1.0, 1.0, 1.0, 2.0, 3.0], [7.0] * 5])
    found, _ = run(Quantile, X, like="uniform")
    assert len(set(found[:3, 0])) == 1
    assert found[2, 0] < found[3, 0] < found[4, 0]
    np.testing.assert_array_equal(run(Quantile, X)[0][:, 1], 0)
