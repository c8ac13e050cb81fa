"""Cohen's kappa."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.plugins.metrics.kappa import Kappa


def score(labels: Any, truth: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth), truth_names=("a", "b", "c", "d"))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return Kappa().compute(clustering, params=Kappa.Params(**params), context=Context())


def drawn(n: int, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, n), rng.integers(0, 3, n)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_it_agrees_with_scikit_learn_once_the_groups_have_names(n: int, seed: int) -> None:
    from sklearn.metrics import cohen_kappa_score

    labels, truth = drawn(n, seed)
    got = score(labels, truth)
    table = got.table
    assert table is not None
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    classes, groups = np.unique(truth), np.unique(labels)
    class_of = {groups[j]: classes[i] for i, j in zip(rows, columns, strict=True)}
    named = np.array([class_of.get(label, 10 + label) for label in labels])
    if len(set(named) | set(truth)) == 1:
        assert got.value == 1
    else:
        assert got.value == pytest.approx(cohen_kappa_score(truth, named))


def test_agreement_by_chance_counts_nothing() -> None:
    assert score([0, 1, 0, 1], [0, 0, 1, 1]).value == pytest.approx(0)
    assert score([1, 1, 0, 0], [0, 0, 1, 1]).value == pytest.approx(1)
    assert score([0, 0], [1, 1]).value == 1


def test_unassigned_items_as_a_group() -> None:
    labels, truth = [0, 0, 1, -1], [0, 0, 1, 1]
    assert score(labels, truth).value == pytest.approx(1)
    assert score(labels, truth, unassigned="own-class").value < 1
