"""Similarity by way of landmarks: a factor that is the bipartite walk, by definition."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array
from sklearn.metrics import adjusted_rand_score

from coterie.core import Affinity, Context, DataError, Dataset
from coterie.core.numerics.similarity.landmarks import bridge, placed
from coterie.plugins.clusterers.ncut import NCut
from coterie.plugins.graphs.landmarks import Landmarks


def graph(X: Any, **params: Any) -> Affinity:
    return Landmarks().compute(
        Dataset(features=X), params=Landmarks.Params(**params), context=Context()
    )


def test_it_is_the_walk_by_way_of_the_nearest_landmarks() -> None:
    rng = np.random.default_rng(0)
    X, places = rng.random((40, 3)), rng.random((7, 3))
    found = bridge(X, places, 3, 0.4)
    squared = ((X[:, None] - places[None]) ** 2).sum(-1)
    Z = np.exp(-squared / (2 * 0.4**2))
    Z[squared > np.sort(squared, axis=1)[:, 2:3]] = 0.0
    Z /= Z.sum(axis=1, keepdims=True)
    W = Z @ np.diag(1 / Z.sum(axis=0)) @ Z.T
    np.testing.assert_allclose(found.factor @ found.factor.T, W, atol=1e-6)
    np.testing.assert_allclose(W.sum(axis=1), 1.0)


def test_every_degree_is_one_and_nothing_negative() -> None:
    found = graph(np.random.default_rng(1).normal(size=(500, 4)), landmarks=40)
    np.testing.assert_allclose(found.degrees(), 1.0, atol=1e-5)
    assert found.factor is not None
    assert found.factor.min() >= 0
    assert found.factor.dtype == np.float32


def test_cuts_of_rings_agree_with_the_truth() -> None:
    rng = np.random.default_rng(2)
    ring = rng.integers(2, size=3000)
    angle = rng.random(3000) * 2 * np.pi
    radius = 1.0 + 2.0 * ring + 0.1 * rng.normal(size=3000)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    found: Any = NCut().compute(graph(X, near=3), params=NCut.Params(k=2), context=Context())
    assert adjusted_rand_score(ring, found.main.labels) > 0.99


def test_identical_items_share_one_landmark() -> None:
    found = graph(np.ones((2000, 3)))
    assert found.details["landmarks"] == 1
    assert found.factor is not None
    np.testing.assert_allclose(found.factor, found.factor[0, 0])
    assert any("different places" in note for note in found.notes)


def test_sparse_items_of_ten_thousand_columns_are_taken_as_they_are() -> None:
    X = csr_array(random_array((300, 10_000), density=0.002, random_state=0))
    found = graph(X, landmarks=20)
    np.testing.assert_allclose(found.degrees(), 1.0, atol=1e-5)


def test_a_single_item_and_none() -> None:
    assert graph(np.array([[1.0, 2.0]])).to_dense().tolist() == [[1.0]]
    with pytest.raises(DataError) as caught:
        graph(np.zeros((0, 2)))
    assert caught.value.code == "empty-data"


def test_landmarks_are_the_same_for_the_same_seed() -> None:
    X = np.random.default_rng(3).random((400, 2))
    one, two = (placed(X, 30, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one, two)
