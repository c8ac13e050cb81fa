"""The place of each item in a ranking."""

from typing import Any

import numpy as np

from coterie.core.model.results import Ranking
from coterie.gui.panels.selection_state import SelectingState
from coterie.gui.views.shown_items.columns import columns_of
from coterie.gui.views.shown_items.displayed import look
from coterie.gui.views.shown_items.rank_positions import is_each_on_its_own, places_of, standings_of

LABELS = np.array([1, 0, 1, 0, -1])
EACH = Ranking(
    scores=np.array([0.2, 0.7, 0.9, 0.8, 0.0]),
    order=np.array([3, 1, 2, 0]),
    scope="within-cluster",
)


def test_groups_ranked_each_on_its_own_have_a_first_each() -> None:
    np.testing.assert_array_equal(places_of(EACH, LABELS), [2, 2, 1, 1, np.nan])


def test_one_order_of_all_counts_through_whatever_the_groups() -> None:
    whole = Ranking(scores=np.array([0.2, 0.7, 0.9, 0.8, 0.0]))
    np.testing.assert_array_equal(places_of(whole, LABELS), [4, 3, 1, 2, 5])
    np.testing.assert_array_equal(places_of(EACH), [4, 2, 3, 1, np.nan])


def test_other_groups_than_were_ranked_are_noticed() -> None:
    assert is_each_on_its_own(EACH, LABELS)
    assert not is_each_on_its_own(EACH, np.array([0, 0, 1, 1, 1]))
    assert not is_each_on_its_own(EACH, LABELS[:4])


def test_a_group_that_became_clutter_since_it_was_ranked_still_has_a_list() -> None:
    labels = np.where(LABELS == 1, -1, LABELS)
    assert is_each_on_its_own(EACH, labels)
    np.testing.assert_array_equal(standings_of(EACH, labels), [0.5, 0.5, 1.0, 1.0, 0.0])


def test_the_table_and_a_choice_by_place_follow_the_groups(session: Any) -> None:
    labels = session.results.artefact("groups").labels
    scores = session.results.artefact("order").scores
    order = np.lexsort((-scores, labels))
    ranking = Ranking(scores=scores, order=order[labels[order] >= 0], scope="within-cluster")
    session.put("order", ranking)
    ranks = next(column for column in columns_of(look(session, "")) if column.kind == "rank")
    assert int((ranks.values == 1).sum()) == len(np.unique(labels[labels >= 0]))
    state = SelectingState(session)
    state.select_ranks(1, 2)
    assert np.bincount(labels[session.selection.items]).tolist() == [2, 2, 2]
