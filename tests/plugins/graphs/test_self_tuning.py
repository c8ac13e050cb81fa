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
