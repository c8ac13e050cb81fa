"""Centring a kernel is centring its features."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.plugins.graphs.centre_kernel import CentreKernel
from tests.rounding import rounding

FACTOR = np.random.default_rng(0).normal(size=(13, 3)) + 2
K = FACTOR @ FACTOR.T


@pytest.mark.parametrize("form", [{"values": K}, {"sparse": csr_array(K)}, {"factor": FACTOR}])
def test_it_equals_explicit_centring(form: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_blocks, "__defaults__", (8 * 13 * 5,))
    given = Affinity(positive_semidefinite=True, **form)
    found = CentreKernel().compute(given, params=CentreKernel.Params(), context=Context())
    centred = FACTOR - FACTOR.mean(axis=0)
    np.testing.assert_allclose(found.to_dense(), centred @ centred.T, atol=1e-10)
    np.testing.assert_allclose(found.degrees(), 0, atol=1e-10)
    assert not found.nonnegative
    if found.values is not None:
        np.testing.assert_array_equal(found.values, found.values.T)


def test_a_directed_matrix_is_centred_on_both_sides() -> None:
    A = np.random.default_rng(1).random((6, 6))
    given = Affinity(values=A, symmetric=False)
    found = CentreKernel().compute(given, params=CentreKernel.Params(), context=Context())
    H = np.eye(6) - 1 / 6
    np.testing.assert_allclose(found.to_dense(), H @ A @ H, atol=rounding(4 * 6 * 6))
