"""Choosing columns."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core import Context, Dataset, Output
from coterie.plugins.transforms.select import Select
from tests.refusals import refuses

X = np.arange(6.0).reshape(2, 3)


def selected(columns: list[str], features: Any = X) -> Output:
    data = Dataset(title="some", features=features, columns=("a", "b", "c"))
    return Select().compute(data, params=Select.Params(columns=columns), context=Context())


@pytest.mark.parametrize("sparse", [False, True])
def test_columns_come_in_the_order_of_their_names(sparse: bool) -> None:
    found = selected(["c", "a", "c"], csr_array(X) if sparse else X).main
    assert isinstance(found, Dataset)
    assert found.columns == ("c", "a")
    np.testing.assert_array_equal(found.dense_features(), X[:, [2, 0]])


def test_new_items_are_chosen_by_name() -> None:
    model: Any = selected(["b"]).parts["model"]
    new = Dataset(features=np.array([[1.0, 2.0]]), columns=("b", "z"))
    np.testing.assert_array_equal(Select().apply(model, new, Context()).dense_features(), [[1.0]])


def test_leaving_a_column_out_rids_of_its_missing_values() -> None:
    gaps = X.copy()
    gaps[0, 1] = np.nan
    assert isinstance(selected(["a", "c"], gaps).main, Dataset)
    with refuses("missing-values"):
        selected(["a", "b"], gaps)


def test_unknown_columns_are_named() -> None:
    with refuses("unknown-column"):
        selected(["a", "z"])
