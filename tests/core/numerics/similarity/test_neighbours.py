"""Nearest neighbours without all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

from coterie.core import DataError
from coterie.core.numerics.similarity import approximate, neighbours
from coterie.core.numerics.similarity.exact_search import neighbours_within
from coterie.core.numerics.similarity.neighbours import (
    floored,
    nearest_neighbours,
)
from tests.refusals import refuses
from tests.rounding import rounding


@settings(max_examples=25)
@given(st.integers(2, 40), st.sampled_from([1, 2, 9, 30]), st.integers(1, 6), st.integers(0, 10**6))
def test_neighbours_by_brute_force(n: int, d: int, k: int, seed: int) -> None:
    k = min(k, n - 1)
    X = np.random.default_rng(seed).integers(0, 4, (n, d)).astype(np.float64)  # many ties
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "CHUNK_PAIRS", 7 * n)
        indices, distances = nearest_neighbours(X, k)
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(2))
    np.testing.assert_allclose(
        distances, np.take_along_axis(away, indices, axis=1), atol=rounding(4, 17)
    )  # whole numbers, at most √(30 · 9)
    np.fill_diagonal(away, np.inf)
    np.testing.assert_allclose(distances, np.sort(away, axis=1)[:, :k], atol=rounding(4, 17))
    assert (indices != np.arange(n)[:, None]).all()
    assert all(len(set(row)) == k for row in indices)


def test_a_far_origin_does_not_change_the_neighbours() -> None:
    X = np.random.default_rng(0).random((50, 12))
    near, away = nearest_neighbours(X, 5)
    shifted, shifted_away = nearest_neighbours(X + 1e6, 5)
    np.testing.assert_array_equal(near, shifted)
    np.testing.assert_allclose(away, shifted_away, atol=1e-8)


def test_duplicates_within_a_radius_stay_joined() -> None:
    graph = neighbours_within(np.array([[1.0], [1.0], [3.0]]), 0.5)
    assert graph.nnz == 2
    assert not graph.data.any()


def test_widths_of_zero_are_raised() -> None:
    assert floored(np.zeros(3))[0].tolist() == [1.0, 1.0, 1.0]
    assert floored(np.ones(3))[1] == 0


def _squared(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return np.asarray(((X[:, None] - Y[None]) ** 2).sum(2))


@settings(max_examples=20)
@given(st.integers(2, 30), st.sampled_from([3, 90]), st.integers(1, 5), st.integers(0, 10**6))
def test_neighbours_of_sparse_rows_by_brute_force(n: int, d: int, k: int, seed: int) -> None:
    k = min(k, n - 1)
    X = random_array((n, d), density=0.1, rng=np.random.default_rng(seed)).tocsr()
    away = np.sqrt(_squared(X.toarray(), X.toarray()))
    np.fill_diagonal(away, np.inf)
    found = nearest_neighbours(X, k)
    np.testing.assert_allclose(
        found.distances, np.sort(away, axis=1)[:, :k], atol=rounding(8 * d, 9)
    )
    assert (found.indices != np.arange(n)[:, None]).all()


@pytest.mark.parametrize("sparse", [False, True])
def test_cosine_by_its_definition_with_zeros_and_huge_rows(sparse: bool) -> None:
    X = np.random.default_rng(1).normal(size=(40, 70))
    X[3], X[4] = 0.0, 0.0
    X[5] *= 1e200
    X[6] *= 1e-200
    lengths = np.sqrt(((X / np.abs(X).max(1, initial=1e-300)[:, None]) ** 2).sum(1))
    unit = X / np.abs(X).max(1, initial=1e-300)[:, None] / np.maximum(lengths, 1e-300)[:, None]
    away = 1 - unit @ unit.T
    away[3, 4] = away[4, 3] = 0.0  # rows of zeros are like each other
    np.fill_diagonal(away, np.inf)
    found = nearest_neighbours(csr_array(X) if sparse else X, 4, metric="cosine")
    np.testing.assert_allclose(found.distances, np.sort(away, axis=1)[:, :4], atol=rounding(6 * 70))


def test_neighbours_among_other_items_may_be_equal_to_the_item() -> None:
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(30, 3)), rng.normal(size=(20, 3))
    Y[7] = X[5]
    found = nearest_neighbours(X, 20, among=Y)
    np.testing.assert_allclose(found.distances, np.sort(np.sqrt(_squared(X, Y)), axis=1))
    assert (found.indices[5, 0], found.distances[5, 0]) == (7, 0.0)
    with refuses("too-many-neighbours", DataError, match="20"):
        nearest_neighbours(X, 21, among=Y)


@pytest.mark.parametrize("d", [1, 12])
def test_thousands_of_duplicates_find_each_other(d: int) -> None:
    X = np.repeat(np.arange(3.0), [5000, 1000, 2])[:, None] * np.ones(d)
    X = X[np.random.default_rng(0).permutation(len(X))]
    indices, distances = nearest_neighbours(X, 3)
    np.testing.assert_array_equal(X[indices][X[:, 0] < 2], np.repeat(X[X[:, 0] < 2, None], 3, 1))
    assert (indices != np.arange(len(X))[:, None]).all()
    np.testing.assert_allclose(distances[X[:, 0] == 2], [[0, d**0.5, d**0.5]] * 2)


def _large(seed: int = 0) -> np.ndarray:
    """Items near a curved sheet in twelve columns, with duplicates and one far item."""
    rng = np.random.default_rng(seed)
    sheet = rng.normal(size=(20_500, 3)) @ rng.normal(size=(3, 12))
    X = np.sin(sheet) + 0.01 * rng.normal(size=sheet.shape)
    X[:50] = X[50]
    X[60] = 1e12
    return X + 1e5


def test_approximate_neighbours_state_their_recall_and_are_the_same_again() -> None:
    pytest.importorskip("faiss")
    X = _large()
    found = nearest_neighbours(X, 8, recall=0.99)
    assert found.measured_on == 500
    assert 0.99 <= found.recall <= 1
    assert "measured on 500 items" in found.notes[0]
    truth = nearest_neighbours(X, 8)
    assert truth.notes == ()
    assert (found.distances <= truth.distances[:, -1:] * (1 + 1e-9)).mean() > 0.98
    np.testing.assert_array_equal(found.distances[:50], truth.distances[:50])
    np.testing.assert_array_equal(found.indices[60], truth.indices[60])
    again = nearest_neighbours(X, 8, recall=0.99, workers=1)
    np.testing.assert_array_equal(found.indices, again.indices)


def test_columns_in_four_bits_find_what_was_asked_for_with_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("faiss")
    monkeypatch.setattr(neighbours, "ways", lambda n, d: [(True, np.inf)])
    X = _large()
    found = nearest_neighbours(X, 8, recall=0.99, workers=1)
    assert 0.99 <= found.recall <= 1
    truth = nearest_neighbours(X, 8)
    assert (found.distances <= truth.distances[:, -1:] * (1 + 1e-9)).mean() > 0.98
    np.testing.assert_array_equal(found.distances[:50], truth.distances[:50])
    again = nearest_neighbours(X, 8, recall=0.99, workers=3)
    np.testing.assert_array_equal(found.indices, again.indices)


def test_neighbours_are_exact_where_an_index_cannot_find_enough_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("faiss")
    monkeypatch.setattr(approximate, "PROBES", 1)
    monkeypatch.setattr(approximate, "MOST_PROBED", 10**6)
    X = np.random.default_rng(0).random((20_000, 30))  # nothing to make cells of
    found = nearest_neighbours(X, 2, recall=0.999)
    assert (found.recall, found.how) == (1.0, "exact")


def test_without_faiss_neighbours_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(approximate, "find_spec", lambda name: None)
    assert nearest_neighbours(_large(), 1, recall=0.9).how == "exact"


@pytest.mark.parametrize("d", [2, 5, 12])
def test_neighbours_by_sums_of_differences_equal_all_comparisons(d: int) -> None:
    X = np.random.default_rng(d).normal(size=(80, d))
    away = np.abs(X[:, None] - X[None]).sum(axis=2)
    np.fill_diagonal(away, np.inf)
    found = nearest_neighbours(X, 6, metric="manhattan")
    np.testing.assert_array_equal(found.indices, np.argsort(away, axis=1, kind="stable")[:, :6])
    np.testing.assert_allclose(found.distances, np.sort(away, axis=1)[:, :6], rtol=rounding(4 * d))
