"""Normalised mutual information."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.core import Clustering, Context, Dataset, Score
from coterie.plugins.metrics.nmi import NMI


def nmi(labels: Any, truth: Any, **params: Any) -> Score:
    dataset = Dataset(title="d", truth=np.asarray(truth))
    clustering = Clustering(labels=np.asarray(labels), dataset=dataset)
    return NMI().compute(clustering, params=NMI.Params(**params), context=Context())


@given(
    st.integers(1, 60),
    st.integers(1, 5),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["arithmetic", "geometric"]),
)
def test_it_agrees_with_scikit_learn(n: int, k: int, seed: int, average: str) -> None:
    from sklearn.metrics import normalized_mutual_info_score

    rng = np.random.default_rng(seed)
    labels, truth = rng.integers(0, k, n), rng.integers(0, 3, n)
    expected = normalized_mutual_info_score(truth, labels, average_method=average)
    assert nmi(labels, truth, average=average).value == pytest.approx(expected, abs=1e-9)


def test_one_group_tells_nothing_of_several_classes() -> None:
    assert nmi([0] * 6, [0, 1, 2, 0, 2, 2], average="geometric").value == 0


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_the_names_of_the_groups_do_not_matter(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, truth = rng.integers(0, 4, n), rng.integers(0, 3, n)
    renamed = rng.permutation(4)[labels]
    assert nmi(renamed, truth).value == pytest.approx(nmi(labels, truth).value)
    assert nmi(truth, truth).value == pytest.approx(1)


def test_unassigned_items_are_left_out_or_a_group_and_that_is_said() -> None:
    labels, truth = [0, 0, 1, 1, -1, -1], [0, 0, 1, 1, 0, 1]
    excluded = nmi(labels, truth)
    assert excluded.value == pytest.approx(1)
    assert excluded.notes == ("2 items in no group left out.",)
    counted = nmi(labels, truth, unassigned="own-class")
    assert counted.value < 1
    assert counted.columns[0] == "unassigned"
    assert "group of their own" in counted.notes[0]


def test_a_second_clustering_takes_the_place_of_the_truth() -> None:
    ours = Clustering(labels=np.array([0, 0, 1]))
    score = NMI().compute(
        ours, Clustering(labels=np.array([1, 1, 0])), params=NMI.Params(), context=Context()
    )
    assert score.value == pytest.approx(1)
    assert score.table is not None
    assert score.table.tolist() == [[0, 1], [2, 0]]
