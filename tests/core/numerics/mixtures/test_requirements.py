"""What items must be like, in sentences."""

import numpy as np

from coterie.core import DataError, Dataset, Floats
from coterie.core.numerics.mixtures.requirements import (
    remarks,
    require_items,
    require_more_items_than_columns,
)
from tests.refusals import refuses


def table(n: int, d: int) -> Dataset:
    return Dataset(title="some", features=np.random.default_rng(0).normal(size=(n, d)))


def said(X: Floats, *, full: bool = True) -> str:
    return " ".join(remarks(Dataset(features=X), X, full=full))


def test_too_few_items_for_the_components_are_told_how_many_would_do() -> None:
    with refuses("too-few-items", DataError, match="12"):
        require_items(table(12, 3), 30)
    assert require_items(table(12, 3), 11).shape == (12, 3)


def test_too_many_columns_are_refused_with_why_and_what_helps() -> None:
    with refuses("too-few-items", DataError, match="'svd'") as got:
        require_more_items_than_columns(table(40, 60))
    assert got.value.offer == ("transform/svd", "transform/pca")
    require_more_items_than_columns(table(61, 60))


def test_constant_columns_are_named_and_repeated_items_counted() -> None:
    X = np.random.default_rng(0).normal(size=(50, 3))
    assert said(X) == ""
    assert "carry no information: 'x4', 'x5'." in said(np.column_stack([X, np.ones((50, 2))]))
    assert "'x8' and 3 more." in said(np.column_stack([X, np.ones((50, 8))]))
    assert "30 of 80 items repeat another" in said(np.vstack([X, X[:30]]))
    assert said(np.vstack([X, X[:2]])) == ""  # as in much data


def test_few_items_for_the_columns_are_said_of_full_covariances_alone() -> None:
    X = np.random.default_rng(0).normal(size=(50, 12))
    assert "50 items are few for 12 columns" in said(X)
    assert "to about 10." in said(X)
    assert said(X, full=False) == ""
