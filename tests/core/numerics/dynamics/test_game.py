"""A game is its affinity without the diagonal, in units of the largest entry, in any form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, DataError
from coterie.core.numerics.dynamics.game import Game
from tests.refusals import refuses
from tests.rounding import rounding


def forms(seed: int, n: int) -> list[tuple[Affinity, np.ndarray]]:
    """The same kind of random affinity in every form, each with its dense matrix."""
    rng = np.random.default_rng(seed)
    dense = rng.normal(size=(n, n)) * rng.choice([1e-6, 1.0, 1e6])
    symmetric = dense + dense.T
    holes = np.where(rng.random((n, n)) < 0.5, dense, 0.0)
    factor = rng.normal(size=(n, 3))
    return [
        (Affinity(values=dense, symmetric=False, nonnegative=False), dense),
        (Affinity(values=symmetric, nonnegative=False), symmetric),
        (Affinity(sparse=csr_array(holes), symmetric=False, nonnegative=False), holes),
        (Affinity(sparse=csr_array(holes + holes.T), nonnegative=False), holes + holes.T),
        (Affinity(factor=factor, nonnegative=False), factor @ factor.T),
    ]


@given(st.integers(2, 15), st.integers(0, 2**32 - 1))
def test_all_forms_agree_with_the_dense_matrix(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.dirichlet(np.ones(n))
    for affinity, matrix in forms(seed, n):
        game = Game.of(affinity)
        A = matrix / game.scale
        slack = rounding(8 * (n + 3), float(np.abs(A).max()))  # the diagonal is taken off again
        np.fill_diagonal(A, 0)
        np.testing.assert_allclose(game.payoffs(x), A @ x, atol=slack)
        j = int(rng.integers(n))
        np.testing.assert_allclose(game.column(j), A[:, j], atol=slack)
        assert game.payoff_against(x, j) == pytest.approx(float(x @ A[:, j]), abs=slack)
        mixed, share = A @ x, float(rng.uniform(-0.2, 1))
        game.mix_in(mixed, j, share)
        moved = (1 - share) * x
        moved[j] += share
        np.testing.assert_allclose(mixed, A @ moved, atol=slack)
        assert game.least <= A.min() + slack
        if affinity.form != "factor":
            assert np.abs(A).max() == pytest.approx(1 if A.any() else 0)


def test_a_large_diagonal_does_not_swallow_small_similarities() -> None:
    A = np.array([[1.0, 3e-30, 1e-30], [3e-30, 1.0, 1e-30], [1e-30, 1e-30, 1.0]])
    for affinity in (Affinity(values=A), Affinity(sparse=csr_array(A))):
        payoffs = Game.of(affinity).payoffs(np.full(3, 1 / 3))
        np.testing.assert_allclose(payoffs, [4 / 9, 4 / 9, 2 / 9])


def test_the_affinity_is_left_as_it_was() -> None:
    A = csr_array(np.array([[5.0, 1.0], [1.0, 5.0]]))
    before = A.toarray()
    game = Game.of(Affinity(sparse=A))
    game.payoffs(np.array([0.5, 0.5]))
    np.testing.assert_array_equal(A.toarray(), before)


def test_an_all_zero_affinity_is_a_game_without_payoffs() -> None:
    game = Game.of(Affinity(values=np.eye(3)))
    assert game.scale == 1
    assert not game.payoffs(np.full(3, 1 / 3)).any()


def test_missing_similarities_are_refused() -> None:
    A = np.ones((2, 2))
    A[0, 1] = np.nan
    with refuses("missing-values", DataError):
        Game.of(Affinity(values=A))


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_a_population_of_few_is_paid_as_in_the_whole_matrix(members: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.zeros(60)
    x[rng.choice(60, members, replace=False)] = rng.dirichlet(np.ones(members))
    for affinity, matrix in forms(seed, 60):
        game = Game.of(affinity)
        A = matrix / game.scale
        slack = rounding(8 * 63, float(np.abs(A).max()))
        np.fill_diagonal(A, 0)
        used = np.flatnonzero(x)
        np.testing.assert_allclose(game.payoffs_of(used, x[used]), A @ x, atol=slack)
        np.testing.assert_allclose(game.payoffs(x), A @ x, atol=slack)
