"""Rows of one length or one sum."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.numerics.features.rows import unit_rows, unit_sum_rows


@pytest.mark.parametrize("sparse", [False, True])
def test_rows_of_any_size_come_to_one(sparse: bool) -> None:
    X = np.random.default_rng(0).random((5, 4)) * 10.0 ** np.array([[-200], [-3], [0], [3], [250]])
    X = np.vstack([X, np.zeros((1, 4))])
    given = csr_array(X) if sparse else X
    for make, size in ((unit_rows, 2), (unit_sum_rows, 1)):
        made, zeros = make(given)
        dense = np.asarray(made.toarray() if hasattr(made, "toarray") else made)
        np.testing.assert_allclose(np.linalg.norm(dense, ord=size, axis=1), [1, 1, 1, 1, 1, 0])
        assert zeros == 1
