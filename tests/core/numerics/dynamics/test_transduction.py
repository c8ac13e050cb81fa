"""Labels spread to those that have none, and only as far as there is something to go by."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity
from coterie.core.numerics.dynamics.transduction import affinity_rows, gaussian_rows, transduce


def spread_labels(A: np.ndarray, labels: list[int], k: int = 2) -> list[int]:
    given = np.array(labels)
    rows = affinity_rows(Affinity(values=A), np.flatnonzero(given < 0))
    *_, spread = transduce(rows, given, k)
    return [int(label) for label in spread.labels()]


@given(st.integers(2, 12), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_rows_stay_on_the_simplex_and_known_labels_stay(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.6)
    labels = rng.integers(-1, k, n)
    rows = affinity_rows(Affinity(values=A, symmetric=False), np.flatnonzero(labels < 0))
    for spread in transduce(rows, labels, k, max_iterations=50):
        np.testing.assert_allclose(spread.P.sum(axis=1), 1)
        known = labels >= 0
        np.testing.assert_array_equal(spread.labels()[known], labels[known])
        assert set(spread.labels()) <= set(range(-1, k))


@given(st.integers(3, 10), st.integers(0, 2**32 - 1))
def test_the_common_interest_never_falls_on_symmetric_similarities(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n))
    A = A + A.T
    np.fill_diagonal(A, 0)
    labels = np.full(n, -1)
    labels[:2] = [0, 1]
    before = -np.inf
    # One player at a time would rise for certain; all at once rise too, as in Baum and Eagon.
    for spread in transduce(A[2:], labels, 2, max_iterations=200):
        agreement = float(np.sum(spread.P * (A @ spread.P)))
        assert agreement >= before - 1e-9
        before = agreement


@given(st.integers(3, 10), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_agreement_is_the_similarity_to_those_that_chose_alike(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) + 0.1
    np.fill_diagonal(A, 0)
    labels = np.append(np.full(n - 2, -1), [0, 1])
    for spread in transduce(A[:-2], labels, k, max_iterations=30):
        alike = (A * (spread.P @ spread.P.T)).sum(axis=1) / A.sum(axis=1)
        assert spread.agreement == pytest.approx(alike[:-2].mean())
        assert 0 <= spread.agreement <= 1 + 1e-12


def test_labels_travel_along_a_chain() -> None:
    A = np.diag(np.ones(5), 1)
    assert spread_labels(A + A.T, [0, -1, -1, -1, -1, -1]) == [0] * 6


def test_an_item_without_similarities_stays_unassigned() -> None:
    A = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=float)
    assert spread_labels(A, [0, -1, -1, 1]) == [0, 0, -1, 1]


def test_an_item_exactly_between_stays_unassigned_not_class_zero() -> None:
    A = np.array([[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]])
    assert spread_labels(A, [0, -1, 1]) == [0, -1, 1]


@pytest.mark.parametrize("k", [2, 3, 7])
def test_an_island_without_labels_stays_unassigned_whatever_the_rounding(k: int) -> None:
    rng = np.random.default_rng(0)
    A = np.zeros((80, 80))
    A[:20, :20] = rng.random((20, 20))
    A[20:, 20:] = rng.random((60, 60))
    labels = np.full(80, -1)
    labels[:k] = np.arange(k)
    found = spread_labels(A, labels.tolist(), k)
    assert set(found[20:]) == {-1}
    assert -1 not in found[:20]


def test_a_slow_beginning_is_not_taken_for_the_end() -> None:
    # The lead of class 0 starts at one in ten million and doubles each time.
    A = np.array([[0, 0, 1e-7, 0], [0, 0, 0, 1e-8], [1e-7, 0, 0, 1], [0, 1e-8, 1, 0]])
    assert spread_labels(A, [0, 1, -1, -1]) == [0, 1, 0, 0]


def test_one_class_reaches_what_is_connected_and_no_more() -> None:
    A = np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]], dtype=float)
    assert spread_labels(A, [0, -1, -1, -1], k=1) == [0, 0, 0, -1]


def test_nothing_to_label_is_done_at_once() -> None:
    (spread,) = transduce(np.zeros((0, 2)), np.array([0, 1]), 2)
    assert spread.converged
    assert spread.labels().tolist() == [0, 1]


def test_negative_similarities_push_away() -> None:
    A = np.array([[0, 0, 0.2], [0, 0, -1.0], [0.2, -1.0, 0]])
    assert spread_labels(A, [0, 1, -1]) == [0, 1, 0]


def test_rows_of_every_form_are_the_same() -> None:
    factor = np.random.default_rng(0).random((12, 3))
    A = factor @ factor.T
    items = np.array([2, 5, 11])
    P = np.random.default_rng(1).dirichlet(np.ones(3), 12)
    expected = A[items].copy()
    expected[np.arange(3), items] = 0
    dense = affinity_rows(Affinity(values=A), items) @ P
    sparse = affinity_rows(Affinity(sparse=csr_array(A)), items) @ P
    unscaled = affinity_rows(Affinity(factor=factor), items) @ P
    np.testing.assert_allclose(unscaled, expected @ P)
    np.testing.assert_allclose(dense, expected @ P / expected.max(axis=1)[:, None])
    np.testing.assert_allclose(sparse, dense)


def test_taking_rows_leaves_the_affinity_alone() -> None:
    A = np.random.default_rng(0).random((5, 5))
    sparse = csr_array(A)
    affinity_rows(Affinity(sparse=sparse, symmetric=False), np.array([0, 3]))
    np.testing.assert_array_equal(sparse.toarray(), A)


@pytest.mark.parametrize("sigma", [1e-200, 1e-6, 0.1, 10.0])
def test_gaussian_rows_do_not_underflow(sigma: float) -> None:
    X = np.random.default_rng(0).random((40, 3))
    items = np.array([0, 7, 39])
    rows = gaussian_rows(X, items, sigma)
    np.testing.assert_array_equal(rows.max(axis=1), 1)
    assert not rows[np.arange(3), items].any()


@given(st.integers(2, 20), st.integers(0, 2**32 - 1))
def test_gaussian_rows_are_the_gaussian_up_to_a_factor_in_each_row(n: int, seed: int) -> None:
    X = np.random.default_rng(seed).random((n, 2))
    items = np.arange(0, n, 2)
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / (2 * 0.3**2))
    np.fill_diagonal(K, 0)
    expected = K[items] / K[items].max(axis=1)[:, None]
    np.testing.assert_allclose(gaussian_rows(X, items, 0.3), expected, atol=1e-10)


def test_updating_what_moves_gives_the_same_as_starting_anew_each_time() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((300, 2))
    labels = np.full(300, -1)
    labels[:6] = [0, 0, 1, 1, 2, 2]
    rows = gaussian_rows(X, np.flatnonzero(labels < 0), 0.05)
    # A sparse matrix of the same numbers is multiplied whole every time.
    *_, updated = transduce(rows, labels, 3)
    *_, anew = transduce(csr_array(rows), labels, 3)
    assert updated.iteration > 30  # long enough for most rows to have settled
    np.testing.assert_array_equal(updated.labels(), anew.labels())
    np.testing.assert_allclose(updated.P, anew.P, atol=1e-6)
