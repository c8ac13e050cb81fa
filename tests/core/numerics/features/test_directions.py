"""Leading directions, dense and sparse."""

import numpy as np
from scipy.sparse import csr_array

from coterie.core.numerics.features.directions import leading_directions


def test_directions_are_orthonormal_and_signed_by_their_largest_loading() -> None:
    X = np.random.default_rng(0).normal(size=(15, 6))
    for matrix, count in ((X, 0), (X, 3), (csr_array(X), 3), (csr_array(X), 0)):
        axes, values = leading_directions(matrix, count, start=np.ones(6))
        assert len(axes) == (count or 6)
        np.testing.assert_allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-9)
        assert (np.diff(values) <= 0).all()
        assert (axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)] > 0).all()
