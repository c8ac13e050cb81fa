"""k-means of many starts together."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris

from coterie.core import Floats
from coterie.core.numerics.mixtures import kmeans_batch
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition, spread_centres


def clouds(n: int = 90, d: int = 3) -> Floats:
    rng = np.random.default_rng(5)
    return np.asarray(rng.normal(size=(n, d)) + 4 * rng.integers(0, 3, (n, 1)))


def test_it_ends_where_scikit_learn_ends_from_the_same_centres() -> None:
    X = clouds()
    features = linear_features(X)
    first = spread_centres(features, 5, 6, np.random.default_rng(2))
    found = partition(features, 5, 6, np.random.default_rng(2), tolerance=0.0)
    for fit in range(6):
        peer = KMeans(5, init=first[:, fit], n_init=1, tol=0.0).fit(features[:, 1:])
        np.testing.assert_allclose(found.coefficients[:, fit, 1:], peer.cluster_centers_)
    assert found.unfinished == found.empty == 0


def test_iris_reaches_the_known_minimum() -> None:
    X = load_iris().data
    found = partition(linear_features(X), 3, 30, np.random.default_rng(0))
    centres = found.coefficients[:, :, 1:] + X.mean(axis=0)
    apart = np.square(X[:, None, None] - centres).sum(axis=3)
    assert apart.min(axis=1).sum(axis=0).min() == pytest.approx(78.85, abs=0.01)


def test_first_centres_are_different_items_and_lie_far_apart() -> None:
    X = clouds(60)
    features = linear_features(X)
    centres = spread_centres(features, 8, 20, np.random.default_rng(0))
    items = {row.tobytes() for row in features[:, 1:]}
    for fit in range(20):
        chosen = {row.tobytes() for row in centres[:, fit]}
        assert len(chosen) == 8
        assert chosen <= items
    rng = np.random.default_rng(1)
    blind = np.stack([features[rng.choice(60, 8, replace=False), 1:] for _ in range(20)], axis=1)

    def potential(of: Floats) -> float:
        apart = np.square(features[:, None, None, 1:] - of).sum(axis=3)
        return float(apart.min(axis=1).mean())

    assert potential(centres) < 0.9 * potential(blind)


def test_more_starts_leave_the_first_ones_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    features = linear_features(clouds())
    many = spread_centres(features, 4, 7, np.random.default_rng(3))
    monkeypatch.setattr(kmeans_batch, "_BLOCK", 1)  # one start at a time
    few = spread_centres(features, 4, 3, np.random.default_rng(3))
    np.testing.assert_array_equal(few, many[:, :3])


def test_fewer_different_items_than_groups_leave_groups_empty() -> None:
    X = np.repeat([[0.0], [1.0], [5.0]], 4, axis=0)
    found = partition(linear_features(X), 5, 3, np.random.default_rng(0))
    assert np.isfinite(found.coefficients).all()
    assert found.unfinished == 0
    centres = found.coefficients[:, :, 1] + 2.0
    for fit in range(3):
        assert {0.0, 1.0, 5.0} <= set(centres[:, fit].round(9))


def test_a_group_that_lost_its_items_is_given_the_farthest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = np.array([[0.0], [1.0], [2.0], [30.0]])
    far = np.array([[[1.0]], [[900.0]]]) - X.mean()
    monkeypatch.setattr(kmeans_batch, "spread_centres", lambda *args, **kwargs: far)
    found = partition(linear_features(X), 2, 1, np.random.default_rng(0))
    np.testing.assert_allclose(np.sort(found.coefficients[:, 0, 1]) + X.mean(), [1.0, 30.0])


def test_the_limit_is_told() -> None:
    found = partition(linear_features(clouds()), 6, 4, np.random.default_rng(0), max_iterations=1)
    assert found.unfinished > 0
