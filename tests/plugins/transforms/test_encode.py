"""Columns become numbers of equal weight, and new items likewise."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Column, Context, CoterieError, Dataset
from coterie.core.model.columns import category
from coterie.plugins.transforms.encode import Encode
from tests.rounding import rounding
from tests.typed_tables import data_of, two_kinds


def run(data: Dataset, **params: Any) -> Any:
    return Encode().compute(data, params=Encode.Params(**params), context=Context())


def test_each_column_varies_as_much_as_one_standardised_number() -> None:
    found = run(two_kinds(50, sides=3)).main
    variances = found.dense_features().var(axis=0)
    for name in ("size", "height", "colour", "shape"):
        own = [j for j, called in enumerate(found.columns) if called.split(" = ")[0] == name]
        assert variances[own].sum() == pytest.approx(1.0)


def test_two_categories_are_one_number_at_the_distance_of_two() -> None:
    found = run(data_of(category("sex", ["f", "m", "m", "f"]))).main
    assert found.columns == ("sex = m",)
    np.testing.assert_allclose(found.dense_features().ravel(), [-1, 1, 1, -1])


def test_rare_categories_are_divided_by_the_root_of_their_share() -> None:
    words = ["a"] * 6 + ["b"] * 3 + ["c"]
    found = run(data_of(category("x", words)), categories="rare").main.dense_features()
    shares = np.array([0.6, 0.3, 0.1])
    expected = (np.eye(3)[["abc".index(w) for w in words]] - shares) / np.sqrt(shares)
    np.testing.assert_allclose(found, expected, atol=rounding(40, 4.0))


def test_indicators_are_zeros_and_ones() -> None:
    found = run(data_of(category("x", ["a", "b", "c"])), categories="indicators").main
    np.testing.assert_array_equal(found.dense_features(), np.eye(3))


def test_missing_values_are_in_the_middle_or_stay_missing() -> None:
    data = data_of(Column("a", np.array([1.0, np.nan, 3.0])), category("b", ["x", "", "y"]))
    found = run(data).main
    np.testing.assert_allclose(found.dense_features()[1], [0.0, 0.0], atol=rounding(8))
    assert "2" in found.notes[-1]
    assert np.isnan(run(data, missing="keep").main.features[1]).all()
    kept = run(data, categories="indicators", numbers="keep").main
    np.testing.assert_allclose(kept.dense_features()[1], [2.0, 0.5])


def test_ordered_categories_are_ranks_or_categories() -> None:
    data = data_of(Column("grade", np.array([0, 1, 2, 1]), "ordered", categories=("C", "B", "A")))
    ranks = run(data, numbers="keep").main
    np.testing.assert_array_equal(ranks.dense_features().ravel(), [0, 1, 2, 1])
    assert run(data, ordered="categories").main.columns == ("grade = C", "grade = B", "grade = A")


def test_dates_can_go_round_in_a_circle() -> None:
    days = np.array([0.0, 7.0, 14.0, 3.5, 24.0]) * 86400
    found = run(data_of(Column("day", days, "date")), dates="week", numbers="keep").main
    X = found.dense_features()
    np.testing.assert_allclose(X[0], X[1], atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0)
    np.testing.assert_allclose(X[3], -X[0], atol=1e-9)


def test_rarer_categories_share_a_number() -> None:
    words = ["a"] * 5 + ["b"] * 4 + list("cdefg")
    found = run(data_of(category("x", words)), most_categories=3, categories="indicators").main
    assert found.columns == ("x = a", "x = b", "x = any other")
    np.testing.assert_array_equal(found.dense_features().sum(axis=0), [5, 4, 5])


def test_new_items_are_encoded_by_what_was_learned_whatever_the_order_of_columns() -> None:
    data = two_kinds(40, missing=0.1)
    output = run(data)
    some = data.take(np.arange(5, 12))
    turned = data_of(*reversed(some.table))
    found = Encode().apply(output.parts["model"], turned, Context())
    assert found.columns == output.main.columns
    expected = output.main.features[5:12]
    near = rounding(8, 100.0)  # values err by their rounding, over their deviation
    np.testing.assert_allclose(found.dense_features(), expected, atol=near)


def test_a_category_that_was_not_seen_counts_as_missing() -> None:
    output = run(data_of(category("x", ["a", "b", "c", "a"])))
    new = data_of(category("x", ["d", "a", "b"]))
    found = Encode().apply(output.parts["model"], new, Context())
    np.testing.assert_array_equal(found.dense_features()[0], 0.0)


@pytest.mark.parametrize(
    "other", [Column("x", np.array([1.0, 2.0])), category("y", ["a", "b"])], ids=["type", "name"]
)
def test_new_items_without_the_column_are_refused(other: Column) -> None:
    model = run(data_of(category("x", ["a", "b"]))).parts["model"]
    with pytest.raises(CoterieError) as caught:
        Encode().apply(model, data_of(other), Context())
    assert caught.value.code == "columns-mismatch"
