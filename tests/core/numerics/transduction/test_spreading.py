"""Labels spread to those that have none, and only as far as there is something to go by."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity
from coterie.core.numerics.transduction.spreading import (
    FLOOR,
    affinity_rows,
    gaussian_rows,
    transduce,
)
from tests.rounding import rounding


def spread_labels(A: np.ndarray, labels: list[int], k: int = 2) -> list[int]:
    given = np.array(labels)
    rows = affinity_rows(Affinity(values=A), np.flatnonzero(given < 0))
    *_, spread = transduce(rows, given, k)
    return [int(label) for label in spread.labels()]


def gaps(A: np.ndarray, P: np.ndarray) -> np.ndarray:
    """What each item could gain by another choice, as a share of its best payoff."""
    payoffs = A @ P
    best = payoffs.max(axis=1)
    found: np.ndarray = (best - (P * payoffs).sum(axis=1)) / np.where(best > 0, best, 1.0)
    return found


def sparse_similarities(n: int, neighbours: int, seed: int) -> np.ndarray:
    """Random symmetric similarities, most of them zero."""
    rng = np.random.default_rng(seed)
    A = np.triu(rng.random((n, n)) * (rng.random((n, n)) < neighbours / n), 1)
    return A + A.T


@pytest.mark.parametrize("seed", range(30))
def test_where_it_says_converged_no_item_would_gain_by_another_class(seed: int) -> None:
    # 0.1 called all of these converged, and in 8 an item could have gained by another class.
    rng = np.random.default_rng(seed)
    n, k, tolerance = 120, 2 + seed % 4, 1e-6
    A = sparse_similarities(n, 6, seed) ** rng.choice([1, 4, 8])
    labels = np.full(n, -1)
    labels[:k] = np.arange(k)
    *_, spread = transduce(affinity_rows(Affinity(values=A), np.arange(k, n)), labels, k)
    assert spread.converged
    assert spread.gap <= tolerance
    assert spread.gap == pytest.approx(gaps(A, spread.P)[k:].max(), abs=rounding(8 * n))
    # A class with a share s pays at least 1 − tolerance / s of what the best one does.
    payoffs = A @ spread.P
    best = payoffs.max(axis=1, keepdims=True)
    short = (best - payoffs) * spread.P <= tolerance * best + rounding(8 * n, best.max())
    assert short[k:].all()


def test_what_stops_at_the_limit_is_not_called_converged() -> None:
    A = sparse_similarities(60, 6, 0)
    labels = np.append([0, 1], np.full(58, -1))
    *_, spread = transduce(A[2:], labels, 2, max_iterations=3)
    assert spread.iteration == 3
    assert not spread.converged
    assert max(spread.gap, spread.movement) > 1e-6


def test_an_item_that_decided_wrongly_and_wholly_changes_its_class_again() -> None:
    # Item 2 hears class 0 at once. Class 1 comes to it along a chain, later and more strongly, when
    # its share in class 1 would have underflowed but for the floor.
    chain = 40
    n = chain + 3
    A = np.zeros((n, n))
    A[2, 0] = 1.0
    for i in range(3, n):
        before = 1 if i == 3 else i - 1
        A[i, before] = 1.0
    A[2, n - 1] = 20.0
    labels = np.append([0, 1], np.full(n - 2, -1))
    shares = [spread.P[2, 1] for spread in transduce(A[2:], labels, 2)]
    *_, spread = transduce(A[2:], labels, 2)
    assert min(shares) >= FLOOR
    assert spread.converged
    assert spread.labels().tolist() == [0] + [1] * (n - 1)


@given(st.integers(4, 40), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_no_share_of_an_unlabelled_item_falls_below_the_floor(n: int, k: int, seed: int) -> None:
    A = sparse_similarities(n, 3, seed)
    labels = np.append(np.full(n - 2, -1), [0, 1])
    for spread in transduce(affinity_rows(Affinity(values=A), np.arange(n - 2)), labels, k):
        assert spread.P[:-2].min() >= FLOOR
    kept = spread.shares()
    assert not ((kept > 0) & (kept <= FLOOR)).any()
    np.testing.assert_allclose(kept.sum(axis=1), ~spread.undecided, atol=4 * k * FLOOR)


@given(st.integers(6, 60), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_sparse_graphs_give_what_dense_ones_do_step_by_step(n: int, k: int, seed: int) -> None:
    A = sparse_similarities(n, 3, seed)
    labels = np.append(np.full(n - k, -1), np.arange(k))
    items = np.arange(n - k)
    dense = transduce(affinity_rows(Affinity(values=A), items), labels, k)
    sparse = transduce(affinity_rows(Affinity(sparse=csr_array(A)), items), labels, k)
    for one, other in zip(dense, sparse, strict=False):
        if one.iteration > 20:
            break  # by then two roundings may have grown into two answers
        np.testing.assert_allclose(one.P, other.P, atol=1e-9)


def test_rows_at_rest_are_not_multiplied() -> None:
    # Items 2 to 99 hang on a label directly; the label walks along 50 more one by one.
    A = np.zeros((150, 150))
    A[2:100, 0] = 1.0
    A[100, 1] = 1.0
    for i in range(101, 150):
        A[i, i - 1] = 1.0
    labels = np.append([0, 1], np.full(148, -1))
    multiplied: list[int] = []

    class Counting(csr_array):
        def __matmul__(self, other: Any) -> Any:
            multiplied.append(self.shape[0])
            return csr_array(self) @ other

    *_, spread = transduce(Counting(A[2:]), labels, 2)
    assert spread.labels().tolist() == [0, 1] + [0] * 98 + [1] * 50
    # Of few rows the sum is taken directly; the last product is the test of all items.
    assert multiplied[-1] == 148
    assert max(multiplied[20:-1], default=0) < 30
    assert len(multiplied) < spread.iteration / 2


@given(st.integers(2, 12), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_rows_stay_on_the_simplex_and_known_labels_stay(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.random((n, n)) * (rng.random((n, n)) < 0.6)
    labels = rng.integers(-1, k, n)
    rows = affinity_rows(Affinity(values=A, symmetric=False), np.flatnonzero(labels < 0))
    for spread in transduce(rows, labels, k, max_iterations=50):
        np.testing.assert_allclose(spread.P.sum(axis=1), 1, rtol=2 * k * FLOOR)
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
        assert 0 <= spread.agreement <= 1 + rounding(8 * n)


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


@given(st.integers(2, 20), st.integers(0, 2**32 - 1))
def test_normalised_gaussian_rows_are_divided_by_the_root_of_both_degrees(
    n: int, seed: int
) -> None:
    X = np.random.default_rng(seed).random((n, 2))
    items = np.arange(0, n, 2)
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / (2 * 0.3**2))
    np.fill_diagonal(K, 0)
    degrees = K.sum(axis=1)
    K /= np.sqrt(np.outer(degrees, degrees))
    expected = K[items] / K[items].max(axis=1)[:, None]
    found = gaussian_rows(X, items, 0.3, normalise=True)
    np.testing.assert_allclose(found, expected, atol=1e-10)


@pytest.mark.parametrize("sigma", [1e-200, 1e-6])
def test_normalised_gaussian_rows_do_not_underflow(sigma: float) -> None:
    rows = gaussian_rows(
        np.random.default_rng(0).random((9, 2)), np.arange(9), sigma, normalise=True
    )
    np.testing.assert_array_equal(rows.max(axis=1), 1)


def test_adding_what_changed_to_dense_payoffs_ends_as_a_new_product_each_time_does() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((300, 2))
    labels = np.full(300, -1)
    labels[:6] = [0, 0, 1, 1, 2, 2]
    rows = gaussian_rows(X, np.flatnonzero(labels < 0), 0.05)
    *_, added = transduce(rows, labels, 3)
    *_, product = transduce(csr_array(rows), labels, 3)
    assert added.iteration > 30  # long enough for most rows to have settled
    np.testing.assert_array_equal(added.labels(), product.labels())
    np.testing.assert_allclose(added.P, product.P, atol=1e-4)
