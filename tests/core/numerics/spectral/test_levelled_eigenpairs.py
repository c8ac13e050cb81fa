"""Eigenpairs by way of coarser graphs: those of the graph itself, whatever its shape."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array

from coterie.core import Affinity, Cancelled, Context, Dataset, Floats
from coterie.core.numerics.spectral import eigenpairs as module
from coterie.core.numerics.spectral.coarse_graphs import CoarseSolver, coarse_graphs
from coterie.core.numerics.spectral.levelled_eigenpairs import levelled_eigenpairs
from coterie.core.numerics.spectral.spectra import graph_spectrum
from coterie.plugins.graphs.knn import KNN

N = 42**2


def neighbours(X: Floats) -> Any:
    data, params = Dataset(features=X), KNN.Params(neighbours=8)
    return KNN().compute(data, params=params, context=Context()).sparse


@cache
def shape(name: str) -> Any:
    rng = np.random.default_rng(0)
    path: Any = csr_array(np.eye(N, k=1) + np.eye(N, k=-1))
    if name == "balls":
        X = 4 * rng.normal(size=(5, 6))[rng.integers(5, size=N)] + rng.normal(size=(N, 6))
        return neighbours(X) + 1e-3 * path
    if name == "grid":
        X = np.stack(np.meshgrid(np.arange(42.0), np.arange(42.0)), -1).reshape(-1, 2)
        return neighbours(X + 0.01 * rng.normal(size=X.shape)) + 1e-3 * path
    if name == "edges of very different weight":
        path.data = 10.0 ** -rng.uniform(0, 4, N - 1)[np.minimum(path.indices, _rows(path))]
    if name == "hub":
        hub = np.zeros((N, N))
        hub[0, 1:] = hub[1:, 0] = 1.0
        return csr_array(path + csr_array(hub))
    return path


def _rows(matrix: Any) -> Any:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def walk(A: Any) -> tuple[Any, Floats]:
    degrees = np.asarray(A.sum(axis=1)).ravel()
    sides = diags_array(1 / np.sqrt(degrees))
    calm = np.sqrt(degrees)
    return csr_array(sides @ A @ sides), (calm / np.linalg.norm(calm))[:, None]


@pytest.mark.parametrize("name", ["balls", "grid", "path", "edges of very different weight"])
def test_pairs_are_those_of_the_whole_matrix(name: str) -> None:
    matrix, known = walk(shape(name))
    found = levelled_eigenpairs(matrix, 4, known=known, bound=1.0, tolerance=1e-9)
    assert found.converged
    exact = np.linalg.eigvalsh(matrix.toarray())[::-1][1:5]
    # A symmetric matrix has an eigenvalue within the residual of each value that was found.
    np.testing.assert_allclose(found.values, exact, atol=1e-8)
    apart = np.linalg.norm(matrix @ found.vectors - found.vectors * found.values, axis=0)
    assert apart.max() <= 1e-8
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(known.T @ found.vectors, 0.0, atol=1e-8)


def test_pairs_that_are_not_used_have_the_right_eigenvalue_all_the_same() -> None:
    matrix, known = walk(shape("balls"))
    found = levelled_eigenpairs(
        matrix, 12, known=known, bound=1.0, tolerance=1e-9, sharp=lambda values: 4
    )
    exact = np.linalg.eigvalsh(matrix.toarray())[::-1][1:13]
    np.testing.assert_allclose(found.values[:4], exact[:4], atol=1e-9)
    # Of a residual of 1e-3: at most that, and as far as others are apart its square.
    np.testing.assert_allclose(found.values, exact, atol=1e-3)
    assert found.residual <= 1e-8


def test_a_coarser_graph_keeps_the_largest_eigenvalue_and_raises_no_other() -> None:
    matrix, known = walk(shape("grid"))
    levels = coarse_graphs(matrix, known[:, 0], 1.0, least=100)
    assert len(levels) > 2
    before = np.linalg.eigvalsh(levels[0].matrix.toarray())[::-1]
    for level in levels[1:]:
        np.testing.assert_allclose(level.matrix @ level.calm, level.calm, atol=1e-10)
        values = np.linalg.eigvalsh(level.matrix.toarray())[::-1]
        assert values[0] == pytest.approx(1.0)
        assert (values[:5] <= before[:5] + 1e-12).all()
        before = values


def test_corrections_are_symmetric_and_positive() -> None:
    matrix, known = walk(shape("balls"))
    solver = CoarseSolver(coarse_graphs(matrix, known[:, 0], 1.0))
    R = np.random.default_rng(1).normal(size=(matrix.shape[0], 6))
    inner = R.T @ solver.correct(R)
    # In float32: some hundred sums of its rounding.
    np.testing.assert_allclose(inner, inner.T, atol=1e-4 * np.abs(inner).max())
    assert np.linalg.eigvalsh((inner + inner.T) / 2).min() > 0


def test_a_large_graph_is_solved_so_and_the_same_as_by_lanczos(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = Affinity(sparse=shape("balls"))
    plain = graph_spectrum(graph, 6)
    monkeypatch.setattr(module, "LARGE", 1000)
    levelled = graph_spectrum(graph, 6, used=5)
    assert levelled.how.startswith("coarser graphs")
    assert not plain.how.startswith("coarser graphs")
    np.testing.assert_allclose(levelled.values[:5], plain.values[:5], atol=1e-8)
    again = graph_spectrum(graph, 6, used=5)
    np.testing.assert_array_equal(levelled.vectors, again.vectors)


def test_where_coarser_graphs_do_not_help_lanczos_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a hub all eigenvalues of a path are nearly equal, and far from 1."""
    monkeypatch.setattr(module, "LARGE", 1000)
    matrix, known = walk(shape("hub"))
    assert not levelled_eigenpairs(matrix, 4, known=known, bound=1.0, most_rounds=20).converged
    found = graph_spectrum(Affinity(sparse=shape("hub")), 5)
    assert not found.how.startswith("coarser graphs")
    exact = np.linalg.eigvalsh(matrix.toarray())[::-1][:5]
    np.testing.assert_allclose(found.values, exact, atol=1e-7)


def test_it_can_be_cancelled() -> None:
    matrix, known = walk(shape("grid"))

    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        levelled_eigenpairs(matrix, 3, known=known, bound=1.0, check=cancel)
