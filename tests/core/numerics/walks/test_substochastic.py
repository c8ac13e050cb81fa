"""Systems (I − Q) x = b: every form against the dense definition."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import DataError, Floats
from coterie.core.numerics.walks import substochastic as module
from coterie.core.numerics.walks.substochastic import solve_substochastic
from tests.refusals import refuses


def ring(n: int) -> Floats:
    """A ring with a few chords; one row in four loses a tenth of its chance."""
    rng = np.random.default_rng(0)
    Q = rng.random((n, n)) * (rng.random((n, n)) < 4 / n)
    Q[np.arange(n), (np.arange(n) + 1) % n] += 1.0
    Q /= Q.sum(axis=1, keepdims=True)
    Q[::4] *= 0.9
    return np.asarray(Q)


@pytest.mark.parametrize("columns", [0, 2])
def test_sparse_systems_are_solved_as_dense_ones(columns: int) -> None:
    Q = ring(600)
    b = np.ones(600) if not columns else np.random.default_rng(1).random((600, columns))
    expected = np.linalg.solve(np.eye(600) - Q, b)
    np.testing.assert_allclose(solve_substochastic(csr_array(Q), b), expected, rtol=1e-6)
    np.testing.assert_allclose(solve_substochastic(Q, b), expected, rtol=1e-9)


def test_what_does_not_settle_is_solved_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROUNDS", 1)
    Q = ring(600)
    b = np.ones((600, 2))
    expected = np.linalg.solve(np.eye(600) - Q, b)
    np.testing.assert_allclose(solve_substochastic(csr_array(Q), b), expected, rtol=1e-9)


def test_symmetric_systems_go_by_conjugate_gradients() -> None:
    A = ring(500)
    A = A + A.T
    d = A.sum(axis=1)
    Q = (A / d[:, None])[1:, 1:]
    expected = np.linalg.solve(np.eye(499) - Q, np.ones(499))
    found = solve_substochastic(csr_array(Q), np.ones(499), symmetric_by=d[1:])
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("width", [3, 40])
def test_thin_factors_are_solved_in_their_own_width(width: int) -> None:
    rng = np.random.default_rng(2)
    U, V = rng.random((30, width)), rng.random((30, width))
    U /= (U @ V.T).sum(axis=1, keepdims=True) * 1.1
    np.testing.assert_allclose(
        solve_substochastic((U, V), np.ones(30)),
        np.linalg.solve(np.eye(30) - U @ V.T, np.ones(30)),
        rtol=1e-8,
    )


def test_a_walk_that_never_ends_is_said_to_be_one() -> None:
    Q = np.array([[0.0, 1.0], [1.0, 0.0]])
    for given in (Q, csr_array(Q)):
        with refuses("not-connected", DataError):
            solve_substochastic(given, np.ones(2))
