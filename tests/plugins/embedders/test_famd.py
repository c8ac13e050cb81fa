"""Factors of mixed columns: principal components, correspondence analysis, and both at once."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Column, Context, Dataset
from coterie.core.model.columns import category
from coterie.plugins.embedders.famd import FAMD
from coterie.plugins.transforms.famd import FactorsOfColumns
from tests.rounding import rounding
from tests.typed_tables import data_of, two_kinds


def run(data: Dataset, **params: Any) -> Any:
    return FAMD().compute(data, params=FAMD.Params(**params), context=Context())


def transformed(data: Dataset, **params: Any) -> Any:
    values = FactorsOfColumns.Params(**params)
    return FactorsOfColumns().compute(data, params=values, context=Context())


def test_numbers_alone_are_principal_components_of_correlations() -> None:
    X = np.random.default_rng(0).normal(size=(40, 4)) @ np.diag([1.0, 5.0, 0.1, 2.0])
    found = run(Dataset(features=X), components=4).main
    values = np.linalg.eigvalsh(np.corrcoef(X.T))[::-1]
    near = rounding(
        4 * X.size, 4.0
    )  # eigenvalues of a matrix whose entries are means; none above 4
    np.testing.assert_allclose(found.spectrum, values, atol=near)


def test_categories_alone_are_multiple_correspondence_analysis() -> None:
    data = data_of(*two_kinds(50, sides=3).table[2:])
    found = run(data, components=2).main
    # The eigenvalues of the analysis of the indicator matrix, from its own definition.
    Z = np.hstack([np.eye(len(c.categories))[c.values] for c in data.table])
    Z = Z[:, Z.any(axis=0)]
    P = Z / Z.sum()
    rows, columns = P.sum(axis=1), P.sum(axis=0)
    S = (P - np.outer(rows, columns)) / np.sqrt(np.outer(rows, columns))
    inertia = np.linalg.svd(S, compute_uv=False) ** 2
    np.testing.assert_allclose(found.spectrum[:4], len(data.table) * inertia[:4], atol=1e-10)


def test_each_column_adds_its_correlation_ratio_to_a_factor() -> None:
    data = two_kinds(60, sides=3)
    found = run(data, components=1).main
    first = found.coordinates[:, 0]
    first = (first - first.mean()) / first.std()
    for column in data.table:
        if column.type == "number":
            told = np.corrcoef(first, column.values)[0, 1] ** 2
        else:
            means = [first[column.values == c].mean() for c in range(len(column.categories))
                     if (column.values == c).any()]  # fmt: skip
            sizes = [(column.values == c).mean() for c in range(len(column.categories))
                     if (column.values == c).any()]  # fmt: skip
            told = float(np.dot(sizes, np.square(means)))
        share = told / found.spectrum[0]
        assert found.details["columns"][0][column.name] == pytest.approx(share, abs=1e-10)


def test_new_items_fall_where_they_were() -> None:
    data = two_kinds(40, missing=0.1)
    output = run(data)
    found = FAMD().apply(output.parts["model"], data.take(np.arange(7)), Context())
    expected = output.main.coordinates[:7]
    near = rounding(100, float(np.abs(expected).max()))  # one product with the same directions
    np.testing.assert_allclose(found.coordinates, expected, atol=near)


def test_a_weight_of_two_is_the_item_twice() -> None:
    data = two_kinds(20)
    twice = np.repeat(np.arange(20), 1 + np.arange(20) % 2)
    weighted = data_of(*data.table, Column("w", 1.0 + np.arange(20) % 2, role="weight"))
    expected = run(data.take(twice)).main.spectrum
    near = rounding(4 * 30 * len(expected), float(expected[0]))  # singular values, squared
    np.testing.assert_allclose(run(weighted).main.spectrum, expected, atol=near)


def test_the_transform_gives_the_same_coordinates_as_features() -> None:
    data = two_kinds(40)
    found = transformed(data, components=2).main
    expected = run(data).main.coordinates
    near = rounding(100, float(np.abs(expected).max()))
    np.testing.assert_allclose(found.dense_features(), expected, atol=near)
    assert found.columns == ("factor 1", "factor 2")
    assert found.table == data.table


def test_factors_keep_the_share_of_variance_that_is_asked_for() -> None:
    data = data_of(category("a", list("xyzxyzxxyy")), Column("b", np.arange(10.0)))
    output = transformed(data, energy=1.0)
    spectrum = np.asarray(output.parts["spectrum"].eigenvalues)
    # Three categories are two directions, and the number is one.
    assert output.main.d == 3
    assert spectrum[:3].sum() == pytest.approx(spectrum.sum())
