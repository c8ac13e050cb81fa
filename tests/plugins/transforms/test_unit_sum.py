"""Rows that sum to one."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset
from coterie.plugins.transforms.unit_sum import UnitSum
from tests.refusals import refuses


def scaled(X: Any) -> Dataset:
    output = UnitSum().compute(Dataset(features=X), params=UnitSum.Params(), context=Context())
    assert isinstance(output.main, Dataset)
    return output.main


@pytest.mark.parametrize("sparse", [False, True])
def test_each_row_sums_to_one(sparse: bool) -> None:
    X = np.random.default_rng(0).poisson(2.0, (8, 5)).astype(np.float64)
    X[3] = 0.0
    found = scaled(csr_array(X) if sparse else X)
    sums = found.dense_features().sum(axis=1)
    np.testing.assert_allclose(np.delete(sums, 3), 1.0)
    assert sums[3] == 0
    assert found.notes == ("Rows of zeros, left as they are: 1.",)
    assert hasattr(found.features, "tocsr") == sparse


def test_negative_values_are_refused() -> None:
    with refuses("negative-values"):
        scaled(np.array([[1.0, -0.5]]))
