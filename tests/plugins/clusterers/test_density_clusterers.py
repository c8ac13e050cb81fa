"""Clusterers that find the number of groups: density, peaks, exemplars, balls and communities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from coterie.core import Affinity, Clusterer, Clustering, Context, DataError, Dataset
from coterie.plugins.clusterers.affinity_propagation import AffinityPropagation
from coterie.plugins.clusterers.birch import Birch
from coterie.plugins.clusterers.dbscan import DBSCAN
from coterie.plugins.clusterers.hdbscan import HDBSCAN
from coterie.plugins.clusterers.leiden import Leiden
from coterie.plugins.clusterers.mean_shift import MeanShift
from coterie.plugins.clusterers.optics import OPTICS
from coterie.plugins.graphs.knn import KNN
from tests.refusals import refuses

OF_DATA: list[type[Clusterer]] = [HDBSCAN, DBSCAN, OPTICS, MeanShift, AffinityPropagation, Birch]


def run(method: type[Clusterer], source: Any, **params: Any) -> Clustering:
    found = method().compute(source, params=method.Params(**params), context=Context(seed=3))
    assert isinstance(found, Clustering)
    return found


def data(X: Any) -> Dataset:
    return Dataset(features=np.asarray(X, dtype=np.float64))


@pytest.fixture(scope="module")
def blobs() -> tuple[Dataset, Any]:
    X, truth = make_blobs(240, 3, centers=4, cluster_std=0.6, random_state=2)
    return data(X), truth


@pytest.mark.parametrize("method", OF_DATA)
def test_separate_blobs_are_found(method: type[Clusterer], blobs: tuple[Dataset, Any]) -> None:
    source, truth = blobs
    found = run(method, source, **({"k": 4} if method is Birch else {}))
    known = found.labels >= 0
    least = 0.95 if method is not AffinityPropagation else 0.3  # which finds many small ones
    assert adjusted_rand_score(truth[known], found.labels[known]) > least
    assert known.mean() > (0.5 if method is OPTICS else 0.75)  # slopes are in no valley
    assert found.details["unassigned"] == (~known).sum()


@pytest.mark.parametrize("method", OF_DATA)
@pytest.mark.parametrize(
    "X", [[[1.0]], [[0.0], [1.0]], np.zeros((12, 2)), np.arange(6.0)[:, None]], ids=str
)
def test_few_or_equal_items_get_labels(method: type[Clusterer], X: Any) -> None:
    found = run(method, data(X))
    assert len(found.labels) == len(X)


def test_curved_groups_by_density() -> None:
    X, truth = make_moons(400, noise=0.05, random_state=0)
    for method in (HDBSCAN, DBSCAN):
        found = run(method, data(X))
        known = found.labels >= 0
        assert adjusted_rand_score(truth[known], found.labels[known]) > 0.98


def test_noise_is_said_or_sent_to_the_nearest_group(blobs: tuple[Dataset, Any]) -> None:
    stray = np.random.default_rng(0).uniform(-30, 30, (20, 3))
    source = data(np.vstack([blobs[0].dense_features(), stray]))
    left, filled = run(HDBSCAN, source), run(HDBSCAN, source, rest="nearest")
    noise = left.labels < 0
    assert noise[-20:].sum() > 10
    assert left.notes[0] == f"In no group: {noise.sum()} of 260 items."
    assert (filled.labels >= 0).all()
    np.testing.assert_array_equal(filled.labels[~noise], left.labels[~noise])


def test_a_radius_of_ones_own_is_taken() -> None:
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [30.0]])
    found = run(DBSCAN, data(X), radius=1.5, min_samples=2)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, -1]
    assert run(Birch, data(X), k=3).labels.tolist() == [0, 0, 0, 1, 1, 2]


def test_exemplars_are_members_of_their_groups(blobs: tuple[Dataset, Any]) -> None:
    found = run(AffinityPropagation, blobs[0])
    exemplars = found.details["exemplars"]
    assert sorted(found.labels[exemplars].tolist()) == list(range(found.details["k"]))


def _graph(source: Dataset) -> Affinity:
    return KNN().compute(source, params=KNN.Params(), context=Context())


def test_communities_of_a_neighbour_graph(blobs: tuple[Dataset, Any]) -> None:
    pytest.importorskip("graspologic_native")
    graph = _graph(blobs[0])
    found = run(Leiden, graph, resolution=0.1)
    assert adjusted_rand_score(blobs[1], found.labels) == 1.0
    np.testing.assert_array_equal(found.labels, run(Leiden, graph, resolution=0.1).labels)
    assert run(Leiden, graph, resolution=5.0).details["k"] > 4


def test_an_item_without_an_edge_is_in_no_community() -> None:
    pytest.importorskip("graspologic_native")
    A = np.zeros((5, 5))
    A[0, 1] = A[1, 0] = A[2, 3] = A[3, 2] = 1.0
    assert run(Leiden, Affinity(values=A)).labels.tolist() == [0, 0, 1, 1, -1]
    with refuses("not-symmetric", DataError):
        run(Leiden, Affinity(values=np.triu(np.ones((3, 3))), symmetric=False))
    with refuses("negative-similarities", DataError):
        run(Leiden, Affinity(values=-A, nonnegative=False))
