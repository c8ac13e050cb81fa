"""A dataset refuses parts that do not fit and says in words what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.errors import DataError
from coterie.core.model.dataset import Dataset
from tests.refusals import refuses

X = np.arange(6.0).reshape(3, 2)


def test_columns_get_names_when_they_have_none() -> None:
    assert Dataset(features=X).columns == ("x1", "x2")
    assert Dataset(features=X).item_names == ("1", "2", "3")


@pytest.mark.parametrize(
    "parts",
    [
        {"features": np.zeros(3)},
        {"features": X, "columns": ("a",)},
        {"features": X, "items": ("a", "b")},
        {"features": X, "truth": np.zeros(2, dtype=int)},
        {"features": X, "truth": np.zeros((3, 1), dtype=int)},
        {"features": X, "texts": ("a",)},
        {"features": X, "relation": np.eye(2)},
        {"relation": np.zeros((2, 3))},
        {"thumbnails": np.zeros((3, 2), dtype=np.uint8)},
        {"kind": "nonsense"},
    ],
)
def test_parts_that_do_not_fit_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        Dataset(**parts)


def test_features_are_read_only() -> None:
    data = Dataset(features=X.copy())
    with pytest.raises(ValueError, match="read-only"):
        data.features[0, 0] = 9  # type: ignore[index]


@pytest.mark.parametrize("features", [X, csr_array(X)])
def test_dense_features_are_the_same_from_either_form(features: Any) -> None:
    dense = Dataset(features=features).dense_features()
    assert dense.dtype == np.float64
    np.testing.assert_array_equal(dense, X)


def test_a_missing_value_is_told_with_its_place() -> None:
    data = Dataset(
        title="t", features=np.array([[0.0, np.nan]]), columns=("a", "b"), items=("ann",)
    )
    with refuses("missing-values", DataError):
        data.dense_features()
    with refuses("missing-values", DataError, match="'x1'"):
        Dataset(features=np.array([[np.inf, np.nan]])).dense_features()


@pytest.mark.parametrize("shape", [(0, 2), (3, 0), (0, 0)])
def test_an_empty_table_is_refused_when_its_features_are_asked_for(shape: tuple[int, int]) -> None:
    with refuses("empty-data", DataError):
        Dataset(features=np.zeros(shape)).dense_features()


def test_a_relation_has_no_features() -> None:
    data = Dataset(kind="relation", relation=np.eye(3))
    assert data.n == 3
    with refuses("features-needed", DataError):
        data.dense_features()


def test_taking_items_takes_all_that_belongs_to_them() -> None:
    data = Dataset(
        features=csr_array(X),
        items=("a", "b", "c"),
        truth=np.array([0, 1, -1]),
        texts=("x", "y", "z"),
        relation=np.arange(9.0).reshape(3, 3),
        thumbnails=np.zeros((3, 2, 2), dtype=np.uint8),
    )
    some = data.take(np.array([2, 0]))
    np.testing.assert_array_equal(some.dense_features(), X[[2, 0]])
    assert some.items == ("c", "a")
    assert some.texts == ("z", "x")
    assert some.truth is not None
    assert some.truth.tolist() == [-1, 0]
    np.testing.assert_array_equal(some.relation, [[8.0, 6.0], [2.0, 0.0]])


def test_other_features_keep_the_items_and_drop_names_that_no_longer_fit() -> None:
    data = Dataset(features=X, columns=("a", "b"), items=("p", "q", "r"))
    assert data.with_features(X * 2).columns == ("a", "b")
    assert data.with_features(X[:, :1]).columns == ("x1",)
    assert data.with_features(X[:, :1]).items == ("p", "q", "r")
