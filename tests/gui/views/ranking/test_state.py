"""The Ranking view's state."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.model.recipes import Step
from coterie.core.model.results import Ranking
from coterie.gui.views.ranking.state import MOST_ROWS, RELATIVE, RankingState


def test_it_says_what_to_do_when_there_is_nothing(new_session: Any) -> None:
    nothing = RankingState(new_session())
    nothing.update()
    assert nothing.empty.startswith("Open a file")


def test_the_whole_set_comes_first_then_each_group(session: Any) -> None:
    state = RankingState(session)
    state.update()
    ranking, groups = session.results.artefact("order"), session.results.artefact("groups")
    whole, *rest = state.columns
    assert whole.title == "Whole set"
    np.testing.assert_array_equal(whole.items, ranking.order[:MOST_ROWS])
    assert [column.group for column in rest] == [0, 1, 2]
    for column in rest:
        assert (groups.labels[column.items] == column.group).all()
        assert (np.diff(column.scores) <= 0).all()
        best = ranking.scores[groups.labels == column.group].max()
        assert column.scores[0] == best


def test_the_rankings_to_choose_from_are_those_that_were_computed(session: Any) -> None:
    step = Step("other", "ranker/distance", ("data",))
    session.edits.replace(
        session.recipe.with_step(step).with_step(replace(step, name="not yet", seed=1)), "a test"
    )
    session.put("other", Ranking(scores=np.arange(300.0), order=np.arange(300)[::-1]))
    state = RankingState(session)
    state.update()
    assert state.steps == ("order", "other")
    state.chosen = "order"
    state.update()
    assert state.shown.ranking_step == "order"


def test_an_order_of_some_items_is_said_to_be_so(session: Any) -> None:
    scores = session.results.artefact("order").scores
    session.put("order", Ranking(scores=scores, order=np.array([5, 2]), relative_to="group 1"))
    state = RankingState(session)
    state.update()
    assert state.columns[0].title == "In scope"
    assert state.columns[0].items.tolist() == [5, 2]
    assert "relative to group 1" in state.headline


def test_bars_are_between_nothing_and_all_whatever_the_scores(session: Any) -> None:
    for scores in (np.linspace(-3, -1, 300), np.zeros(300), np.linspace(0, 1e-200, 300)):
        session.put("order", Ranking(scores=scores))
        state = RankingState(session)
        state.update()
        for column in state.columns:
            assert ((column.shares >= 0) & (column.shares <= 1)).all()


def test_ranking_relative_to_a_selection_needs_one(session: Any) -> None:
    state = RankingState(session)
    state.update()
    assert state.why_not_relative().startswith("Select some items")
    session.selection.update([3, 4])
    assert state.why_not_relative() == ""
    session.plugins.catalogue = Catalogue()
    assert "installed" in state.why_not_relative()


def test_the_selection_becomes_a_step_and_later_changes_it(session: Any) -> None:
    session.selection.update([3, 4])
    state = RankingState(session)
    state.update()
    recipe, name = state.relative_recipe()
    assert name == RELATIVE
    step = recipe.step(name)
    assert step.of == ("near",)
    assert step.params == {"scope": "items", "items": [3, 4]}
    session.edits.replace(recipe, "a test")
    session.selection.update([9])
    recipe, name = state.relative_recipe()
    assert name == RELATIVE
    assert recipe.step(name).params["items"] == [9]
    assert len(recipe.steps) == len(session.recipe.steps)


def test_it_walks_on_a_graph_of_neighbours_unless_similarities_were_chosen(session: Any) -> None:
    data = session.results.artefact("data")
    session.put("data", replace(data, features=np.nan_to_num(data.features)))
    session.selection.update([3])
    state = RankingState(session)
    state.update()
    recipe, name = state.relative_recipe()
    graph = recipe.step(recipe.step(name).of[0])
    assert (graph.use, graph.of) == ("graph/self-tuning", ("data",))
    session.edits.replace(recipe, "a test")
    again, _ = state.relative_recipe()
    assert len(again.steps) == len(recipe.steps)  # the graph is there already
    state.chosen = "near"
    recipe, name = state.relative_recipe()
    assert recipe.step(name).of == ("near",)


def test_the_lists_are_written_as_a_table(session: Any, tmp_path: Path) -> None:
    state = RankingState(session)
    state.update()
    state.write_csv(tmp_path / "ranking.csv")
    with (tmp_path / "ranking.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["group", "rank", "item", "score"]
    assert rows[1][:2] == ["Whole set", "1"]
    assert float(rows[1][3]) == state.columns[0].scores[0]
    assert len(rows) == 1 + sum(len(column.items) for column in state.columns)


def test_groups_that_are_ranked_each_on_its_own_are_not_listed_as_one(session: Any) -> None:
    scores = session.results.artefact("order").scores
    labels = session.results.artefact("groups").labels
    one_after_another = np.lexsort((-scores, labels))
    session.put(
        "order",
        Ranking(
            scores=scores,
            order=one_after_another[labels[one_after_another] >= 0],
            scope="within-cluster",
        ),
    )
    state = RankingState(session)
    state.update()
    assert [column.group for column in state.columns] == [0, 1, 2]
    # Their scores do not compare, so that each group has its own longest bar.
    assert [column.shares[0] for column in state.columns] == [1, 1, 1]
    session.put(
        "order",
        Ranking(
            scores=scores,
            order=np.flatnonzero(session.results.artefact("groups").labels == 1),
            scope="within-cluster",
        ),
    )
    state.update()
    assert state.columns[0].title == "In scope"


def test_names_are_long_when_many_of_those_listed_are(session: Any) -> None:
    state = RankingState(session)
    state.update()
    assert state.has_long_names(3)
    assert not state.has_long_names(24)
    assert not RankingState(session).has_long_names(0)  # nothing is listed yet
