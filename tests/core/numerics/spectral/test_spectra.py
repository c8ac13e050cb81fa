"""The spectrum of a graph: held against its definition, with pieces and without edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError
from coterie.core.numerics.spectral.spectra import (
    graph_spectrum,
    suggested_groups,
    without_diagonal,
)
from tests.refusals import refuses


def random_graph(n: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    A = np.where(rng.random((n, n)) < 0.3, rng.random((n, n)), 0.0)
    return A + A.T + np.diag(rng.random(n))


def forms(A: Any) -> list[Affinity]:
    return [Affinity(values=A), Affinity(sparse=csr_array(A))]


def test_it_solves_the_generalised_problem_of_the_laplacian() -> None:
    A = random_graph(30)
    D = np.diag(A.sum(axis=1))
    expected = eigh(D - A, D, eigvals_only=True)[:6]
    for affinity in forms(A):
        found = graph_spectrum(affinity, 6)
        np.testing.assert_allclose(1 - found.values, expected, atol=1e-9)
        F = found.walk_vectors(6)
        np.testing.assert_allclose((D - A) @ F, D @ F * (1 - found.values), atol=1e-9)
        np.testing.assert_allclose(F.T @ D @ F, np.eye(6), atol=1e-9)


def test_a_factor_gives_what_its_matrix_gives() -> None:
    factor = np.random.default_rng(0).random((40, 5))
    for zero in (False, True):
        dense = graph_spectrum(Affinity(values=factor @ factor.T), 4, zero_diagonal=zero)
        found = graph_spectrum(Affinity(factor=factor), 4, zero_diagonal=zero)
        np.testing.assert_allclose(found.values, dense.values, atol=1e-9)
        np.testing.assert_allclose(np.abs(found.vectors), np.abs(dense.vectors), atol=1e-6)


@pytest.mark.parametrize("wanted", [2, 3, 7])
def test_pieces_have_the_eigenvalue_one_each_and_are_written_down(wanted: int) -> None:
    A = np.zeros((12, 12))
    for start, size in ((0, 3), (3, 4), (7, 5)):
        A[start : start + size, start : start + size] = random_graph(size, start) + 0.1
    for affinity in forms(A):
        found = graph_spectrum(affinity, wanted)
        assert found.pieces == 3
        np.testing.assert_allclose(found.values[:3], 1.0)
        assert (found.values[3:] < 0.999).all()
        F = found.walk_vectors(min(wanted, 3))
        assert all(len(np.unique(F[found.piece == p].round(12), axis=0)) == 1 for p in range(3))


def test_items_without_an_edge_are_left_out() -> None:
    A = np.zeros((5, 5))
    A[1:4, 1:4] = 1.0
    for affinity in forms(A):
        assert graph_spectrum(affinity, 2).items.tolist() == [1, 2, 3]


def test_spectra_of_complete_graphs_with_negative_eigenvalues_are_right() -> None:
    n = 600
    complete = np.ones((n, n)) - np.eye(n)
    found = graph_spectrum(Affinity(values=complete), 4)
    np.testing.assert_allclose(found.values, [1.0, *[-1 / (n - 1)] * 3], atol=1e-9)


def test_directed_and_negative_graphs_are_refused_with_advice() -> None:
    with refuses("not-symmetric", DataError, match="graph/symmetrise"):
        graph_spectrum(Affinity(values=np.triu(np.ones((3, 3))), symmetric=False), 2)
    with refuses("negative-similarities", DataError):
        graph_spectrum(Affinity(values=-np.ones((3, 3))), 2)
    with refuses("negative-similarities", DataError):
        graph_spectrum(Affinity(factor=np.array([[1.0], [-1.0]])), 2)
    with refuses("no-similarities", DataError):
        graph_spectrum(Affinity(values=np.zeros((3, 3))), 2)


def test_the_first_of_equal_gaps_and_only_early_ones_count() -> None:
    assert suggested_groups(np.array([1.0, 0.5, 0.0])) == 1
    assert suggested_groups(np.array([1.0])) == 1
    late = np.concatenate([np.linspace(1, 0.9, 22), [0.0]])
    assert suggested_groups(late) < 20
    assert suggested_groups(np.array([1.0, 0.9 + 0.3j, 0.9 - 0.3j, 0.1])) == 3


@pytest.mark.parametrize("unit", [1e-150, 1e-13, 1.0, 1e13])
def test_the_gap_does_not_depend_on_the_unit_of_the_similarities(unit: float) -> None:
    assert suggested_groups(unit * np.array([9.0, 8.0, 7.0, 1.0, 0.5])) == 3
    noisy = np.array([9.0, 6.0 + 1e-15, 3.0, 0.0])  # equal gaps, but for rounding
    assert suggested_groups(unit * noisy) == 1


def test_the_diagonal_is_taken_off_a_copy() -> None:
    A = np.ones((3, 3))
    for affinity in forms(A):
        bare = without_diagonal(affinity)
        assert not bare.diagonal().any()
        assert affinity.diagonal().all()
        assert bare.degrees().tolist() == [2.0, 2.0, 2.0]
