"""No item is joined to itself."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Affinity, Context
from coterie.plugins.graphs.zero_diagonal import ZeroDiagonal

FACTOR = np.random.default_rng(0).random((5, 2))
A = FACTOR @ FACTOR.T


@pytest.mark.parametrize("form", [{"values": A}, {"sparse": csr_array(A)}, {"factor": FACTOR}])
def test_only_the_diagonal_goes(form: dict[str, Any]) -> None:
    given = Affinity(positive_semidefinite=True, **form)
    found = ZeroDiagonal().compute(given, params=ZeroDiagonal.Params(), context=Context())
    np.testing.assert_allclose(found.to_dense(), A - np.diag(np.diag(A)))
    assert not found.positive_semidefinite
    np.testing.assert_allclose(given.diagonal(), np.diag(A))
