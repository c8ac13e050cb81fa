"""Nearest groups are those that plain float64 distances give, to the last pixel."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.nearest import NearestGroup, vote_of_nearest


def by_definition(X: Floats, samples: Floats, labels: Ints) -> Ints:
    apart = ((X[:, None, :].astype(np.float64) - samples[None]) ** 2).sum(axis=2)
    return np.asarray(labels[apart.argmin(axis=1)])


@settings(max_examples=30)
@given(
    seed=st.integers(0, 2**16),
    d=st.integers(1, 20),
    groups=st.integers(1, 5),
    offset=st.sampled_from([0.0, 1e4, -3e6]),
    whole=st.booleans(),
)
def test_labels_are_those_of_float64(
    seed: int, d: int, groups: int, offset: float, whole: bool
) -> None:
    rng = np.random.default_rng(seed)
    samples = rng.normal(size=(30, d)) * 3 + offset
    X = rng.normal(size=(700, d)) * 3 + offset
    if whole:  # many exact ties
        samples, X = np.round(samples), np.round(X)
    labels = rng.integers(0, groups, 30)
    found = NearestGroup(samples, labels).labels_of(X, workers=2)
    np.testing.assert_array_equal(found, by_definition(X, samples, labels))


def test_a_difference_that_float32_cannot_see_decides() -> None:
    samples = np.array([[0.0, 0.0], [1.0, 0.0]])
    X = np.array([[0.5 - 1e-12, 0.0], [0.5 + 1e-12, 0.0], [0.5, 0.0]])
    found = NearestGroup(samples, np.array([0, 1])).labels_of(X)
    assert found.tolist() == [0, 1, 0]


def test_values_beyond_float32_are_told_apart_too() -> None:
    samples = np.array([[0.0], [1e30]])
    found = NearestGroup(samples, np.array([3, 1])).labels_of(np.array([[9e29], [-1e60]]))
    assert found.tolist() == [1, 3]


def test_votes_agree_with_scikit_learn() -> None:
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(1)
    samples, labels = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    X = rng.normal(size=(500, 4))
    peer = KNeighborsClassifier(5).fit(samples, labels)  # five votes for two groups: no ties
    found = vote_of_nearest(X, samples, labels, 2, 5)
    np.testing.assert_array_equal(found, peer.predict(X))


def test_of_equal_votes_the_nearest_wins() -> None:
    samples = np.array([[0.0], [1.0], [3.0], [4.0]])
    labels = np.array([0, 1, 1, 0])
    assert vote_of_nearest(np.array([[0.4]]), samples, labels, 2, 2).tolist() == [0]
    assert vote_of_nearest(np.array([[0.9]]), samples, labels, 2, 2).tolist() == [1]
