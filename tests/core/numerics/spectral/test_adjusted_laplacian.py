"""The joint embedding against its definitions: PageRank, resistances, stochastic matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError
from coterie.core.numerics.spectral.adjusted_laplacian import (
    adjusted_laplacian,
    joint_coordinates,
    projected,
)
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.pagerank import personalised_pagerank
from tests.refusals import refuses
from tests.rounding import rounding

FRESH = np.random.default_rng


def graph(n: int, seed: int) -> np.ndarray:
    rng = FRESH(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.5)
    return np.asarray(A + A.T + np.diag(rng.random(n) + 0.01))


@given(st.integers(1, 25), st.integers(0, 2**32 - 1), st.floats(0.02, 0.95))
@settings(max_examples=25)
def test_pagerank_by_iteration_by_solving_and_by_the_full_embedding_agree(
    n: int, seed: int, restart: float
) -> None:
    A = graph(n, seed)
    d = A.sum(axis=1)
    laplacian = adjusted_laplacian(Affinity(values=A), restart)
    Z = joint_coordinates(laplacian, 0, FRESH(0)).coordinates
    S = FRESH(seed).random((n, 3))
    S /= S.sum(axis=0)
    by_document = d[:, None] * (Z @ (Z.T @ S)) / d.sum()
    alike = adjusted_laplacian(Affinity(values=A), restart, "normalised")
    U = joint_coordinates(alike, 0, FRESH(0)).coordinates
    normalised = np.sqrt(d)[:, None] * (U @ (U.T @ (S / np.sqrt(d)[:, None])))
    solved = restart * np.linalg.solve(np.eye(n) - (1 - restart) * (A / d[:, None]).T, S)
    symmetric = personalised_pagerank(random_walk(Affinity(values=A)), S, restart).scores
    walked = personalised_pagerank(
        random_walk(Affinity(values=A, symmetric=False)), S, restart
    ).scores
    for other in (by_document, symmetric, walked):
        np.testing.assert_allclose(other, solved, atol=1e-10)
    # All entries of D^½ Z Zᵀ D^−½ come from numbers of at most 1, and roots of d_i / d_j. Solving
    # with 1 − (1 − α) Pᵀ is as exact as its condition, 2 / α, allows.
    uneven = np.sqrt(d.max() / d.min())
    allowed = 50 * np.finfo(np.float64).eps * n * (uneven + 2 / restart)
    np.testing.assert_allclose(normalised, solved, rtol=0, atol=allowed)
    np.testing.assert_allclose(projected(U, d, S, "normalised"), normalised, atol=allowed)
    np.testing.assert_allclose(
        projected(Z, d, S, "document"), by_document, atol=rounding(16 * n * n, 1 / restart)
    )


@given(st.integers(2, 20), st.integers(0, 2**32 - 1), st.floats(0.02, 0.95))
@settings(max_examples=20)
def test_the_matrix_of_all_rankings_is_left_stochastic_and_keeps_the_degrees(
    n: int, seed: int, restart: float
) -> None:
    A = graph(n, seed)
    laplacian = adjusted_laplacian(Affinity(values=A), restart)
    Z = joint_coordinates(laplacian, 0, FRESH(0)).coordinates
    d = laplacian.degrees
    P = d[:, None] * (Z @ Z.T) / laplacian.volume
    assert P.min() > -rounding(16 * len(P) ** 2)
    np.testing.assert_allclose(P.sum(axis=0), 1, atol=1e-10)
    stationary = d / laplacian.volume
    np.testing.assert_allclose(P @ stationary, stationary, atol=1e-10)


@given(st.integers(2, 20), st.integers(0, 2**32 - 1), st.floats(0.02, 0.95))
@settings(max_examples=20)
def test_squared_distances_are_resistances_times_the_volume(
    n: int, seed: int, restart: float
) -> None:
    A = graph(n, seed)
    beta = restart / (1 - restart)
    d = A.sum(axis=1)
    green = np.linalg.inv(beta * np.diag(d) + np.diag(d) - A)
    resistances = beta * (np.diag(green)[:, None] + np.diag(green) - 2 * green)
    Z = joint_coordinates(adjusted_laplacian(Affinity(values=A), restart), 0, FRESH(0)).coordinates
    squared = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    expected = d.sum() * resistances
    np.testing.assert_allclose(squared, expected, atol=1e-9 * max(1.0, expected.max()))


@given(st.integers(2, 20), st.integers(0, 2**32 - 1), st.floats(0.02, 0.95))
@settings(max_examples=20)
def test_normalised_squared_distances_are_those_of_the_inverse(
    n: int, seed: int, restart: float
) -> None:
    A = graph(n, seed)
    roots = np.sqrt(A.sum(axis=1))
    beta = restart / (1 - restart)
    green = beta * np.linalg.inv((1 + beta) * np.eye(n) - A / roots[:, None] / roots)
    laplacian = adjusted_laplacian(Affinity(values=A), restart, "normalised")
    Z = joint_coordinates(laplacian, 0, FRESH(0)).coordinates
    squared = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    expected = np.diag(green)[:, None] + np.diag(green) - 2 * green
    np.testing.assert_allclose(squared, expected, atol=1e-11)


@pytest.mark.parametrize("stored", ["dense", "sparse", "factor", "narrow", "single"])
def test_normalised_coordinates_are_the_same_in_every_form_of_the_graph(stored: str) -> None:
    F = FRESH(1).random((600, 3 if stored == "narrow" else 8)) ** 4
    A = F @ F.T
    affinity = {
        "dense": lambda: Affinity(values=A),
        "sparse": lambda: Affinity(sparse=csr_array(A)),
        "factor": lambda: Affinity(factor=F),
        "narrow": lambda: Affinity(factor=F),
        "single": lambda: Affinity(values=A.astype(np.float32)),
    }[stored]()
    m = 3 if stored == "narrow" else 4
    laplacian = adjusted_laplacian(affinity, 0.15, "normalised")
    few = joint_coordinates(laplacian, m, FRESH(0))
    roots = np.sqrt(A.sum(axis=1))
    beta = 0.15 / 0.85
    values, vectors = np.linalg.eigh((1 + beta) * np.eye(600) - A / roots[:, None] / roots)
    Z = np.sqrt(beta) * vectors[:, :m] / np.sqrt(values[:m])
    exact = 1e-6 if stored == "single" else 1e-8
    np.testing.assert_allclose(few.eigenvalues, values[:m], atol=10 * exact)
    np.testing.assert_allclose(few.coordinates @ few.coordinates.T, Z @ Z.T, atol=10 * exact)
    x = FRESH(2).normal(size=(600, 2))
    np.testing.assert_allclose(laplacian.product(x), laplacian.to_dense() @ x, atol=10 * exact)
    np.testing.assert_allclose(laplacian.diagonal(), np.diag(laplacian.to_dense()), atol=exact)


def test_of_a_factor_with_fewer_columns_than_coordinates_all_are_found() -> None:
    F = FRESH(1).random((600, 3))
    laplacian = adjusted_laplacian(Affinity(factor=F), 0.15, "normalised")
    found = joint_coordinates(laplacian, 6, FRESH(0))
    beta = 0.15 / 0.85
    assert found.coordinates.shape == (600, 6)
    np.testing.assert_allclose(found.eigenvalues[3:], 1 + beta, rtol=1e-6)


@pytest.mark.parametrize("form", ["dense", "sparse", "factor", "single"])
def test_products_find_the_coordinates_that_lapack_finds(form: str) -> None:
    F = FRESH(1).random((600, 8)) ** 4
    A = F @ F.T
    affinity = {
        "dense": lambda: Affinity(values=A),
        "sparse": lambda: Affinity(sparse=csr_array(A)),
        "factor": lambda: Affinity(factor=F),
        "single": lambda: Affinity(values=A.astype(np.float32)),
    }[form]()
    few = joint_coordinates(adjusted_laplacian(affinity, 0.15), 4, FRESH(0))
    assert few.how == "Davidson"
    assert few.converged
    if form == "single":
        A = A.astype(np.float32).astype(np.float64)
    d = A.sum(axis=1)
    beta = 0.15 / 0.85
    values, vectors = np.linalg.eigh(np.diag((1 + beta) * d) - A)
    Z = np.sqrt(beta * d.sum()) * vectors[:, :4] / np.sqrt(values[:4])
    np.testing.assert_allclose(few.eigenvalues, values[:4], rtol=1e-6)
    np.testing.assert_allclose(np.abs(few.coordinates), np.abs(Z), atol=1e-4 * np.abs(Z).max())


@pytest.mark.parametrize(
    ("affinity", "code"),
    [
        (Affinity(values=np.array([[0.0, 1.0], [2.0, 0.0]]), symmetric=False), "not-symmetric"),
        (Affinity(values=np.array([[0.0, 1.0], [2.0, 0.0]])), "not-symmetric"),
        (Affinity(values=np.diag([1.0, 0.0])), "not-connected"),
        (Affinity(values=np.array([[1.0, -1.0], [-1.0, 3.0]])), "negative-similarities"),
        (Affinity(values=np.array([[np.nan, 1.0], [1.0, 1.0]])), "missing-values"),
        (Affinity(values=np.zeros((0, 0))), "empty-data"),
    ],
)
def test_graphs_without_the_embedding_are_refused(affinity: Affinity, code: str) -> None:
    with refuses(code, DataError):
        adjusted_laplacian(affinity, 0.15)


def test_very_uneven_degrees_stay_finite() -> None:
    A = np.diag([1e-300, 1.0, 1e6])
    Z = joint_coordinates(adjusted_laplacian(Affinity(values=A), 0.15), 0, FRESH(0)).coordinates
    assert np.isfinite(Z).all()
