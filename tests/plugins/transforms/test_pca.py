"""Principal components as features."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.pca import PrincipalComponents
from tests.rounding import rounding


def reduced(X: Any, **params: Any) -> Output:
    return PrincipalComponents().compute(
        Dataset(features=X), params=PrincipalComponents.Params(**params), context=Context()
    )


def features(output: Output) -> np.ndarray:
    assert isinstance(output.main, Dataset)
    return output.main.dense_features()


def test_all_directions_keep_all_distances() -> None:
    X = np.random.default_rng(0).normal(size=(20, 4)) * [5, 2, 1, 0.1]
    Z = features(reduced(X, energy=1.0))
    assert Z.shape == (20, 4)
    apart = ((X[:, None] - X[None]) ** 2).sum(2)
    np.testing.assert_allclose(((Z[:, None] - Z[None]) ** 2).sum(2), apart, atol=1e-9)
    np.testing.assert_allclose(np.cov(Z.T), np.diag(np.diag(np.cov(Z.T))), atol=1e-9)


@pytest.mark.parametrize("energy", [0.5, 0.9, 0.99])
def test_the_fewest_that_keep_the_asked_share(energy: float) -> None:
    X = np.random.default_rng(1).normal(size=(50, 6)) * [8, 5, 3, 2, 1, 0.5]
    output = reduced(X, energy=energy)
    variances = np.asarray(output.parts["spectrum"].eigenvalues)  # type: ignore[union-attr]
    kept = features(output).shape[1]
    shares = np.cumsum(variances) / variances.sum()
    assert shares[kept - 1] >= energy - 1e-9
    assert kept == 1 or shares[kept - 2] < energy


def test_a_share_is_kept_as_far_as_the_most_allows() -> None:
    X = np.random.default_rng(1).normal(size=(50, 6)) * [8, 5, 3, 2, 1, 0.5]
    assert features(reduced(X, energy=1.0, at_most=4)).shape[1] == 4
    assert features(reduced(X, energy=0.5, at_most=4)).shape[1] < 4
    assert features(reduced(X, components=5, at_most=4)).shape[1] == 5


def test_a_number_goes_before_the_share() -> None:
    X = np.random.default_rng(1).normal(size=(9, 3))
    assert features(reduced(X, components=2)).shape == (9, 2)
    assert features(reduced(X, components=99)).shape == (9, 3)


def test_items_that_coincide_have_no_spread() -> None:
    np.testing.assert_allclose(features(reduced(np.ones((4, 3)))), 0, atol=rounding(8 * 12))


@pytest.mark.realdata
def test_digits_need_far_fewer_directions_than_pixels(realdata: Path) -> None:
    table = np.loadtxt(realdata / "usps.csv.gz", delimiter=",", skiprows=1, max_rows=500)
    assert features(reduced(table[:, :-1], energy=0.9)).shape[1] < 80
