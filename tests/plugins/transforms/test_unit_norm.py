"""Rows of length one."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset
from coterie.plugins.transforms.unit_norm import UnitNorm


@pytest.mark.parametrize("sparse", [False, True])
def test_each_row_has_length_one_and_its_direction(sparse: bool) -> None:
    X = np.random.default_rng(0).normal(size=(8, 5))
    data = Dataset(features=csr_array(X) if sparse else X)
    output = UnitNorm().compute(data, params=UnitNorm.Params(), context=Context())
    found = output.main.dense_features()  # type: ignore[union-attr]
    np.testing.assert_allclose(found, X / np.linalg.norm(X, axis=1, keepdims=True))
