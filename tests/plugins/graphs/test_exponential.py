"""The exponential of a kernel is a kernel."""

import math

import numpy as np
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.plugins.graphs.exponential import Exponential
from tests.refusals import refuses


def test_it_is_taken_entry_by_entry_and_stays_definite() -> None:
    F = np.random.default_rng(0).normal(size=(8, 3))
    given = Affinity(factor=F, positive_semidefinite=True, nonnegative=False)
    found = Exponential().compute(given, params=Exponential.Params(rate=0.5), context=Context())
    np.testing.assert_allclose(found.to_dense(), np.exp(0.5 * F @ F.T))
    assert np.linalg.eigvalsh(found.to_dense()).min() > -1e-9 * found.to_dense().max()
    assert found.nonnegative
    assert found.positive_semidefinite


def test_what_is_not_stored_becomes_one() -> None:
    given = Affinity(sparse=csr_array(np.eye(2)))
    found = Exponential().compute(given, params=Exponential.Params(), context=Context())
    np.testing.assert_allclose(found.to_dense(), [[math.e, 1.0], [1.0, math.e]])


def test_too_large_similarities_are_refused() -> None:
    with refuses("values-too-large"):
        Exponential().compute(
            Affinity(values=np.full((2, 2), 1e4)), params=Exponential.Params(), context=Context()
        )
