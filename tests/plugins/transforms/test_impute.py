"""Filling in what is missing."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset, Model, Output
from coterie.core.model.columns import Column
from coterie.plugins.transforms.impute import Impute
from tests.refusals import refuses

X = np.array([[1.0, 10.0], [np.nan, 20.0], [3.0, np.inf], [8.0, 60.0]])
DATA = Dataset(title="gaps", features=X, items=("a", "b", "c", "d"), columns=("x", "y"))


def imputed(data: Dataset, **params: Any) -> Output:
    return Impute().compute(data, params=Impute.Params(**params), context=Context())


def features(output: Output) -> np.ndarray:
    assert isinstance(output.main, Dataset)
    return output.main.dense_features()


@pytest.mark.parametrize(("how", "x", "y"), [("mean", 4.0, 30.0), ("median", 3.0, 20.0)])
def test_the_middle_of_what_is_known_is_filled_in(how: str, x: float, y: float) -> None:
    output = imputed(DATA, how=how)
    expected = np.array([[1.0, 10.0], [x, 20.0], [3.0, y], [8.0, 60.0]])
    np.testing.assert_allclose(features(output), expected)
    assert "Values filled in: 2, of 2 items." in output.main.notes
    new = Dataset(features=np.array([[np.nan, 1.0]]))
    applied = Impute().apply(output.parts["model"], new, Context())  # type: ignore[arg-type]
    np.testing.assert_allclose(applied.dense_features(), [[x, 1]])


def test_a_missing_category_is_one_value_whatever_encodes_it() -> None:
    nan = np.nan
    data = Dataset(
        features=np.array([[1.0, 0, 0], [nan, 0, 1], [2.0, nan, nan]]),
        columns=("size", "kind = a", "kind = b"),
        table=(
            Column("size", np.array([1, nan, 2])),
            Column("kind", np.array([0, 1, -1], np.int32), "category", categories=("a", "b")),
        ),
    )
    assert "Values filled in: 2, of 2 items." in imputed(data).main.notes


def test_items_can_be_dropped_instead() -> None:
    output = imputed(DATA, how="drop")
    assert isinstance(output.main, Dataset)
    assert output.main.items == ("a", "d")
    np.testing.assert_array_equal(features(output), X[[0, 3]])


def test_complete_data_pass_unchanged() -> None:
    data = Dataset(features=np.eye(2))
    np.testing.assert_array_equal(features(imputed(data)), np.eye(2))


def test_what_cannot_be_filled_in_is_refused() -> None:
    empty = Dataset(features=np.array([[1.0, np.nan], [2.0, np.nan]]), columns=("x", "y"))
    with refuses("missing-values"):
        imputed(empty)
    with refuses("missing-values"):
        imputed(empty, how="drop")
    model = imputed(DATA).parts["model"]
    with refuses("columns-mismatch"):
        Impute().apply(model, Dataset(features=np.ones((1, 3))), Context())  # type: ignore[arg-type]


def test_neighbours_fill_in_as_by_the_definition() -> None:
    rng = np.random.default_rng(3)
    full = rng.normal(size=(40, 4)) * [1, 10, 100, 1000]
    holes = full.copy()
    holes[rng.random(full.shape) < 0.2] = np.nan
    holes[:, 0] = full[:, 0]
    found = features(imputed(Dataset(features=holes), how="neighbours", neighbours=3))
    deviation = np.nanstd(holes, axis=0)
    for i, j in np.argwhere(np.isnan(holes)):
        donors = []
        for other in np.flatnonzero(~np.isnan(holes[:, j])):
            shared = ~np.isnan(holes[i]) & ~np.isnan(holes[other])
            apart = ((holes[i] - holes[other])[shared] / deviation[shared]) ** 2
            donors.append((apart.mean(), other))
        nearest = [other for _, other in sorted(donors)[:3]]
        assert found[i, j] == pytest.approx(holes[nearest, j].mean())
    known = ~np.isnan(holes)
    np.testing.assert_array_equal(found[known], holes[known])


def test_an_item_of_which_nothing_is_known_gets_the_mean() -> None:
    holes = np.array([[1.0, 2.0], [3.0, 4.0], [np.nan, np.nan]])
    found = features(imputed(Dataset(features=holes), how="neighbours"))
    np.testing.assert_array_equal(found[2], [2, 3])


def test_new_items_are_filled_in_from_the_neighbours_that_were_known() -> None:
    holes = np.array([[0.0, 1.0], [0.1, np.nan], [10.0, 5.0], [9.0, 7.0]])
    model = imputed(Dataset(features=holes), how="neighbours", neighbours=1).parts["model"]
    assert isinstance(model, Model)
    assert all(np.isfinite(values).all() for values in model.arrays.values())
    new = Dataset(features=np.array([[9.0, np.nan], [0.2, np.nan]]))
    found = features(Output(Impute().apply(model, new, Context())))
    # The second known item misses what is asked for, so the first one gives it.
    np.testing.assert_array_equal(found[:, 1], [7, 1])
