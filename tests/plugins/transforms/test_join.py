"""Two tables become one by a key."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from coterie.core import Column, Context, Dataset
from coterie.core.model.columns import category
from coterie.core.numerics.features.typed_columns import is_default_encoding
from coterie.plugins.transforms.join import Join
from tests.refusals import refuses
from tests.typed_tables import data_of


def run(data: Dataset, other: Dataset, **params: Any) -> Dataset:
    return Join().compute(data, other, params=Join.Params(**params), context=Context())


def orders() -> Dataset:
    return data_of(
        Column("customer", ["b", "a", "z", "", "b"], "identifier", "information"),
        Column("amount", np.arange(5.0)),
        title="orders",
    )


def customers() -> Dataset:
    return data_of(
        Column("id", ["a", "b", "a"], "identifier", "name"),
        Column("amount", np.array([100.0, 200.0, 300.0])),
        category("region", ["north", "south", "west"]),
        Column("remark", ["x", "y", "z"], "text", "information"),
        title="customers",
        items=("a", "b", "a"),
    )


def test_each_item_gets_the_columns_of_its_partner() -> None:
    found = run(orders(), customers(), key="customer", other_key="id")
    table = {column.name: column for column in found.table}
    assert [*table] == ["customer", "amount", "amount (customers)", "region", "remark"]
    np.testing.assert_array_equal(
        table["amount (customers)"].values, [200, 100, np.nan, np.nan, 200]
    )
    assert table["region"].words() == ["south", "north", "", "", "south"]
    assert table["remark"].words() == ["y", "x", "", "", "y"]
    assert is_default_encoding(found)
    assert found.notes[-2:] == (
        "3 of 5 items have a row in 'customers'.",
        "1 of its rows repeat an earlier key and were left out.",
    )


def test_the_names_of_the_items_are_a_key() -> None:
    named = Dataset(features=np.ones((2, 1)), columns=("x",), items=("b", "c"))
    found = run(named, customers())
    assert (
        found.columns == ("x", "amount", "region = south", "region = west")[:2] + found.columns[2:]
    )
    np.testing.assert_array_equal(np.asarray(found.features)[:, 1], [200, np.nan])


def test_keys_that_do_not_meet_are_refused() -> None:
    with refuses("nothing-left"):
        run(orders(), customers(), key="amount", other_key="id")
    with refuses("unknown-column"):
        run(orders(), customers(), key="nobody")


def test_sparse_features_and_classes_are_joined_too() -> None:
    names = ("a", "b")
    words = Dataset(features=csr_array(np.eye(2)), columns=("x", "y"), items=names)
    other = data_of(
        category("kind", ["p", "q"], role="label"), Column("size", np.arange(2.0)), items=names
    )
    found = run(words, other)
    assert found.columns == ("x", "y", "size")
    assert found.table[2].role == "information"
    assert found.table[2].words() == ["p", "q"]
    np.testing.assert_array_equal(np.asarray(found.features), [[1, 0, 0], [0, 1, 1]])
