"""Tversky similarity, compared with sets of marks."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Affinity, Context, Dataset
from coterie.plugins.clusterers.dominant_sets import DominantSets
from coterie.plugins.kernels.tversky import Tversky
from tests.refusals import refuses
from tests.rounding import rounding


def similarities(X: np.ndarray, **params: Any) -> Affinity:
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


def test_the_contrast_is_what_is_shared_less_what_only_one_has() -> None:
    X = (np.random.default_rng(2).random((7, 9)) < 0.5).astype(float)
    found = similarities(X, model="contrast", shared=1.5, first=0.7, second=0.2)
    assert not found.symmetric
    assert not found.nonnegative
    marks = [set(np.flatnonzero(row)) for row in X]
    for i, a in enumerate(marks):
        for j, b in enumerate(marks):
            expected = 1.5 * len(a & b) - 0.7 * len(a - b) - 0.2 * len(b - a)
            assert found.to_dense()[i, j] == pytest.approx(expected, abs=rounding(8, 9 * 1.5))
    sets = DominantSets().compute(found, params=DominantSets.Params(), context=Context())
    assert sets.k >= 1  # negative and directed similarities are a game as any other


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
