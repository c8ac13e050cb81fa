"""Types and roles are changed after reading, and new items are changed alike."""

from typing import Any

import numpy as np

from coterie.core import Column, Context, Dataset, Output
from coterie.core.model.columns import category
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.plugins.transforms.columns import Columns
from tests.refusals import refuses
from tests.typed_tables import data_of


def people() -> Dataset:
    return data_of(
        Column("size", np.array([1.5, 2.0, 3.0, 4.0])),
        category("sex", ["f", "m", "m", ""]),
        Column("stars", np.array([1.0, 2.0, 1.0, np.nan])),
        Column("code", ["7", "8 €", "?", "9"], "text", "information"),
        Column("id", ["a", "b", "c", "d"], "identifier", "information"),
        title="people",
    )


def run(data: Dataset, **params: Any) -> Output:
    return Columns().compute(data, params=Columns.Params(**params), context=Context())


def main_of(output: Output) -> Dataset:
    assert isinstance(output.main, Dataset)
    return output.main


def test_a_role_takes_a_column_out_of_the_features_and_nothing_is_lost() -> None:
    found = main_of(run(people(), roles={"stars": "information", "sex": "label", "id": "name"}))
    assert found.columns == ("size",)
    assert (found.truth_column, found.truth_names) == ("sex", ("f", "m"))
    np.testing.assert_array_equal(found.truth, [0, 1, 1, -1])
    assert found.items == ("a", "b", "c", "d")
    assert [c.name for c in found.table] == [c.name for c in people().table]
    assert is_default_encoding(found)


def test_a_number_becomes_a_category_and_a_text_a_number() -> None:
    found = main_of(run(people(), types={"stars": "category", "code": "number"}))
    by_name = {column.name: column for column in found.table}
    assert by_name["stars"].categories == ("1", "2")
    np.testing.assert_array_equal(by_name["stars"].values, [0, 1, 0, -1])
    np.testing.assert_array_equal(by_name["code"].values, [7, 8, np.nan, 9])
    assert any("'?'" in note for note in found.notes)


def test_changing_back_gives_the_same_features() -> None:
    there = main_of(run(people(), types={"stars": "category"}))
    back = main_of(run(there, types={"stars": "number"}))
    np.testing.assert_array_equal(back.features, people().features)


def test_new_items_are_encoded_as_the_old_ones() -> None:
    model = run(people(), types={"stars": "ordered"}).parts["model"]
    new = data_of(
        Column("stars", np.array([2.0, 5.0])),
        category("sex", ["m", "x"]),
        Column("size", np.array([9.0, 8.0])),
    )
    found = Columns().apply(model, new, Context())  # type: ignore[arg-type]
    old = main_of(run(people(), types={"stars": "ordered"}))
    assert found.columns == old.columns
    # The sex 'x' and five stars were never seen: missing.
    at = {name: j for j, name in enumerate(old.columns)}
    features = np.asarray(found.features)
    assert features[0, at["sex = m"]] == np.asarray(old.features)[1, at["sex = m"]]
    np.testing.assert_array_equal(np.isnan(features[1]), [name != "size" for name in found.columns])
    with refuses("columns-mismatch"):
        Columns().apply(model, data_of(Column("size", np.arange(2.0))), Context())  # type: ignore[arg-type]


def test_what_cannot_be_is_refused() -> None:
    with refuses("unknown-column"):
        run(people(), types={"age": "number"})
    with refuses("wrong-type"):
        run(people(), types={"id": "number"})
    with refuses("no-numbers"):
        run(people(), roles=dict.fromkeys(("size", "sex", "stars"), "information"))


def test_plain_features_have_columns_too() -> None:
    data = Dataset(features=np.arange(6.0).reshape(3, 2), columns=("a", "b"))
    assert main_of(run(data, roles={"b": "information"})).columns == ("a",)
