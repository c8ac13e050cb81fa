"""Laplacian eigenmaps."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array

from coterie.core import Affinity, Context, Embedding
from coterie.plugins.embedders.laplacian_eigenmaps import LaplacianEigenmaps
from tests.refusals import refuses


def embed(affinity: Affinity, components: int = 2) -> Embedding:
    params = LaplacianEigenmaps.Params(components=components)
    output = LaplacianEigenmaps().compute(affinity, params=params, context=Context())
    assert isinstance(output.main, Embedding)
    return output.main


def similar(n: int) -> np.ndarray:
    X = np.random.default_rng(0).normal(size=(n, 2))
    return np.asarray(np.exp(-((X[:, None] - X[None]) ** 2).sum(2)))


def test_it_solves_the_generalised_problem_without_the_constant() -> None:
    A = similar(25)
    D = np.diag(A.sum(axis=1))
    values, vectors = eigh(D - A, D)
    for affinity in (Affinity(values=A), Affinity(sparse=csr_array(A))):
        Y = embed(affinity, 3).coordinates
        expected = vectors[:, 1:4] * np.sqrt(np.trace(D))
        np.testing.assert_allclose(np.abs(Y), np.abs(expected), atol=1e-7)
    spectrum = embed(Affinity(values=A), 3).spectrum
    assert spectrum is not None
    np.testing.assert_allclose(spectrum, np.maximum(values[:4], 0), atol=1e-9)


@pytest.mark.parametrize("pieces", [2, 3, 5])
def test_pieces_are_told_apart_first_and_no_coordinate_is_constant(pieces: int) -> None:
    A = np.zeros((8 * pieces, 8 * pieces))
    for p in range(pieces):
        A[8 * p : 8 * p + 8, 8 * p : 8 * p + 8] = similar(8) * (p + 1)
    Y = embed(Affinity(values=A), pieces).coordinates
    d = A.sum(axis=1)
    np.testing.assert_allclose(Y.T @ (d[:, None] * Y) / d.sum(), np.eye(pieces), atol=1e-8)
    np.testing.assert_allclose(d @ Y, 0, atol=1e-7 * d.sum())
    L = np.diag(d) - A
    assert np.abs(L @ Y[:, : pieces - 1]).max() < 1e-9 * d.max() * np.abs(Y).max()
    apart = {tuple(np.round(Y[8 * p, : pieces - 1], 6)) for p in range(pieces)}
    assert len(apart) == pieces


def test_items_without_an_edge_lie_at_the_origin_and_are_counted() -> None:
    A = similar(10)
    A[0] = A[:, 0] = 0
    embedding = embed(Affinity(values=A))
    assert not embedding.coordinates[0].any()
    assert "origin: 1" in embedding.notes[0]


def test_fewer_coordinates_than_asked_for_are_said() -> None:
    embedding = embed(Affinity(values=np.ones((2, 2))), 5)
    assert embedding.coordinates.shape == (2, 1)
    assert "1 coordinates only, not 5" in embedding.notes[0]


def test_a_directed_graph_is_refused() -> None:
    with refuses("not-symmetric"):
        embed(Affinity(values=np.triu(np.ones((3, 3))), symmetric=False))
