"""Telling symmetric matrices from others."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.numerics.similarity import tiles
from coterie.core.numerics.similarity.symmetry import is_symmetric


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
