"""Certificates of steps, as projects hold them."""

import json

import numpy as np
import pytest

from coterie.core.model.affinity import Affinity
from coterie.core.model.results import Clustering
from coterie.projects.certificates import certify_items, certify_step
from tests.refusals import refuses

# Two pairs that hold together, and an item between them.
A = np.array(
    [
        [0, 9, 0, 0, 1],
        [9, 0, 0, 0, 1],
        [0, 0, 0, 6, 2],
        [0, 0, 6, 0, 1],
        [1, 1, 2, 1, 0.0],
    ]
)
PAIRS = np.array([[0.5, 0], [0.5, 0], [0, 0.5], [0, 0.5], [0, 0]])


@pytest.fixture
def similarity() -> Affinity:
    return Affinity(values=A)


def test_peeled_sets_are_compared_with_what_was_left(similarity: Affinity) -> None:
    result = Clustering(labels=np.array([0, 0, 1, 1, 1]), membership=PAIRS)
    found = certify_step("clusterer/dominant-sets", {"k": 2}, result, [similarity])
    assert found.holds
    assert [one.members.tolist() for one in found.sets] == [[0, 1], [2, 3]]
    assert [one.excluded.tolist() for one in found.sets] == [[], [0, 1]]
    assert json.loads(json.dumps(found.as_json()))["sets"][1]["verdict"] == "holds"


def test_overlapping_sets_are_compared_with_all_others(similarity: Affinity) -> None:
    result = Clustering(labels=np.array([0, 0, 1, 1, -1]), membership=PAIRS)
    found = certify_step("clusterer/dominant-overlapping", {}, result, [similarity])
    assert found.holds
    assert [one.excluded.tolist() for one in found.sets] == [[], []]


def test_a_wrong_set_fails(similarity: Affinity) -> None:
    wrong = Clustering(labels=np.array([0, 1, 0, 1, -1]), details={"in_sets": 4})
    assert not certify_step("clusterer/dominant-sets", {}, wrong, [similarity]).holds


def test_labels_spread_from_groups_are_checked(similarity: Affinity) -> None:
    start = Clustering(labels=np.array([0, -1, 1, -1, -1]))
    right = Clustering(labels=np.array([0, 0, 1, 1, 1]))
    found = certify_step("clusterer/transduction", {}, right, [similarity, start])
    assert found.holds
    assert found.labelling is not None
    assert found.labelling.checked == 3
    wrong = Clustering(labels=np.array([0, 1, 1, 1, 1]))
    assert not certify_step("clusterer/transduction", {}, wrong, [similarity, start]).holds


def test_chosen_items_are_asked_about(similarity: Affinity) -> None:
    assert certify_items(similarity, [0, 1]).holds
    assert certify_items(similarity, [0, 4]).sets[0].joining[0] == 1


@pytest.mark.parametrize(
    ("use", "params", "code"),
    [
        ("clusterer/kmeans", {}, "wrong-type"),
        ("clusterer/dominant-sets", {"clique": True}, "wrong-type"),
        ("clusterer/dominant-sets", {}, "groups-needed"),
        ("clusterer/transduction", {"sigma": 0.1}, "wrong-type"),
        ("clusterer/transduction", {"labelled": "truth"}, "groups-needed"),
    ],
)
def test_what_cannot_be_certified_is_said(
    similarity: Affinity, use: str, params: dict[str, object], code: str
) -> None:
    filled = Clustering(labels=np.array([0, 0, 1, 1, 1]), details={"in_sets": 4})
    with refuses(code):
        certify_step(use, params, filled, [similarity])
