"""Bayes risk, the normalised cut."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from coterie.core import Affinity, Clustering, Context, Score
from coterie.plugins.metrics.bayes_risk import BayesRisk
from tests.refusals import refuses


def risk(labels: Any, affinity: Affinity, **params: Any) -> Score:
    clustering = Clustering(labels=np.asarray(labels))
    return BayesRisk().compute(
        clustering, affinity, params=BayesRisk.Params(**params), context=Context()
    )


@given(st.integers(2, 20), st.integers(0, 2**32 - 1))
def test_it_follows_the_definition_in_every_form(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    factor = rng.random((n, 3))
    A = factor @ factor.T
    labels = rng.integers(0, 3, n)
    expected = np.mean(
        [A[labels == g][:, labels != g].sum() / A[labels == g].sum() for g in np.unique(labels)]
    )
    for affinity in (
        Affinity(values=A),
        Affinity(sparse=csr_array(A)),
        Affinity(factor=factor),
    ):
        assert risk(labels, affinity).value == pytest.approx(expected)


def test_directed_graphs_are_followed_along_their_edges() -> None:
    A = np.array([[1.0, 3.0], [0.0, 1.0]])
    assert risk([0, 1], Affinity(values=A, symmetric=False)).value == pytest.approx(0.375)


def test_unassigned_items_leave_the_graph_or_are_a_group() -> None:
    A = np.ones((3, 3))
    left_out = risk([0, 1, -1], Affinity(values=A))
    assert left_out.value == pytest.approx(0.5)
    assert left_out.notes == ("1 item in no group left out.",)
    counted = risk([0, 1, -1], Affinity(values=A), unassigned="own-class")
    assert counted.value == pytest.approx(2 / 3)
    assert counted.rows == ("unassigned", "group 1", "group 2")


def test_groups_without_edges_are_told() -> None:
    got = risk([0, 1, 1], Affinity(values=np.diag([0.0, 1.0, 1.0])))
    assert got.value == 0
    assert got.notes == ("1 groups without any similarity were left out.",)


@pytest.mark.parametrize(
    ("labels", "A", "code"),
    [
        ([0, 1], np.eye(3), "items-mismatch"),
        ([-1, -1], np.eye(2), "no-groups"),
        ([0, 1], np.zeros((2, 2)), "no-similarities"),
        ([0, 1], np.array([[1.0, -1], [-1, 1]]), "negative-similarities"),
        ([0, 1], np.array([[1.0, np.nan], [1, 1]]), "missing-values"),
    ],
)
def test_each_mistake_is_refused(labels: Any, A: Any, code: str) -> None:
    with refuses(code):
        risk(labels, Affinity(values=A))
