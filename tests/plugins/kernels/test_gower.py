"""Gower's similarity is the mean agreement of the columns that are known of both items."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Column, Context, CoterieError, Dataset
from coterie.core.model.columns import category
from coterie.plugins.graphs.knn import KNN
from coterie.plugins.kernels.gower import Gower
from tests.rounding import rounding
from tests.typed_tables import data_of, two_kinds

# Means of four numbers below 1: of differences that err by the rounding of values some hundred
# times as large as their range, at most.
NEAR = rounding(20, 100.0)


def run(data: Dataset, **params: Any) -> Any:
    return Gower().compute(data, params=Gower.Params(**params), context=Context())


def by_loops(data: Dataset) -> Any:
    """1 − d from the definition, column by column."""
    total, known = np.zeros((data.n, data.n)), np.zeros((data.n, data.n))
    for column in data.table:
        values = np.asarray(column.values, dtype=np.float64)
        there = ~column.missing
        both = there[:, None] & there[None]
        if column.type == "category":
            away = (values[:, None] != values[None]).astype(float)
        else:
            away = np.abs(values[:, None] - values[None]) / np.ptp(values[there])
        total += np.where(both, away, 0.0)
        known += both
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(known > 0, 1 - total / known, 0.0)
    np.fill_diagonal(found, 1.0)
    return found


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_it_equals_its_definition(missing: float) -> None:
    data = two_kinds(40, missing=missing)
    affinity = run(data).main
    np.testing.assert_allclose(affinity.to_dense(), by_loops(data), atol=NEAR)
    assert affinity.positive_semidefinite == (missing == 0.0)


def test_without_holes_it_is_positive_semidefinite() -> None:
    values = np.linalg.eigvalsh(run(two_kinds(30)).main.to_dense())
    assert values.min() > -rounding(4 * 30, 30.0)  # of 30 × 30 entries of at most 1


def test_the_gaussian_form_is_that_of_the_distance() -> None:
    data = two_kinds(20)
    found = run(data, form="gaussian", sigma=0.3).main.to_dense()
    np.testing.assert_allclose(found, np.exp(-((1 - by_loops(data)) ** 2) / 0.18), atol=12 * NEAR)


def test_weights_of_columns_count_and_unknown_names_are_refused() -> None:
    data = data_of(Column("a", np.array([0.0, 1.0])), category("b", ["x", "x"]))
    assert run(data).main.to_dense()[0, 1] == pytest.approx(0.5)
    assert run(data, column_weights={"b": 3.0}).main.to_dense()[0, 1] == pytest.approx(0.75)
    with pytest.raises(CoterieError) as caught:
        run(data, column_weights={"c": 1.0})
    assert caught.value.code == "unknown-column"


def test_scaled_features_leave_it_as_it_is_and_those_left_out_are_left_out() -> None:
    data = two_kinds(20)
    scaled = data.with_features(2.0 * data.dense_features() + 1.0)
    np.testing.assert_allclose(run(scaled).main.to_dense(), by_loops(data), atol=NEAR)
    places = [j for j, name in enumerate(data.columns) if name != "size"]
    fewer = data.with_features(
        data.dense_features()[:, places], tuple(data.columns[j] for j in places)
    )
    wanted = by_loops(data_of(*data.table[1:]))
    np.testing.assert_allclose(run(fewer).main.to_dense(), wanted, atol=NEAR)


def test_new_items_are_compared_by_the_fitted_ranges_and_checked_by_name() -> None:
    data = two_kinds(40)
    output = run(data)
    some = data.take(np.array([3, 8, 21]))
    found = Gower().apply(output.parts["model"], some, Context())
    assert isinstance(found, Affinity)
    expected = output.main.to_dense()[np.ix_([3, 8, 21], [3, 8, 21])]
    np.testing.assert_allclose(found.to_dense(), expected, atol=NEAR)
    with pytest.raises(CoterieError) as caught:
        Gower().apply(output.parts["model"], data_of(*data.table[:3]), Context())
    assert caught.value.code == "columns-mismatch"


def test_neighbours_are_those_of_smallest_gower_distance() -> None:
    data = two_kinds(30, missing=0.1)
    params = KNN.Params(neighbours=4, mode="directed", metric="gower", weights="affinity")
    graph = KNN().compute(data, params=params, context=Context())
    far = 1 - by_loops(data)
    np.fill_diagonal(far, np.inf)
    joined = graph.to_dense() > 0
    assert (joined.sum(axis=1) == 4).all()
    # No item left out is nearer than one that is joined, but for rounding.
    for row, near in zip(far, joined, strict=True):
        assert row[near].max() <= row[~near].min() + NEAR
