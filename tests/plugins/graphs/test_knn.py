"""Nearest neighbours, by brute force and through the graph."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs.knn import KNN
from tests.refusals import refuses
from tests.rounding import rounding


def graph(source: Any, **params: Any) -> Affinity:
    data = Dataset(features=source) if isinstance(source, np.ndarray) else source
    return KNN().compute(data, params=KNN.Params(**params), context=Context())


def by_definition(X: np.ndarray, k: int) -> np.ndarray:
    away = ((X[:, None] - X[None]) ** 2).sum(2)
    np.fill_diagonal(away, np.inf)
    A = np.zeros(away.shape)
    np.put_along_axis(A, np.argsort(away, axis=1, kind="stable")[:, :k], 1.0, axis=1)
    return A


@settings(max_examples=25)
@given(st.integers(2, 25), st.sampled_from([1, 3, 12]), st.integers(1, 5), st.integers(0, 10**6))
def test_each_mode_equals_its_definition(n: int, d: int, k: int, seed: int) -> None:
    k = min(k, n - 1)
    X = np.random.default_rng(seed).normal(size=(n, d))
    A = by_definition(X, k)
    expected = {"directed": A, "union": np.maximum(A, A.T), "mutual": np.minimum(A, A.T)}
    for mode, wanted in expected.items():
        found = graph(X, neighbours=k, mode=mode)
        np.testing.assert_array_equal(found.to_dense(), wanted)
        assert found.symmetric == (mode != "directed")
        assert found.form == "sparse"


@pytest.mark.parametrize("mode", ["directed", "union", "mutual"])
def test_an_affinity_gives_the_same_graph_as_its_distances(mode: str) -> None:
    X = np.random.default_rng(1).normal(size=(40, 3))
    A = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / 2)
    of_data = graph(X, neighbours=4, mode=mode, weights="affinity", sigma=1.0).to_dense()
    for form in ({"values": A}, {"sparse": graph(X, neighbours=39, mode="directed").sparse}):
        if "sparse" in form:
            full: Any = form["sparse"]
            full = full.copy()
            full.data = A[~np.eye(40, dtype=bool)]
            form = {"sparse": full}
        of_affinity = graph(Affinity(**form), neighbours=4, mode=mode, weights="affinity")
        np.testing.assert_allclose(
            of_affinity.to_dense(), of_data, atol=rounding(32, 8 * (X**2).sum(axis=1).max())
        )


def test_duplicates_are_neighbours_and_nobody_is_its_own() -> None:
    found = graph(np.ones((30, 2)), neighbours=5, mode="directed", weights="affinity")
    assert not found.diagonal().any()
    np.testing.assert_array_equal(found.degrees(), np.full(30, 5.0))


def test_what_has_no_similarity_is_no_neighbour() -> None:
    A = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]])
    found = graph(Affinity(values=A), neighbours=2)
    np.testing.assert_array_equal(found.to_dense(), [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert found.notes == ("Items without an edge: 1.",)


def test_negative_similarities_join_the_same_items_as_others_do() -> None:
    # Every nearest other is 1, for whom it is 0: one edge is mutual, three are of either.
    A = -np.array([[0, 1, 5, 6], [1, 0, 2, 3], [5, 2, 0, 4], [6, 3, 4, 0.0]])
    for mode, edges in (("union", [(0, 1), (1, 2), (1, 3)]), ("mutual", [(0, 1)])):
        found = graph(
            Affinity(values=A, nonnegative=False), neighbours=1, mode=mode, weights="affinity"
        )
        expected = np.zeros((4, 4))
        for i, j in edges:
            expected[i, j] = expected[j, i] = A[i, j]
        np.testing.assert_array_equal(found.to_dense(), expected)


def test_as_many_neighbours_as_items_are_refused() -> None:
    with refuses("too-many-neighbours"):
        graph(np.arange(3.0)[:, None], neighbours=3)
    with refuses("too-many-neighbours"):
        graph(Affinity(values=np.eye(3)), neighbours=3)


def test_no_matrix_of_all_pairs_is_made() -> None:
    X = np.random.default_rng(0).normal(size=(4000, 12))
    graph(X[:20], neighbours=10)  # imports are not what is measured
    tracemalloc.start()
    try:
        graph(X, neighbours=10)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * 4000**2 / 4
