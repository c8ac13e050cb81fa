"""Pairs within a radius."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.plugins.graphs.epsilon import Epsilon
from tests.rounding import rounding


def graph(X: Any, **params: Any) -> Affinity:
    data = Dataset(features=np.asarray(X, dtype=np.float64))
    return Epsilon().compute(data, params=Epsilon.Params(**params), context=Context())


def test_it_equals_its_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(31, 3)) + 100
    away = np.sqrt(((X[:, None] - X[None]) ** 2).sum(2))
    monkeypatch.setattr(row_blocks, "__defaults__", (8 * 31 * 4,))
    near = (away <= 1.2) & ~np.eye(31, dtype=bool)
    np.testing.assert_array_equal(graph(X, radius=1.2).to_dense(), near)
    weighted = graph(X, radius=1.2, weights="affinity", sigma=0.5).to_dense()
    # An exponent (x − y)² / 0.5 errs by the rounding of x, times the distance.
    rounded = rounding(12, float(2 * 1.2 * np.abs(X).max() / 0.5))
    np.testing.assert_allclose(weighted, near * np.exp(-(away**2) / 0.5), atol=rounded)


def test_the_radius_itself_is_within() -> None:
    np.testing.assert_array_equal(graph([[0.1], [0.4]], radius=0.4 - 0.1).degrees(), [1, 1])


def test_auto_leaves_no_item_alone() -> None:
    found = graph([[0.0], [1.0], [5.0], [9.0]])
    assert found.details["radius"] == 4.0
    assert (found.degrees() > 0).all()


def test_a_small_radius_says_who_is_alone() -> None:
    assert graph([[0.0], [1.0], [5.0]], radius=2).notes == ("Items without an edge: 1.",)
