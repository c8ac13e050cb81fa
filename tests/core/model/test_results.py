"""Results refuse what nobody could draw, index or rank."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering, Embedding, Ranking, Trace
from tests.refusals import refuses

THREE = Dataset(features=np.zeros((3, 1)))
LABELS = np.array([0, 1, -1])


def test_groups_follow_from_labels() -> None:
    clustering = Clustering(labels=LABELS)
    assert (clustering.n, clustering.k) == (3, 2)
    assert clustering.members(1).tolist() == [1]


def test_overlapping_groups_are_read_from_their_items() -> None:
    clustering = Clustering(
        labels=LABELS, group_items=np.array([0, 1, 1]), group_starts=np.array([0, 2, 3])
    )
    assert clustering.k == 2
    assert [clustering.members(g).tolist() for g in range(2)] == [[0, 1], [1]]


@pytest.mark.parametrize(
    "parts",
    [
        {"labels": np.zeros((2, 2), dtype=int)},
        {"labels": np.array([-2, 0, 1])},
        {"labels": LABELS, "membership": np.zeros((2, 2))},
        {"labels": LABELS, "membership": np.zeros(3)},
        {"labels": LABELS, "cohesiveness": np.zeros((1, 1))},
        {"labels": LABELS, "group_items": np.array([0])},
        {"labels": LABELS, "group_items": np.array([3]), "group_starts": np.array([0, 1])},
        {"labels": LABELS, "group_items": np.array([0]), "group_starts": np.array([0, 2])},
        {"labels": LABELS, "group_items": np.array([0]), "group_starts": np.array([0, 2, 1])},
        {"labels": LABELS, "group_items": np.array([0]), "group_starts": np.array([1])},
        {"labels": np.zeros(2, dtype=int), "dataset": THREE},
    ],
)
def test_groups_that_do_not_fit_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        Clustering(**parts)


def test_equal_scores_keep_the_order_of_the_items() -> None:
    ranking = Ranking(scores=np.array([0.5, 0.9, 0.5]))
    assert ranking.order is not None
    assert ranking.order.tolist() == [1, 0, 2]
    assert not ranking.order.flags.writeable


def test_an_order_may_leave_items_out() -> None:
    ranking = Ranking(scores=np.zeros(3), order=np.array([2]))
    assert ranking.order is not None
    assert ranking.order.tolist() == [2]


@pytest.mark.parametrize("order", [[3], [-1], [0, 0], [[0, 1, 2]]])
def test_an_order_of_other_items_is_refused(order: Any) -> None:
    with pytest.raises(DataError):
        Ranking(scores=np.zeros(3), order=np.array(order))


def test_a_ranking_must_fit_its_dataset_whether_its_order_is_given_or_not() -> None:
    with refuses("items-mismatch", DataError):
        Ranking(scores=np.zeros(2), dataset=THREE)
    with refuses("items-mismatch", DataError):
        Ranking(scores=np.zeros(2), order=np.array([0]), dataset=THREE)


@pytest.mark.parametrize(
    "parts",
    [
        {"coordinates": np.zeros(3)},
        {"coordinates": np.zeros((3, 2)), "axes": ("only one",)},
        {"coordinates": np.zeros((2, 2)), "dataset": THREE},
    ],
)
def test_coordinates_that_do_not_fit_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        Embedding(**parts)


def test_a_trace_has_one_entry_of_everything_for_each_iteration() -> None:
    iterations, two = np.arange(3), np.arange(2)
    Trace(iterations=iterations, values={"stress": np.zeros(3)})
    bad: list[dict[str, Any]] = [
        {"values": {"stress": np.zeros(2)}},
        {"values": {"stress": np.array(["a", "b", "c"])}},
        {"values": {"iteration": np.zeros(3)}},
        {"values": {"a/b": np.zeros(3)}},
        {"shares": np.zeros((2, 4)), "share_iterations": iterations},
        {"coordinates": np.zeros((2, 4)), "coordinate_iterations": two},
    ]
    for parts in bad:
        with pytest.raises(DataError):
            Trace(iterations=iterations, **parts)


def test_a_trace_is_made_and_read_as_in_version_0_1() -> None:
    old: Any = {"objective": [0.1, 0.2], "residual": [0.5, 0.1], "support": [3, 2]}
    trace = Trace(iterations=np.arange(2), **old)
    assert list(trace.values) == ["objective", "residual", "support"]
    assert trace.objective.tolist() == [0.1, 0.2]
    assert trace.support.tolist() == [3, 2]
    assert np.isnan(Trace(iterations=np.arange(2)).residual).all()
    assert replace(trace, title="again").values.keys() == trace.values.keys()


@pytest.mark.parametrize("label", [-2, 1 << 16, 1 << 40])
def test_labels_number_groups_that_there_may_be(label: int) -> None:
    with pytest.raises(DataError) as refused:
        Clustering(labels=np.array([0, 1, label]))
    assert refused.value.code == "invalid-result"
