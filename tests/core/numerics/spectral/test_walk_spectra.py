"""Spectra of directed walks: eigenvectors by their definition, closed classes, dead ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array, random_array

from coterie.core import Affinity, DataError
from coterie.core.numerics.spectral import walk_spectra as module
from coterie.core.numerics.spectral.walk_spectra import walk_spectrum
from tests.refusals import refuses


def directed(A: Any) -> Affinity:
    return Affinity(sparse=csr_array(A), symmetric=False)


def positive(n: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).random((n, n)) + 0.01


def walk(A: Any) -> Any:
    return A / A.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_real_eigenvectors_satisfy_their_equation(form: str) -> None:
    A = positive(8) + 4 * np.kron(np.eye(2), np.ones((4, 4)))
    affinity = Affinity(values=A, symmetric=False) if form == "dense" else directed(A)
    found = walk_spectrum(affinity, 2)
    expected = np.sort(np.linalg.eigvals(walk(A)).real)[::-1][:2]
    np.testing.assert_allclose(found.values, expected)
    np.testing.assert_allclose(walk(A) @ found.vectors, found.vectors * found.values, atol=1e-9)
    D = np.diag(A.sum(axis=1))
    np.testing.assert_allclose(np.diag(found.vectors.T @ D @ found.vectors), 1.0)


def test_a_conjugate_pair_gives_two_columns_that_the_walk_keeps_in_their_plane() -> None:
    A = np.roll(np.eye(7), 1, axis=1) + 0.1 * positive(7)
    found = walk_spectrum(Affinity(values=A, symmetric=False), 3)
    assert found.complex_values == 2
    plane, after = found.vectors, walk(A) @ found.vectors
    np.testing.assert_allclose(plane @ np.linalg.lstsq(plane, after)[0], after, atol=1e-9)
    assert np.linalg.matrix_rank(plane) == 3


def test_the_chances_of_ending_in_each_closed_class_belong_to_the_eigenvalue_one() -> None:
    A = np.zeros((6, 6))
    A[:2, :2] = A[2:4, 2:4] = 1.0
    A[4, [0, 2, 5]] = 0.5, 0.25, 0.25  # passing items, from which the walk ends in either class
    A[5, [2, 4]] = 0.5, 0.5
    found = walk_spectrum(directed(A), 3)
    assert (found.closed, found.pieces) == (2, 1)
    np.testing.assert_allclose(found.values[:2], 1.0)
    assert found.values[2] < 0.9
    np.testing.assert_allclose(walk(A) @ found.vectors, found.vectors * found.values, atol=1e-9)


def test_the_iteration_finds_what_the_decomposition_finds() -> None:
    graph: Any = random_array((320, 320), density=0.03, rng=np.random.default_rng(2))
    small = csr_array(graph + 0.5 * np.roll(np.eye(320), 1, axis=1))
    whole = csr_array(block_diag([small, small]))  # each too large for LAPACK
    expected = np.sort(np.linalg.eigvals(walk(small.toarray())).real)[::-1]
    found = walk_spectrum(directed(whole), 4)
    assert found.how == "Arnoldi"
    assert found.pieces == 2
    np.testing.assert_allclose(found.values.real, np.repeat(expected[:2], 2), atol=1e-6)


def test_dead_ends_are_left_out_one_after_another() -> None:
    A = np.zeros((5, 5))
    A[:3, :3] = 1.0
    A[0, 3] = A[3, 4] = 1.0  # 4 leads nowhere, and without it 3 does not either
    assert walk_spectrum(directed(A), 2).items.tolist() == [0, 1, 2]
    with refuses("no-similarities", DataError):
        walk_spectrum(directed(np.triu(np.ones((3, 3)), 1)), 2)


def test_undirected_graphs_and_factors_pass() -> None:
    factor = np.random.default_rng(0).random((12, 3))
    A = factor @ factor.T
    expected = walk_spectrum(Affinity(values=A), 3)
    found = walk_spectrum(Affinity(factor=factor), 3)
    np.testing.assert_allclose(found.values, expected.values, atol=1e-9)


def test_classes_that_are_left_with_hardly_any_chance_count_as_closed() -> None:
    A = np.zeros((6, 6))
    A[:2, :2] = A[2:4, 2:4] = A[4:, 4:] = 1.0
    A[4, 0] = A[5, 2] = 1e-11  # a system that is all but singular
    found = walk_spectrum(directed(A), 3)
    np.testing.assert_allclose(found.values, 1.0, atol=1e-6)
    assert np.isfinite(found.vectors).all()


def test_where_the_iteration_does_not_settle_the_walk_is_inverted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    blocks = [random_array((130, 130), density=0.1, rng=rng) for _ in range(3)]
    A: Any = csr_array(block_diag(blocks)) + csr_array(np.roll(np.eye(390), 1, axis=1) * 1e-4)
    for start in (0, 130, 260):  # within a block the way on is no rarity
        A = A + csr_array(
            (np.ones(129), (start + np.arange(129), start + 1 + np.arange(129))), A.shape
        )
    expected = np.linalg.eigvals(walk(A.toarray()))
    expected = expected[np.argsort(-expected.real)][:3]
    monkeypatch.setattr(module, "_arnoldi", lambda *_: None)
    found = walk_spectrum(directed(A), 3)
    assert found.how == "Arnoldi, shift and invert"
    np.testing.assert_allclose(found.values.real, expected.real, atol=1e-7)
    after = walk(A.toarray()) @ found.vectors
    plane = found.vectors
    np.testing.assert_allclose(plane @ np.linalg.lstsq(plane, after)[0], after, atol=1e-7)
