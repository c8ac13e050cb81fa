"""The Gaussian kernel is its definition."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset
from coterie.core.numerics.similarity import tiles
from coterie.plugins.kernels.gaussian import Gaussian
from tests.rounding import rounding


def similarities(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return Gaussian().compute(data, params=Gaussian.Params(**params), context=Context())


@given(st.integers(1, 15), st.integers(1, 4), st.floats(1e-2, 1e2), st.integers(0, 2**32 - 1))
def test_it_equals_its_definition_and_is_positive_semidefinite(
    n: int, d: int, sigma: float, seed: int
) -> None:
    X = np.random.default_rng(seed).normal(size=(n, d))
    K = similarities(X, sigma=sigma).to_dense()
    expected = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / (2 * sigma**2))
    np.testing.assert_allclose(K, expected, atol=1e-9)
    np.testing.assert_array_equal(K, K.T)
    assert (np.diagonal(K) == 1).all()
    assert np.linalg.eigvalsh(K).min() > -1e-9


def test_blocks_give_the_same_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).random((53, 3))
    whole = similarities(X, sigma=0.3).to_dense()
    monkeypatch.setattr(tiles, "TILE", 7)
    np.testing.assert_allclose(
        similarities(X, sigma=0.3).to_dense(), whole, atol=rounding(32, 3 / 0.3**2)
    )


def test_auto_takes_its_share_of_the_median_distance_and_says_so() -> None:
    affinity = similarities([[0.0], [1.0], [3.0]], auto_fraction=0.5)
    assert affinity.details["sigma"] == pytest.approx(1.0)
    assert "0.5 of the median distance 2" in affinity.notes[0]


@pytest.mark.parametrize("X", [[[1.0]], [[1.0], [1.0]]])
def test_coinciding_items_are_fully_similar(X: list[list[float]]) -> None:
    affinity = similarities(X)
    assert (affinity.to_dense() == 1).all()
    assert "σ = 1 was used" in affinity.notes[0]


@pytest.mark.parametrize("sigma", [1e-300, 1e300])
def test_extreme_widths_do_not_break_it(sigma: float) -> None:
    K = similarities([[0.0], [1.0]], sigma=sigma).to_dense()
    assert K[0, 1] == (0 if sigma < 1 else 1)


def test_single_precision_takes_half_the_memory() -> None:
    X = np.random.default_rng(0).random((20, 3))
    single = similarities(X, sigma=0.3, precision="single")
    assert single.stored.dtype == np.float32
    np.testing.assert_allclose(single.stored, similarities(X, sigma=0.3).stored, atol=1e-7)


def test_the_estimate_covers_the_matrix_and_offers_a_way_out() -> None:
    data = Dataset(features=np.zeros((10_000, 2)))
    cost = Gaussian().estimate(data, params=Gaussian.Params())
    assert cost.bytes >= 8 * 10_000**2
    assert any("k-nearest-neighbour" in alternative for alternative in cost.alternatives)
