"""Places of new items beside those that have one."""

import numpy as np
import pytest

from coterie.core import Dataset
from coterie.core.model.columns import Column, category
from coterie.core.numerics.features.typed_columns import encoded
from coterie.core.numerics.manifold.places_of_items import places_model, places_of_new
from coterie.core.numerics.mixed.columns import layout_of, table_like, table_of
from coterie.core.numerics.mixed.gower import GowerSpace
from tests.refusals import refuses


def rows(size: list[float], kind: list[str]) -> Dataset:
    table = (Column("size", np.array(size)), category("kind", kind))
    features, columns = encoded(table)
    return Dataset(kind="table", features=features, columns=columns, table=table)


KNOWN = rows([0.0, 10.0, np.nan, 1000.0, 500.0, 0.0, 1.0], ["a", "a", "b", "b", "", "c", "c"])
PLACES = np.arange(14.0).reshape(7, 2)


def test_a_table_with_gaps_is_compared_by_its_columns() -> None:
    model = places_model(KNOWN, PLACES)["model"]
    assert all(np.isfinite(values).all() for values in model.arrays.values())
    same = places_of_new(model, KNOWN.take(np.array([0, 1])))
    np.testing.assert_array_equal(same, PLACES[[0, 1]])
    # By the definition: the five nearest by Gower's distance, nearer ones counting more.
    new = rows([20.0, np.nan], ["a", "violet"])
    known = table_of(KNOWN)
    away = GowerSpace(known).distances(table_like(new, layout_of(known)))[:, 0]
    near = np.argsort(away, kind="stable")[:5]
    weights = np.exp(-((away[near] / away[near].mean()) ** 2))
    expected = weights @ PLACES[near] / weights.sum()
    found = places_of_new(model, new)
    np.testing.assert_allclose(found[0], expected)
    assert np.isfinite(found[1]).all(), "of an item of which nothing is known too"


def test_complete_numbers_are_compared_by_their_features() -> None:
    data = Dataset(features=np.array([[0.0], [4.0]]))
    model = places_model(data, np.array([[1.0], [3.0]]))["model"]
    assert "features" in model.arrays
    found = places_of_new(model, Dataset(features=np.array([[2.0], [4.0]])))
    np.testing.assert_allclose(found, [[2.0], [3.0]])


def test_columns_of_another_type_are_refused() -> None:
    model = places_model(KNOWN, PLACES)["model"]
    other = Dataset(features=np.ones((2, 1)), columns=("size",))
    with refuses("columns-mismatch"):
        places_of_new(model, other)


@pytest.mark.parametrize("data", [None, Dataset(kind="texts", texts=("a", "b"))])
def test_what_is_not_described_by_columns_has_no_model(data: Dataset | None) -> None:
    assert places_model(data, np.zeros((2, 1))) == {}
