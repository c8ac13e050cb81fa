"""What a ranking is relative to, and whom it lists."""

from typing import Any

import numpy as np
import pytest

from coterie.core import Clustering, DataError, Dataset, ParameterError, Ranking
from coterie.core.api.ranking_scope import Scope, ScopedParams, find_scope, item_positions
from tests.refusals import refuses

GROUPS = Clustering(labels=np.array([0, 2, 0, -1, 2, 2]), names=("low", "", "high"))
NAMED = Dataset(items=("Chad", "Norway", "Mali", "Niger", "Sweden", "Sweden"))


def scope(clustering: Clustering | None = GROUPS, **params: Any) -> Scope:
    return find_scope(ScopedParams(**params), 6, clustering, NAMED)


def ranked(found: Scope, scores: np.ndarray) -> Ranking:
    return found.ranking(scores, title="", dataset=NAMED)


def test_globally_all_seed_and_all_are_listed() -> None:
    found = scope(None)
    np.testing.assert_allclose(found.seed_vectors(), np.full((6, 1), 1 / 6))
    ranking = ranked(found, np.array([0.1, 0.5, 0.1, 0.0, 0.2, 0.3]))
    assert ranking.order is not None
    assert ranking.order.tolist() == [1, 5, 4, 0, 2, 3]
    assert (ranking.scope, ranking.relative_to) == ("global", "the whole set")


def test_every_group_on_its_own_scores_by_its_own_seed_and_leaves_clutter_out() -> None:
    found = scope(scope="within-cluster")
    vectors = found.seed_vectors()
    np.testing.assert_allclose(vectors.sum(axis=0), 1)
    assert np.flatnonzero(vectors[:, 1]).tolist() == [1, 4, 5]
    ranking = ranked(found, np.arange(12.0).reshape(6, 2))
    assert ranking.scores.tolist() == [0, 3, 4, 0, 9, 11]
    assert ranking.order is not None
    assert ranking.order.tolist() == [2, 0, 5, 4, 1]
    assert ranking.relative_to == "each group on its own"


def test_one_group_among_its_own_and_among_others() -> None:
    within = scope(scope="within-cluster", cluster=2)
    assert within.listed.tolist() == [1, 4, 5]
    assert within.relative_to == "high (label 2)"
    assert scope(scope="across-cluster", cluster=2).listed.tolist() == [0, 2, 3]
    some = scope(scope="across-cluster", cluster=2, of_cluster=0)
    assert some.listed.tolist() == [0, 2]
    assert some.seeds[0].tolist() == [1, 4, 5]


def test_chosen_items_seed_and_all_are_listed() -> None:
    found = scope(None, scope="items", items=["Norway", 3, 3])
    assert found.seeds[0].tolist() == [1, 3]
    assert len(found.listed) == 6
    assert found.relative_to == "Norway, Niger"


def test_many_chosen_items_are_not_all_named() -> None:
    assert scope(None, scope="items", items=[0, 1, 2, 3, 4]).relative_to.endswith("and 2 more")


def test_overlapping_groups_seed_with_all_their_members() -> None:
    overlapping = Clustering(
        labels=np.array([0, 0, 1]),
        group_items=np.array([0, 1, 1, 2]),
        group_starts=np.array([0, 2, 4]),
    )
    found = find_scope(ScopedParams(scope="within-cluster", cluster=1), 3, overlapping, None)
    assert found.seeds[0].tolist() == found.listed.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"scope": "within-cluster", "cluster": 3}, "unknown-group"),
        ({"scope": "within-cluster", "cluster": 1}, "empty-group"),
        ({"scope": "across-cluster"}, "invalid-scope"),
        (
            {"scope": "across-cluster", "cluster": 0, "of_cluster": 9},
            "unknown-group",
        ),
        ({"scope": "items"}, "invalid-scope"),
        ({"scope": "items", "items": ["Nor"]}, "unknown-item"),
        ({"scope": "items", "items": ["Swede"]}, "unknown-item"),
        ({"scope": "items", "items": ["xyz"]}, "unknown-item"),
        ({"scope": "items", "items": [6]}, "unknown-item"),
        ({"scope": "items", "items": [-1]}, "unknown-item"),
    ],
)
def test_what_does_not_exist_is_said(params: dict[str, Any], code: str) -> None:
    with refuses(code, ParameterError):
        scope(**params)


def test_a_group_that_has_everyone_leaves_no_others_to_list() -> None:
    alone = Clustering(labels=np.zeros(6, dtype=np.int64))
    with refuses("invalid-scope", ParameterError):
        scope(alone, scope="across-cluster", cluster=0)


def test_a_group_without_a_name_is_counted_from_1_as_the_window_counts_it() -> None:
    plain = Clustering(labels=np.array([0, 0, 1, 1, 1, 0]))
    assert scope(plain, scope="within-cluster", cluster=0).relative_to == "group 1 (label 0)"


def test_groups_are_needed_where_they_are_spoken_of() -> None:
    with refuses("groups-needed", ParameterError):
        scope(None, scope="within-cluster")
    with refuses("items-mismatch", DataError):
        scope(Clustering(labels=np.array([0, 1])))


def test_items_without_names_are_known_by_position_only() -> None:
    with refuses("unknown-item", ParameterError):
        item_positions(["Norway"], 4, None)


def test_no_groups_at_all_list_nobody() -> None:
    none = Clustering(labels=np.full(6, -1))
    found = scope(none, scope="within-cluster")
    ranking = ranked(found, np.zeros((6, 0)))
    assert ranking.order is not None
    assert len(ranking.order) == 0
    assert ranking.scores.tolist() == [0] * 6
