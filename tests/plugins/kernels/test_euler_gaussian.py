"""The Euler-Gaussian kernel is a Gaussian of complex points on circles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset
from coterie.core.numerics.similarity import tiles
from coterie.plugins.kernels.euler_gaussian import EulerGaussian
from tests.refusals import refuses
from tests.rounding import rounding


def similarities(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return EulerGaussian().compute(data, params=EulerGaussian.Params(**params), context=Context())


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(1, 5), st.floats(0.1, 2), st.floats(0.1, 5), st.integers(0))
def test_it_equals_the_explicit_complex_distance(
    n: int, d: int, alpha: float, sigma: float, seed: int
) -> None:
    X = np.random.default_rng(seed).random((n, d))
    Z = np.exp(1j * alpha * np.pi * X) / np.sqrt(2)
    distances = (np.abs(Z[:, None] - Z[None]) ** 2).sum(2)
    cosines = (1 - np.cos(alpha * np.pi * (X[:, None] - X[None]))).sum(2)
    np.testing.assert_allclose(distances, cosines, atol=rounding(64 * d))
    K = similarities(X, alpha=alpha, sigma=sigma).to_dense()
    np.testing.assert_allclose(K, np.exp(-distances / (2 * sigma**2)), atol=1e-10)
    assert (np.diagonal(K) == 1).all()
    assert np.linalg.eigvalsh(K).min() > -1e-9


def test_tiles_give_the_same_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).random((53, 3))
    whole = similarities(X).to_dense()
    monkeypatch.setattr(tiles, "TILE", 7)
    np.testing.assert_allclose(similarities(X).to_dense(), whole, atol=rounding(256))


def test_features_outside_the_unit_range_are_refused_with_a_way_out() -> None:
    with refuses("values-out-of-range"):
        similarities([[-1.0], [3.0]])


def test_scaled_features_may_be_off_by_rounding() -> None:
    assert similarities([[0.0], [1 + 1e-12]]).n == 2


@pytest.mark.realdata
def test_occluded_digits_stay_nearer_to_themselves_than_under_a_gaussian(realdata: Path) -> None:
    from coterie.plugins.kernels.gaussian import Gaussian

    table = np.loadtxt(realdata / "usps.csv.gz", delimiter=",", skiprows=1, max_rows=300)
    X = table[:, :-1]
    X = (X - X.min()) / np.ptp(X)
    covered = X.copy()
    covered[:, :96] = np.random.default_rng(0).random((300, 96))
    both = Dataset(features=np.vstack([X, covered]))
    own = {}
    for kernel in (EulerGaussian, Gaussian):
        params: Any = kernel.Params(sigma=3.0)
        K = kernel().compute(both, params=params, context=Context()).to_dense()[300:, :300]
        own[kernel.id] = float((K.argmax(axis=1) == np.arange(300)).mean())
    assert own["euler-gaussian"] >= own["gaussian"]
    assert own["euler-gaussian"] > 0.9


def test_by_default_the_width_follows_the_euler_distances() -> None:
    X = np.random.default_rng(1).random((60, 3))
    found = EulerGaussian().compute(
        Dataset(features=X), params=EulerGaussian.Params(), context=Context()
    )
    wound = np.exp(1j * 1.9 * np.pi * X) / np.sqrt(2)
    away = np.sqrt((np.abs(wound[:, None] - wound[None]) ** 2).sum(-1))
    median = float(np.median(away[np.triu_indices(60, 1)]))
    assert found.details["sigma"] == pytest.approx(2 * median, rel=1e-9)
    assert "median distance" in found.notes[0]
