"""Distances by blocks are the distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from coterie.core.numerics.similarity import distances, tiles
from coterie.core.numerics.similarity.distances import (
    gaussian_similarities,
    median_distance,
    nearest_labelled,
    row_blocks,
    squared_distances,
)
from tests.rounding import rounding

features = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12),
    elements=st.floats(-100, 100, width=32),
)


def by_definition(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return np.asarray(((X[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2))


def slack_of(X: np.ndarray) -> float:
    """How far squared distances may be off: rounding is relative to the norms, which cancel."""
    return rounding(8 * (X.shape[1] + 1), 8 * float((X**2).sum(axis=1).max()))


@given(features)
def test_squared_distances_match_their_definition(X: np.ndarray) -> None:
    found = squared_distances(X)
    np.testing.assert_allclose(found, by_definition(X, X), atol=slack_of(X))
    assert (found >= 0).all()
    assert (np.diagonal(found) == 0).all()
    np.testing.assert_array_equal(found, found.T)


@given(features, st.integers(0, 2**32 - 1))
def test_distances_between_two_sets(X: np.ndarray, seed: int) -> None:
    Y = np.random.default_rng(seed).normal(size=(5, X.shape[1]))
    slack = slack_of(np.vstack([X, Y]))
    np.testing.assert_allclose(squared_distances(X, Y), by_definition(X, Y), atol=slack)


@pytest.mark.parametrize("side", [1, 5, 36, 37, 256])
def test_tiles_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    X = np.random.default_rng(3).normal(size=(37, 4))
    monkeypatch.setattr(tiles, "TILE", side)
    np.testing.assert_allclose(squared_distances(X), by_definition(X, X), atol=slack_of(X))
    np.testing.assert_allclose(
        squared_distances(X, X[:9]), by_definition(X, X[:9]), atol=slack_of(X)
    )


def test_a_far_origin_does_not_cost_precision() -> None:
    X = np.random.default_rng(0).random((20, 3))
    np.testing.assert_allclose(squared_distances(X + 1e6), squared_distances(X), atol=1e-8)


def test_the_result_can_be_written_in_place_and_the_input_is_untouched() -> None:
    X = np.random.default_rng(0).random((6, 2))
    before, out = X.copy(), np.empty((6, 6))
    assert squared_distances(X, out=out) is out
    np.testing.assert_array_equal(X, before)


def test_every_tile_asks_whether_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TILE", 2)
    asked: list[int] = []
    squared_distances(np.zeros((10, 1)), check=lambda: asked.append(1))
    assert len(asked) > 10


@given(features, st.floats(1e-3, 1e3))
def test_gaussian_similarities_match_their_definition(X: np.ndarray, sigma: float) -> None:
    found = gaussian_similarities(X, sigma=sigma)
    slack = rounding(4) + slack_of(X) / (2 * sigma**2)
    np.testing.assert_allclose(found, np.exp(-by_definition(X, X) / (2 * sigma**2)), atol=slack)
    np.testing.assert_array_equal(found, found.T)
    assert (np.diagonal(found) == 1).all()
    between = gaussian_similarities(X, X[:1], sigma=sigma)
    np.testing.assert_allclose(between, found[:, :1], atol=slack)


def test_single_precision_rounds_the_result_alone() -> None:
    X = np.random.default_rng(0).normal(size=(30, 3)) + 1e4
    found = gaussian_similarities(X, sigma=0.1, dtype=np.float32)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, gaussian_similarities(X, sigma=0.1).astype(np.float32))


@given(st.integers(0, 500), st.integers(0, 50), st.integers(1, 4000))
def test_blocks_cover_all_rows_once(rows: int, length: int, block_bytes: int) -> None:
    covered = [i for block in row_blocks(rows, length, block_bytes) for i in range(rows)[block]]
    assert covered == list(range(rows))


def test_the_median_of_a_large_set_comes_from_a_sample_and_is_always_the_same() -> None:
    X = np.random.default_rng(1).normal(size=(3000, 2))
    whole = np.median(np.sqrt(by_definition(X[:1500], X[1500:])))
    found = median_distance(X)
    assert found == median_distance(X)
    assert found == pytest.approx(whole, rel=0.05)


@pytest.mark.parametrize(("X", "expected"), [([[1.0]], 0.0), ([[1.0], [1.0]], 0.0)])
def test_no_two_different_items_have_no_median_distance(
    X: list[list[float]], expected: float
) -> None:
    assert median_distance(np.array(X)) == expected


def test_the_median_looks_past_coinciding_pairs() -> None:
    X = np.array([[0.0]] * 10 + [[2.0]])
    assert median_distance(X) == pytest.approx(2.0)


@given(features, st.integers(0, 2**32 - 1))
def test_nearest_labelled_item_by_brute_force(X: np.ndarray, seed: int) -> None:
    labels = np.random.default_rng(seed).integers(-1, 3, len(X))
    filled = nearest_labelled(X, labels)
    known = np.flatnonzero(labels >= 0)
    if not len(known):
        np.testing.assert_array_equal(filled, labels)
        return
    squared = by_definition(X, X[known])
    slack = slack_of(X)
    for i, label in enumerate(filled):
        if labels[i] >= 0:
            assert label == labels[i]
        else:
            nearest = known[squared[i] <= squared[i].min() + slack]
            assert label in labels[nearest]


def test_the_module_keeps_blocks_small_enough_to_check_often() -> None:
    assert distances.BLOCK_BYTES <= 1 << 24
