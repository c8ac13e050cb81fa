"""Tversky similarity, compared with sets of marks."""

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.kernels.tversky import Tversky
from tests.refusals import refuses


def similarities(X: np.ndarray, **params: float) -> Affinity:
    return Tversky().compute(
        Dataset(features=X), params=Tversky.Params(**params), context=Context()
    )


def test_it_compares_what_is_shared_with_what_only_one_has() -> None:
    X = (np.random.default_rng(0).random((6, 9)) < 0.5).astype(float)
    found = similarities(X, first=0.7, second=0.2)
    assert not found.symmetric
    marks = [set(np.flatnonzero(row)) for row in X]
    for i, a in enumerate(marks):
        for j, b in enumerate(marks):
            whole = len(a & b) + 0.7 * len(a - b) + 0.2 * len(b - a)
            assert found.to_dense()[i, j] == pytest.approx(len(a & b) / whole if whole else 1.0)


def test_equal_weights_give_the_jaccard_index_of_amounts() -> None:
    X = np.random.default_rng(1).random((5, 4))
    found = similarities(X)
    assert found.symmetric
    least, most = np.minimum(X[0], X[1]).sum(), np.maximum(X[0], X[1]).sum()
    assert found.to_dense()[0, 1] == pytest.approx(least / most)


def test_items_without_marks_are_similar_to_themselves_alone() -> None:
    found = similarities(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])).to_dense()
    assert found.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    with refuses("negative-values"):
        similarities(np.array([[-1.0, 0.0], [1.0, 0.0]]))
