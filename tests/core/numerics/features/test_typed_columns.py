"""The default encoding of typed columns."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.core.model.columns import Column, category
from coterie.core.numerics.features.typed_columns import encoded


@pytest.mark.parametrize("words", ["ab" * 5 + "a", "abc" * 7 + "aa", "abcdefg" * 3])
def test_a_category_weighs_as_much_as_a_standardised_number(words: str) -> None:
    values, _ = encoded([category("c", list(words))])
    assert values is not None
    assert values.var(axis=0).sum() == pytest.approx(1.0)


def test_each_type_has_its_encoding() -> None:
    table = [
        Column("x", np.array([1.0, np.nan, 3.0])),
        category("sex", ["f", "", "m"]),
        Column("age", np.array([1, -1, 0]), "ordered", categories=("young", "old")),
        Column("day", np.array([0.0, 86400.0, np.nan]), "date"),
        Column("remark", ["a", "b", "c"], "text", "feature"),
        Column("left", np.zeros(3), role="information"),
    ]
    values, names = encoded(table)
    assert names == ("x", "sex = m", "age", "day")
    expected = [[1, 0, 1, 0], [np.nan, np.nan, np.nan, 86400], [3, 2, 0, np.nan]]
    np.testing.assert_array_equal(values, expected)


def test_rare_categories_of_very_many_share_a_feature() -> None:
    words = [str(i) for i in range(5000)] + ["0"] * 50
    values, names = encoded([category("c", words)])
    assert values is not None
    assert values.shape[1] == len(names) == 100
    assert names[-1] == "c = any other"
    assert (values > 0).sum(axis=1).tolist() == [1] * len(words)


def test_without_features_there_is_nothing() -> None:
    assert encoded([Column("x", np.zeros(2), role="information")]) == (None, ())
