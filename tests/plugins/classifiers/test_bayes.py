"""Kernel and nearest-neighbour Bayes against the formulas, and each other's limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from coterie.core import Clustering, Context, Dataset
from coterie.core.formats.samples import SAMPLES
from coterie.plugins.classifiers.kernel_bayes import KernelBayes
from coterie.plugins.classifiers.nearest import Nearest
from coterie.plugins.classifiers.nearest_bayes import NearestBayes
from tests.refusals import refuses
from tests.rounding import rounding


def classify(
    component: Any, train: Dataset, labels: Any, new: Dataset, **params: Any
) -> Clustering:
    model = component().compute(
        train,
        Clustering(labels=np.asarray(labels), dataset=train),
        params=component.Params(**params),
        context=Context(),
    )
    result: Clustering = component().apply(model, new, Context())
    return result


def halves() -> tuple[Dataset, Dataset]:
    data = SAMPLES["wine"].make()
    order = np.random.default_rng(0).permutation(data.n)
    return data.take(order[:90]), data.take(order[90:])


@pytest.mark.parametrize("priors", ["sample", "equal"])
def test_kernel_bayes_is_the_share_of_a_group_in_the_density(priors: str) -> None:
    train, new = halves()
    labels, sigma = np.asarray(train.truth), 60.0
    result = classify(KernelBayes, train, labels, new, sigma=sigma, priors=priors)
    X, Y = train.dense_features(), new.dense_features()
    K = np.exp(-((Y[:, None] - X) ** 2).sum(axis=2) / (2 * sigma**2))
    each = np.column_stack([K[:, labels == c].sum(axis=1) for c in range(3)])
    if priors == "equal":
        each /= np.bincount(labels)
    expected = each / each.sum(axis=1, keepdims=True)
    assert result.membership is not None
    np.testing.assert_allclose(result.membership, expected, atol=1e-9)
    np.testing.assert_array_equal(result.labels, expected.argmax(axis=1))


def test_far_from_all_items_the_nearest_decides() -> None:
    train = Dataset(features=np.array([[0.0], [1.0]]))
    result = classify(KernelBayes, train, [0, 1], Dataset(features=np.array([[1e6], [-1e6]])))
    assert result.labels.tolist() == [1, 0]
    assert result.membership is not None
    assert np.isfinite(result.membership).all()


def test_nearest_bayes_votes_like_the_library() -> None:
    train, new = halves()
    result = classify(NearestBayes, train, train.truth, new, neighbours=7)
    peer = KNeighborsClassifier(7).fit(train.dense_features(), train.truth)
    assert result.membership is not None
    np.testing.assert_allclose(result.membership, peer.predict_proba(new.dense_features()))
    shares = np.asarray(result.membership)
    np.testing.assert_allclose(
        shares[np.arange(new.n), result.labels], shares.max(axis=1), atol=rounding(7)
    )


def test_equal_votes_go_to_the_nearest_and_priors_can_be_alike() -> None:
    train = Dataset(features=np.array([[0.0], [1.0], [2.0], [3.0]]))
    new = Dataset(features=np.array([[1.4]]))
    tie = classify(NearestBayes, train, [0, 1, 0, 0], new, neighbours=2)
    assert tie.labels.tolist() == [1]
    alike = classify(NearestBayes, train, [0, 1, 0, 0], new, neighbours=4, priors="equal")
    assert alike.labels.tolist() == [1]
    assert classify(NearestBayes, train, [0, 1, 0, 0], new, neighbours=9).labels.tolist() == [0]


@pytest.mark.parametrize("component", [KernelBayes, NearestBayes])
def test_other_columns_are_refused(component: Any) -> None:
    train = Dataset(features=np.eye(3))
    with refuses("columns-mismatch"):
        classify(component, train, [0, 1, 1], Dataset(features=np.ones((2, 2))))


@pytest.mark.parametrize("component", [KernelBayes, NearestBayes, Nearest])
def test_new_items_too_far_for_distances_are_refused(component: Any) -> None:
    train = Dataset(features=np.array([[0.0], [1.0], [8.0], [9.0]]))
    with refuses("values-too-large"):
        classify(component, train, [0, 0, 1, 1], Dataset(features=np.array([[1e200]])))


def test_cubes_count_the_items_within_half_an_edge() -> None:
    train, new = halves()
    labels, edge = np.asarray(train.truth), 400.0
    result = classify(KernelBayes, train, labels, new, sigma=edge, window="cube")
    X, Y = train.dense_features(), new.dense_features()
    inside: Any = (np.abs(Y[:, None] - X) <= edge / 2).all(axis=2)
    each = np.column_stack([inside[:, labels == c].sum(axis=1) for c in range(3)])
    somebody = inside.any(axis=1)
    assert somebody.sum() > 50
    assert result.membership is not None
    np.testing.assert_allclose(
        result.membership[somebody], each[somebody] / each[somebody].sum(axis=1, keepdims=True)
    )
    far = classify(KernelBayes, train, labels, Dataset(features=X[:3] + 1e6), window="cube")
    assert (far.labels >= 0).all()


@pytest.mark.parametrize("component", [KernelBayes, NearestBayes])
def test_the_group_of_least_expected_loss_is_taken(component: Any) -> None:
    train, new = halves()
    loss = [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [9.0, 9.0, 0.0]]
    result = classify(component, train, train.truth, new, loss=loss)
    assert result.membership is not None
    expected = (result.membership @ np.array(loss)).min(axis=1)
    taken = (result.membership @ np.array(loss))[np.arange(new.n), result.labels]
    np.testing.assert_allclose(taken, expected)
    plain = classify(component, train, train.truth, new)
    assert (result.labels == 2).sum() > (plain.labels == 2).sum()
    with refuses("invalid-parameters"):
        classify(component, train, train.truth, new, loss=[[0.0, 1.0]])
