"""Columns that say nothing are left out."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.drop_constant import DropConstant
from tests.refusals import refuses

X = np.array([[1.0, 0.1, 0.0, 5.0], [2.0, 0.1, 0.0, 5.0], [0.0, 0.1, 0.0, 6.0]])


def dropped(X: Any) -> Output:
    data = Dataset(title="some", features=X, columns=("a", "b", "c", "d"))
    return DropConstant().compute(data, params=DropConstant.Params(), context=Context())


@pytest.mark.parametrize("sparse", [False, True])
def test_only_what_varies_is_kept(sparse: bool) -> None:
    output = dropped(csr_array(X) if sparse else X)
    assert isinstance(output.main, Dataset)
    assert output.main.columns == ("a", "d")
    np.testing.assert_array_equal(output.main.dense_features(), X[:, [0, 3]])
    assert output.main.notes == ("Constant columns left out: 2.",)
    new = Dataset(features=np.array([[7.0, 8.0, 9.0, 7.0]]))
    applied = DropConstant().apply(output.parts["model"], new, Context())  # type: ignore[arg-type]
    np.testing.assert_array_equal(applied.dense_features(), [[7, 7]])


def test_nothing_but_constants_is_refused() -> None:
    with refuses("constant-columns"):
        dropped(np.ones((3, 4)))
