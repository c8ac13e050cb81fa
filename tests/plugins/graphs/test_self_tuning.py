"""Each item has its own width."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.graphs.self_tuning import SelfTuning
from tests.refusals import refuses


def graph(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return SelfTuning().compute(data, params=SelfTuning.Params(**params), context=Context())


def by_definition(X: np.ndarray, k: int) -> np.ndarray:
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(2))
    widths = np.sort(away, axis=1)[:, k]
    W = np.exp(-(away**2) / np.outer(widths, widths))
    np.fill_diagonal(W, 0.0)
    return np.asarray(W)


# Squared distances lose digits where norms cancel, and widths may be small: hence 1e-10 below.
def test_it_equals_its_definition() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    found = graph(X, neighbour=5)
    np.testing.assert_allclose(found.to_dense(), by_definition(X, 5), atol=1e-10)
    np.testing.assert_array_equal(found.to_dense(), found.to_dense().T)


def test_kept_pairs_have_the_same_similarity() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    found = graph(X, neighbour=5, keep=3)
    sparse = found.to_dense()
    assert found.form == "sparse"
    np.testing.assert_allclose(sparse[sparse > 0], by_definition(X, 5)[sparse > 0], atol=1e-10)
    assert ((sparse > 0).sum(axis=1) >= 3).all()


def test_scale_does_not_matter() -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    np.testing.assert_allclose(graph(X).to_dense(), graph(1e6 * X).to_dense(), atol=1e-9)


@pytest.mark.parametrize("keep", [0, 4])
def test_widths_of_duplicates_are_raised(keep: int) -> None:
    X = np.concatenate([np.zeros(9), np.arange(1.0, 6.0)])[:, None]
    found = graph(X, neighbour=7, keep=keep)
    assert np.isfinite(found.to_dense()).all()
    assert found.to_dense()[0, 1] == 1.0
    assert found.notes == ("Widths of zero (duplicates), raised to 0.001 of the median: 9.",)


def test_as_many_neighbours_as_items_are_refused() -> None:
    with refuses("too-many-neighbours"):
        graph(np.arange(7.0)[:, None])


def by_pairs(X: np.ndarray, metric: str, k: int) -> np.ndarray:
    """Item by item: exp(−d² / σ_i σ_j) for the distance named."""
    n = len(X)
    away = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if metric == "manhattan":
                away[i, j] = sum(abs(a - b) for a, b in zip(X[i], X[j], strict=True))
            else:
                lengths = np.linalg.norm(X[i]) * np.linalg.norm(X[j])
                away[i, j] = np.sqrt(max(0.0, 1 - X[i] @ X[j] / lengths))
    widths = np.sort(away, axis=1)[:, k]
    W = np.exp(-(away**2) / np.outer(widths, widths))
    np.fill_diagonal(W, 0.0)
    return np.asarray(W)


@pytest.mark.parametrize("metric", ["manhattan", "cosine"])
@pytest.mark.parametrize("d", [3, 12])
def test_other_distances_equal_their_definition(metric: str, d: int) -> None:
    X = np.random.default_rng(d).normal(size=(30, d))
    expected = by_pairs(X, metric, 5)
    np.testing.assert_allclose(
        graph(X, neighbour=5, metric=metric).to_dense(), expected, atol=1e-10
    )
    kept = graph(X, neighbour=5, metric=metric, keep=4).to_dense()
    np.testing.assert_allclose(kept[kept > 0], expected[kept > 0], atol=1e-10)


def test_the_distance_is_the_one_on_which_halves_of_the_columns_agree() -> None:
    rng = np.random.default_rng(0)
    # Twelve columns that all follow two hidden ones, some cells of them far off: sums of
    # differences are swayed less by those than sums of squares.
    hidden = rng.normal(size=(120, 2))
    X = hidden @ rng.normal(size=(2, 12)) + 0.1 * rng.normal(size=(120, 12))
    spoilt = X + np.where(rng.random(X.shape) < 0.1, 8 * rng.normal(size=X.shape), 0.0)
    found = graph(spoilt, keep="auto", metric="auto")
    assert found.details["metric"] == "manhattan"
    assert found.notes[0].startswith("Distance: manhattan, by which")
    # Directions alone matter: each row is multiplied by a number of its own.
    lengths = np.exp(rng.normal(size=(120, 1)))
    scaled = np.abs(hidden @ rng.normal(size=(2, 12))) * lengths
    assert graph(scaled, metric="auto").details["metric"] == "cosine"


@pytest.mark.parametrize(("n", "kept"), [(2, 1), (4, 3), (9, 5), (60, 12), (200, 15)])
def test_auto_keeps_fewer_of_few_items(n: int, kept: int) -> None:
    assert SelfTuning.Params(keep="auto").kept(n) == kept
    found = graph(np.random.default_rng(n).normal(size=(n, 5)), keep="auto", metric="auto")
    assert ((found.to_dense() > 0).sum(axis=1) >= kept).all()


def test_few_columns_are_compared_as_they_are() -> None:
    found = graph(np.random.default_rng(0).normal(size=(20, 2)), metric="auto")
    assert found.details["metric"] == "euclidean"
    assert "Too few columns" in found.notes[0]
