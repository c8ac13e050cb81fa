"""The spanning tree by rows."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree

from coterie.core.numerics.similarity.spanning import spanning_tree


@pytest.mark.parametrize("n", [0, 1, 2, 3, 20])
def test_it_is_as_short_as_any(n: int) -> None:
    A = np.random.default_rng(n).random((n, n)) + 0.1
    A = A + A.T
    start, end, lengths = spanning_tree(n, lambda i: A[i])
    assert len(lengths) == max(0, n - 1)
    np.testing.assert_array_equal(lengths, A[start, end])
    if n > 1:
        np.testing.assert_allclose(lengths.sum(), minimum_spanning_tree(csr_array(A)).sum())
        assert set(start) | set(end) == set(range(n))
