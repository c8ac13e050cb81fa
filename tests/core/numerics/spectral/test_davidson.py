"""The smallest eigenpairs by Davidson's method, against LAPACK."""

import numpy as np
import pytest
from scipy.linalg import eigh

from coterie.core.numerics.spectral.davidson import smallest_eigenpairs, unit_start


def similar(n: int, width: float, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) + 4 * rng.integers(0, 3, (n, 1)) * [1, 0.5]
    return np.asarray(np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / (2 * width**2)))


def adjusted(A: np.ndarray, beta: float = 0.15 / 0.85) -> np.ndarray:
    return np.asarray(np.diag((1 + beta) * A.sum(axis=1)) - A)


def path(n: int) -> np.ndarray:
    return np.eye(n, k=1) + np.eye(n, k=-1)


@pytest.mark.parametrize(
    "A",
    [similar(220, 0.1), similar(220, 0.5), similar(220, 3.0), path(120), np.eye(100)],
    ids=["narrow", "middling", "wide", "path", "alone"],
)
def test_it_finds_what_lapack_finds(A: np.ndarray) -> None:
    L = adjusted(A)
    diagonal = np.diag(L).copy()
    start = unit_start(diagonal, 6, np.random.default_rng(1))
    found = smallest_eigenpairs(lambda x: L @ x, diagonal, 6, start)
    assert found.converged
    values, vectors = eigh(L)
    np.testing.assert_allclose(found.values, values[:6], rtol=1e-10)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(6), atol=1e-10)
    # The space up to the next gap is the same, whatever basis of equal eigenvalues was taken.
    below = values < values[5] * (1 + 1e-9)
    inside = vectors[:, below].T @ found.vectors
    np.testing.assert_allclose(np.linalg.norm(inside, axis=0), 1, atol=1e-6)


def test_few_products_suffice_where_degrees_differ_most() -> None:
    L = adjusted(similar(300, 0.4))
    products = 0

    def product(x: np.ndarray) -> np.ndarray:
        nonlocal products
        products += 1
        return np.asarray(L @ x)

    diagonal = np.diag(L).copy()
    found = smallest_eigenpairs(
        product, diagonal, 10, unit_start(diagonal, 10, np.random.default_rng(0))
    )
    assert found.converged
    assert products <= 40


def test_the_limit_of_rounds_is_told() -> None:
    L = adjusted(path(200), 1e-3)
    start = np.random.default_rng(0).normal(size=(200, 4))
    found = smallest_eigenpairs(lambda x: L @ x, np.diag(L).copy(), 2, start, max_rounds=2)
    assert not found.converged
    assert found.rounds == 2
    assert found.residual > 1e-8
