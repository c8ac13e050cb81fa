"""The walk along local Gaussians."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from coterie.core import Affinity, Context, Dataset
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.plugins.graphs.local_gaussian import LocalGaussian
from tests.refusals import refuses
from tests.rounding import rounding


def graph(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return LocalGaussian().compute(data, params=LocalGaussian.Params(**params), context=Context())


@pytest.mark.parametrize("d", [1, 2, 4, 9])
@pytest.mark.parametrize("include_self", [False, True])
def test_it_equals_the_full_covariances(
    d: int, include_self: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_blocks, "__defaults__", (4000,))
    X = np.random.default_rng(d).normal(size=(25, d)) * np.linspace(0.2, 3, d)
    n, k, share = 25, 4, 0.3
    away = ((X[:, None] - X[None]) ** 2).sum(2)
    near = np.argsort(away, axis=1)[:, 1 : k + 1]
    P = np.zeros((n, n))
    for i in range(n):
        D = X[near[i]] - X[i]
        C = D.T @ D / k
        C += share * np.trace(C) / d * np.eye(d)
        for j in range(n):
            if i in near[j] or (include_self and i == j):
                P[j, i] = multivariate_normal.pdf(X[j], X[i], C)
    P /= P.sum(axis=1, keepdims=True)
    found = graph(X, neighbours=k, regularisation=share, include_self=include_self)
    np.testing.assert_allclose(found.to_dense(), P, atol=1e-9)
    assert not found.symmetric
    assert found.form == "sparse"


def test_rows_sum_to_one_even_in_many_columns() -> None:
    X = np.random.default_rng(0).normal(size=(30, 300)) * 1e3
    found = graph(X)
    np.testing.assert_allclose(found.degrees(), 1.0)
    assert found.nonnegative


def test_neighbourhoods_of_duplicates_have_a_width() -> None:
    X = np.concatenate([np.zeros(8), np.arange(1.0, 9.0)])[:, None]
    found = graph(X, neighbours=3)
    np.testing.assert_allclose(found.degrees(), 1.0)
    assert "duplicates" in found.notes[0]
    np.testing.assert_allclose(graph(np.ones((9, 2)), neighbours=3).degrees(), 1.0)


def test_as_many_neighbours_as_items_are_refused() -> None:
    with refuses("too-many-neighbours"):
        graph(np.arange(5.0)[:, None])


@pytest.mark.realdata
def test_digits_walk_to_their_own_kind(realdata: Path) -> None:
    table = np.loadtxt(realdata / "usps.csv.gz", delimiter=",", skiprows=1, max_rows=600)
    X, truth = table[:, :-1], table[:, -1]
    P = graph(X).to_dense()
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert (P * (truth[:, None] == truth[None])).sum() / len(X) > 0.8


@pytest.mark.parametrize("unit", [1e-140, 1e-90, 1e90, 1e140])
def test_chances_do_not_depend_on_the_unit_of_the_columns(unit: float) -> None:
    X = np.random.default_rng(4).normal(size=(30, 3))
    plain, scaled = graph(X, neighbours=5), graph(unit * X, neighbours=5)
    # Squared distances err by the rounding of the squared norms; the least width magnifies that.
    squares = np.square(X[:, None] - X[None]).sum(axis=2)
    least = np.sort(squares, axis=1)[:, 1].min()
    near = rounding(16, float(np.square(X).sum(axis=1).max() / least))
    np.testing.assert_allclose(scaled.to_dense(), plain.to_dense(), atol=near)
