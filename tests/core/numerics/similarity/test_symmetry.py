"""Telling symmetric matrices from others."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.numerics.similarity import tiles
from coterie.core.numerics.similarity.symmetry import is_symmetric, range_and_asymmetry


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("apart", [0.0, 1e-15, 1e-6])
def test_rounding_is_forgiven_and_more_is_not(
    monkeypatch: pytest.MonkeyPatch, sparse: bool, apart: float
) -> None:
    monkeypatch.setattr(tiles, "TILE", 3)
    A = np.random.default_rng(0).random((8, 8))
    A = A + A.T
    A[6, 1] += apart
    assert is_symmetric(csr_array(A) if sparse else A) == (apart < 1e-9)


def test_range_and_asymmetry_of_one_pass_are_those_of_the_whole_matrix() -> None:
    n = 300  # more than one tile
    A = np.random.default_rng(0).normal(size=(n, n))
    A += A.T
    off = A[~np.eye(n, dtype=bool)]
    assert range_and_asymmetry(A) == (off.min(), off.max(), 0.0)
    A[290, 3] += 100.0
    assert range_and_asymmetry(A) == (off.min(), A[290, 3], abs(A[290, 3] - A[3, 290]))
    A[3, 290] = np.nan
    assert np.isnan(range_and_asymmetry(A)).all()
