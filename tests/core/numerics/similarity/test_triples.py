"""Triples: how they are drawn, and what three items are worth to each other."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity
from coterie.core.numerics.similarity.hyperedges import items_for
from coterie.core.numerics.similarity.triples import (
    Triples,
    all_triples,
    line_residuals,
    pair_products,
    triangles,
)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 9])
def test_all_triples_are_all(n: int) -> None:
    assert all_triples(n).T.tolist() == [list(c) for c in combinations(range(n), 3)]


@given(st.integers(1, 10**6))
def test_as_many_items_as_the_triples_allow(most: int) -> None:
    m = items_for(most, 3)
    assert comb(m, 3) <= most < comb(m + 1, 3)


@given(d=st.integers(1, 5), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_the_residual_is_that_of_total_least_squares(d: int, seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(6, d))
    items = all_triples(6)
    for triple, residual in zip(items.T, line_residuals(X, items), strict=True):
        centred = X[triple] - X[triple].mean(axis=0)
        values = np.linalg.svd(centred, compute_uv=False)
        assert residual == pytest.approx(np.sqrt((values[1:] ** 2).sum()), abs=1e-7)


def test_points_that_coincide_are_on_a_line() -> None:
    X = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [5.0, 5.0]])
    assert line_residuals(X, all_triples(4)).tolist() == [0.0] * 4


def test_products_are_the_same_in_every_form() -> None:
    factor = np.random.default_rng(0).random((7, 3))
    A = factor @ factor.T
    items = all_triples(7)
    expected = [A[i, j] * A[j, k] * A[i, k] for i, j, k in items.T]
    forms = [Affinity(values=A), Affinity(factor=factor), Affinity(sparse=csr_array(A))]
    for affinity in forms:
        np.testing.assert_allclose(pair_products(affinity, items), expected)


@given(n=st.integers(3, 12), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_triangles_of_a_sparse_graph_are_found_each_once(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.5), 1)
    A = A + A.T
    found = triangles(csr_array(A), 1000)
    assert found is not None
    items, weights = found
    expected = {
        (i, j, k): A[i, j] * A[j, k] * A[i, k]
        for i, j, k in combinations(range(n), 3)
        if A[i, j] and A[j, k] and A[i, k]
    }
    assert items.shape[1] == len(expected)
    for triple, weight in zip(items.T.tolist(), weights, strict=True):
        assert weight == pytest.approx(expected[tuple(triple)])


def test_too_many_triangles_are_not_listed() -> None:
    A = csr_array(np.ones((12, 12)) - np.eye(12))
    assert triangles(A, 219) is None
    found = triangles(A, 220)
    assert found is not None
    assert found[0].shape == (3, 220)
    star = np.zeros((300, 300))
    star[:150, 150] = star[150, 150:] = 1.0
    assert triangles(csr_array(star + star.T), 10) is None  # 22,350 paths, no triangle


@given(n=st.integers(3, 7), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_slopes_are_the_derivatives(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    items = all_triples(n)
    triples = Triples(n, items, rng.random((items.shape[1],)))
    x = rng.dirichlet(np.ones(n))

    def value(y: np.ndarray) -> float:
        i, j, k = items
        return float(triples.weights @ (y[i] * y[j] * y[k]))

    for i in range(n):
        step = 1e-5 * np.eye(n)[i]
        slope = (value(x + step) - value(x - step)) / 2e-5
        assert triples.slopes(x)[i] == pytest.approx(slope, rel=1e-6, abs=1e-9)


def test_among_keeps_the_triples_inside() -> None:
    triples = Triples(5, all_triples(5), np.arange(10.0))
    inside = triples.among(np.array([True, True, False, True, True]))
    assert inside.items.T.tolist() == [[0, 1, 3], [0, 1, 4], [0, 3, 4], [1, 3, 4]]
    np.testing.assert_array_equal(
        triples.degrees(), np.bincount(triples.items.ravel(), np.tile(triples.weights, 3))
    )
