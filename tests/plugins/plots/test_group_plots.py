"""Plots of groups, against their definitions, and in the states that are easily forgotten."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import silhouette_samples

from coterie.core import Clustering, Context, DataError, Dataset, ParameterError
from coterie.core.numerics.partitions.group_columns import group_means, spread_items
from coterie.plugins.plots.group_means import GroupMeansPlot
from coterie.plugins.plots.parallel_coordinates import ParallelCoordinates
from coterie.plugins.plots.scatter_matrix import ScatterMatrix
from coterie.plugins.plots.silhouettes import Silhouettes
from coterie.plugins.plots.stability_matrix import StabilityMatrix
from tests.refusals import refuses

ALL = (GroupMeansPlot, ParallelCoordinates, ScatterMatrix, Silhouettes, StabilityMatrix)


def run(method: Any, *inputs: Any, **params: Any) -> Any:
    return method().compute(*inputs, params=method.Params(**params), context=Context())


def grouped(n: int = 90, k: int = 3, d: int = 4, **more: Any) -> Clustering:
    rng = np.random.default_rng(1)
    labels = np.arange(n) % k
    X = rng.normal(size=(n, d))
    X[:, 1] += 5 * labels
    return Clustering(labels=labels, dataset=Dataset(features=X, **more))


def features(groups: Clustering) -> Any:
    assert groups.dataset is not None
    return np.array(groups.dataset.dense_features())


def test_means_are_those_of_the_definition() -> None:
    groups = grouped()
    X = features(groups)
    X[3, 0] = np.nan
    found = run(GroupMeansPlot, Clustering(labels=groups.labels, dataset=Dataset(features=X)))
    mean, deviation = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    for g in range(3):
        expected = (np.nanmean(X[groups.labels == g], axis=0) - mean) / deviation
        np.testing.assert_allclose(found.values[g], expected, atol=1e-9)
    assert found.items_of([1]).tolist() == np.flatnonzero(groups.labels == 1).tolist()


def test_means_of_sparse_columns_are_those_of_dense_ones() -> None:
    rng = np.random.default_rng(0)
    X = np.where(rng.random((50, 6)) < 0.3, rng.random((50, 6)), 0.0)
    labels = np.arange(50) % 3
    dense, sparse = group_means(X, labels, 3), group_means(csr_array(X), labels, 3)
    np.testing.assert_allclose(sparse.z, dense.z, atol=1e-9)
    np.testing.assert_allclose(sparse.effects, dense.effects, atol=1e-9)


def test_silhouettes_are_those_of_scikit_learn() -> None:
    groups = grouped()
    found = run(Silhouettes, groups)
    expected = silhouette_samples(features(groups), groups.labels)
    np.testing.assert_allclose(found.values, expected[found.items], atol=1e-9)


def test_the_columns_that_set_groups_apart_come_first_or_those_named() -> None:
    assert run(ScatterMatrix, grouped(), most_columns=2).columns[0] == "x2"
    assert run(GroupMeansPlot, grouped(), columns=["x4", "x1"]).columns == ("x4", "x1")
    with refuses("unknown-column", ParameterError, match="'x9'"):
        run(GroupMeansPlot, grouped(), columns=["x9"])


def test_stable_groups_have_ones_on_the_diagonal() -> None:
    groups = grouped()
    X = np.eye(3)[groups.labels] * 100 + features(groups)[:, :3]
    found = run(StabilityMatrix, Clustering(labels=groups.labels, dataset=Dataset(features=X)))
    np.testing.assert_array_equal(found.values, np.eye(3))


def test_a_sample_is_even_and_said() -> None:
    labels = np.repeat([0, 1, -1], [900, 90, 10])
    shown = spread_items(labels, 100)
    assert np.bincount(labels[shown] + 1).tolist() == [1, 90, 9]
    for method in (Silhouettes, ParallelCoordinates, ScatterMatrix):
        notes = " ".join(run(method, grouped(500), most=50).notes)
        assert "of 500 items are drawn" in notes


@pytest.mark.parametrize("method", ALL)
def test_one_group_no_group_and_many_groups_are_drawn_or_said(method: Any) -> None:
    for labels in (np.zeros(90, int), np.full(90, -1)):
        data = grouped().dataset
        groups = Clustering(labels=labels, dataset=data)
        draws = method in (ParallelCoordinates, ScatterMatrix)
        if draws or (method is GroupMeansPlot and labels.max() == 0):
            assert run(method, groups).marks
        else:
            with refuses("too-few-groups", DataError):
                run(method, groups)
    many = Clustering(
        labels=np.arange(2000) % 500,
        names=tuple(f"{'n' * 195}{g}" for g in range(500)),
        dataset=Dataset(features=np.random.default_rng(0).normal(size=(2000, 3))),
    )
    assert run(method, many).marks >= 400  # of lines, no more are drawn


@pytest.mark.parametrize("method", [GroupMeansPlot, ParallelCoordinates, ScatterMatrix])
def test_a_feature_without_values_is_shown_as_missing(method: Any) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    X[:, 1] = np.nan
    groups = Clustering(labels=np.arange(60) % 2, dataset=Dataset(features=X))
    figure = run(method, groups, columns=["x1", "x2", "x3"])
    assert np.isnan(figure.values[:, 1]).all()
    assert np.isfinite(figure.values[:, [0, 2]]).all()


def test_items_without_columns_are_sent_elsewhere() -> None:
    with refuses("features-needed", DataError):
        run(GroupMeansPlot, Clustering(labels=np.arange(2), dataset=Dataset(relation=np.eye(2))))
