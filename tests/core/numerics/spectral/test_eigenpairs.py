"""Leading eigenpairs: the same by every route, and the same every time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array, random_array
from scipy.sparse.linalg import aslinearoperator

from coterie.core import Affinity, Cancelled, Floats
from coterie.core.numerics.spectral import eigenpairs as module
from coterie.core.numerics.spectral.eigenpairs import leading_eigenpairs, with_signs
from tests.rounding import rounding


def sparse_symmetric(n: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    half: Any = random_array((n, n), density=8 / n, rng=rng, format="csr")
    return csr_array(half + half.T)


def definition_holds(matrix: Any, values: Floats, vectors: Floats) -> None:
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-6)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-7)


@pytest.mark.parametrize("form", ["dense", "sparse", "operator"])
@pytest.mark.parametrize("size", [60, 700])
def test_every_form_gives_the_largest_eigenvalues(form: str, size: int) -> None:
    A = sparse_symmetric(size)
    expected = np.linalg.eigvalsh(A.toarray())[::-1][:5]
    matrix = {"dense": A.toarray(), "sparse": A, "operator": aslinearoperator(A)}[form]
    found = leading_eigenpairs(matrix, 5)
    np.testing.assert_allclose(found.values, expected, atol=1e-7)
    definition_holds(A, found.values, found.vectors)
    assert found.residual < 1e-5


def test_a_factor_is_decomposed_without_the_whole_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    factor = np.random.default_rng(1).normal(size=(80, 4))
    monkeypatch.setattr(Affinity, "to_dense", lambda self: pytest.fail("the matrix was formed"))
    found = leading_eigenpairs(Affinity(factor=factor), 9)
    assert found.vectors.shape == (80, 5), "as many as the factor has columns, and one zero"
    assert found.values[-1] == 0
    definition_holds(factor @ factor.T, found.values, found.vectors)


def test_a_wide_factor_and_a_deficient_one_are_no_trouble() -> None:
    wide = np.random.default_rng(2).normal(size=(5, 9))
    assert leading_eigenpairs(Affinity(factor=wide), 5).vectors.shape == (5, 5)
    twice = np.column_stack([np.ones(9), np.ones(9)])
    found = leading_eigenpairs(Affinity(factor=twice), 2)
    np.testing.assert_allclose(found.values, [18.0, 0.0])
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(2), atol=rounding(16 * 9))


@pytest.mark.parametrize("size", [60, 700])
def test_what_is_known_is_not_found_again(size: int) -> None:
    A = sparse_symmetric(size, seed=3)
    whole = leading_eigenpairs(A, 6)
    rest = leading_eigenpairs(A, 4, known=whole.vectors[:, :2])
    np.testing.assert_allclose(rest.values, whole.values[2:], atol=1e-7)


def test_eigenvalues_too_close_for_the_plain_iteration_are_found_by_solving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n = 700
    beside: Any = [np.full(n - 1, 0.5)] * 2
    chain = csr_array(diags_array(beside, offsets=[-1, 1]))
    expected = np.cos(np.pi * np.arange(1, 5) / (n + 1))  # of a path, in closed form
    found = leading_eigenpairs(chain, 4)
    assert "shift" in found.how
    np.testing.assert_allclose(found.values, expected, atol=1e-10)
    monkeypatch.setattr(module, "is_narrow", lambda matrix: False)
    assert "shift" in leading_eigenpairs(chain, 4).how
    monkeypatch.setattr(module, "_shift_invert", lambda *args: None)
    assert leading_eigenpairs(chain, 4).how == "LAPACK"


def test_the_same_input_gives_the_same_result_to_the_last_bit() -> None:
    A = sparse_symmetric(800)
    one, other = leading_eigenpairs(A, 4), leading_eigenpairs(A, 4)
    np.testing.assert_array_equal(one.vectors, other.vectors)


def test_a_cancelled_iteration_ends() -> None:
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls > 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        leading_eigenpairs(sparse_symmetric(800), 4, check=check)


def test_signs_do_not_hang_on_rounding() -> None:
    vectors = np.array([[-0.5, 0.1], [0.5 + 1e-15, -0.9]])
    assert np.sign(with_signs(vectors)).tolist() == [[1.0, -1.0], [-1.0, 1.0]]
