"""The Laplacian kernel falls with the city-block distance."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.core.numerics.similarity import tiles
from coterie.plugins.kernels.laplacian import Laplacian


def similarities(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return Laplacian().compute(data, params=Laplacian.Params(**params), context=Context())


def test_it_equals_its_definition_and_is_positive_semidefinite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = np.random.default_rng(0).normal(size=(23, 3))
    expected = np.exp(-np.abs(X[:, None] - X[None]).sum(2) / 0.8)
    for side in (5, 256):
        monkeypatch.setattr(tiles, "TILE", side)
        K = similarities(X, sigma=0.8).to_dense()
        np.testing.assert_allclose(K, expected)
        np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-9


def test_auto_takes_its_share_of_the_median_distance_and_says_so() -> None:
    affinity = similarities([[0.0], [1.0], [3.0]], auto_fraction=0.25)
    assert affinity.details["sigma"] == pytest.approx(0.5)
    assert "0.25 of the median city-block distance 2" in affinity.notes[0]


def test_coinciding_items_are_fully_similar() -> None:
    assert (similarities([[1.0], [1.0]]).to_dense() == 1).all()


def test_a_tiny_width_leaves_each_item_alone() -> None:
    np.testing.assert_array_equal(similarities([[0.0], [1.0]], sigma=1e-310).to_dense(), np.eye(2))
