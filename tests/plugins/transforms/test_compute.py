"""A column computed from others."""

from typing import Any

import numpy as np

from coterie.core import Column, Context, Dataset, Output
from coterie.core.model.columns import category
from coterie.plugins.transforms.compute import Compute
from tests.refusals import refuses
from tests.typed_tables import data_of


def run(data: Dataset, **params: Any) -> Output:
    return Compute().compute(data, params=Compute.Params(**params), context=Context())


def people() -> Dataset:
    return data_of(
        Column("body weight", np.array([80.0, 60.0, np.nan])),
        Column("height", np.array([2.0, 0.0, 1.5])),
        category("sex", ["m", "f", "m"]),
        Column("age", np.array([10.0, 70.0, 80.0]), role="information"),
    )


def test_a_ratio_joins_the_features_and_the_table() -> None:
    output = run(people(), expression="`body weight` / (height * height)", name="bmi")
    found = output.main
    assert isinstance(found, Dataset)
    assert found.columns[-1] == found.table[-1].name == "bmi"
    np.testing.assert_array_equal(np.asarray(found.features)[:, -1], [20, np.nan, np.nan])
    assert "missing for 2 of 3 items" in found.notes[-1]
    again = Compute().apply(output.parts["model"], people(), Context())  # type: ignore[arg-type]
    np.testing.assert_array_equal(again.features, found.features)


def test_conditions_are_1_and_0_and_may_speak_of_what_is_no_feature() -> None:
    found = run(people(), expression="sex = m and age > 60", role="information").main
    assert isinstance(found, Dataset)
    assert found.columns == people().columns
    np.testing.assert_array_equal(found.table[-1].values, [0, 0, 1])


def test_what_cannot_be_computed_is_refused() -> None:
    for params, code in (
        ({"expression": ""}, "invalid-parameters"),
        ({"expression": "height", "name": "height"}, "invalid-parameters"),
        ({"expression": "widht * 2"}, "unknown-column"),
        ({"expression": "sex"}, "invalid-query"),
        ({"expression": "height +"}, "invalid-query"),
        ({"expression": "__import__('os')"}, "invalid-query"),
    ):
        with refuses(code):
            run(people(), **params)


def test_information_is_kept_where_there_is_no_table_yet() -> None:
    data = Dataset(features=np.array([[1.0, 2.0], [3.0, 4.0]]), columns=("x", "y"))
    found = run(data, expression="x / y", name="ratio", role="information").main
    assert isinstance(found, Dataset)
    assert found.columns == ("x", "y")
    assert [column.name for column in found.table] == ["x", "y", "ratio"]
    np.testing.assert_array_equal(found.table[-1].values, [0.5, 0.75])
