"""Selecting by group, rank, query and name, and what is made of a selection."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from coterie.core import RecipeTemplate, well_known
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError, DataError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.gui.panels.selection_state import SelectingState
from coterie.projects.recipe.edits import added
from coterie.projects.session import Session
from tests.refusals import refuses

AUTOMATIC = well_known.CLUSTERER_AUTOMATIC
RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("near", "kernel/gaussian", ("data",), {"sigma": 0.8}),
        Step("groups", "clusterer/dominant-sets", ("near",), {"k": 3}),
        Step("order", "ranker/membership", ("groups",)),
    ),
)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root: Path = tmp_path_factory.mktemp("workspaces")
    options = EngineOptions(plugin_folders=(), memory=2 << 30, workers=1)
    session = Session(engine="inprocess", options=options, root=root)
    session.start()
    for _ in range(600):
        session.pump()
        if session.catalogue.methods:
            break
        time.sleep(0.02)
    session.project.load_recipe(RECIPE)
    session.run()
    session.wait(60)
    yield session
    session.close()


@pytest.fixture
def session(ran: Session) -> Iterator[Session]:
    yield ran
    while ran.edits.can_undo:
        ran.edits.undo()
    ran.selection.clear()
    ran.selection.mode = "replace"


def test_groups_and_ranks_are_selected(session: Session) -> None:
    state = SelectingState(session)
    labels = session.results.artefact("groups").labels
    assert sum(size for _, _, size in state.groups()) == 150
    state.select_group(1)
    np.testing.assert_array_equal(session.selection.mask, labels == 1)
    state.choose_mode("add")
    state.select_group(0)
    np.testing.assert_array_equal(session.selection.mask, (labels == 1) | (labels == 0))
    state.choose_mode("replace")
    state.select_ranks(1, 20)
    order = session.results.artefact("order").order
    assert set(session.selection.items.tolist()) == set(order[:20].tolist())
    with refuses("unknown-item", DataError):
        state.select_ranks(0, 5)


def test_a_query_selects_by_columns_groups_and_ranks(session: Session) -> None:
    state = SelectingState(session)
    data = session.results.artefact("data")
    truth = data.truth_column or "Truth"
    assert truth in state.query_names() or f"`{truth}`" in state.query_names()
    first = data.columns[0]
    count = state.select_query(f"`{first}` > 6 and rank <= 100")
    assert count == session.selection.count > 0
    assert (data.features[session.selection.items, 0] > 6).all()
    everything = [name for name, _, _ in state.groups()]
    assert state.select_query(f"group == {everything[0]!r}") > 0
    assert state.select_query(f"`{truth}` == {data.truth_names[0]!r}") == 50
    state.choose_mode("intersect")
    state.select_query("rank <= 10")
    assert session.selection.count <= 10
    with refuses("unknown-column", DataError):
        state.select_query("nothing > 1")


def test_a_selection_is_named_taken_up_and_forgotten(session: Session) -> None:
    state = SelectingState(session)
    with refuses("nothing-selected", DataError):
        state.save("none")
    session.selection.update([1, 2, 3])
    state.save("few")
    session.selection.clear()
    state.take_up("few")
    assert session.selection.items.tolist() == [1, 2, 3]
    state.rename("few", "handful")
    assert [(entry.name, entry.count) for entry in state.entries()] == [("handful", 3)]
    session.edits.keep_named(session.edits.named.with_one("other data", [0], 7), "name")
    assert "7 items" in state.entries()[1].problem
    with refuses("items-mismatch", DataError):
        state.take_up("other data")
    state.forget("handful")
    assert len(state.entries()) == 1


def test_labels_spread_from_named_selections(session: Session) -> None:
    state = SelectingState(session)
    with refuses("known-classes-needed", DataError):
        state.spread_labels()
    for name, items in (("small", [0, 1, 2]), ("large", [140, 141])):
        session.selection.update(items)
        state.save(name)
    step = state.spread_labels()
    session.run(step)
    session.wait(60)
    found = session.results.artefact(step)
    assert found.names == ("small", "large")
    assert found.labels[5] == 0
    assert found.labels[145] == 1


def test_a_selection_becomes_data_and_a_ranking(session: Session) -> None:
    state = SelectingState(session)
    with refuses("nothing-selected", DataError):
        state.new_data()
    session.selection.update([3, 5, 8])
    part, rest = state.new_data(), state.new_data(leave_out=True)
    relative = state.rank_relative()
    session.run(part, rest, relative)
    session.wait(60)
    assert session.results.artefact(part).n == 3
    assert session.results.artefact(rest).n == 147
    assert session.recipe.step(relative).params["items"] == [3, 5, 8]
    assert session.status(relative) == "fresh"


def test_a_project_that_was_just_opened_is_ranked_relative_to_a_selection(
    ran: Session, tmp_path: Path
) -> None:
    path = tmp_path / "flowers.coterie.h5"
    ran.project.save(path)
    ran.wait(60)
    session = Session(engine="inprocess", root=tmp_path)
    try:
        session.start()
        session.project.open_file(path, lock=False)
        session.wait(60)
        session.selection.set_size(150)
        session.selection.update([3, 5])
        # Nothing has looked at the similarities yet: they are in the file alone.
        name = SelectingState(session).rank_relative()
        # The graph of neighbours is made once the numbers have come from the file as well.
        assert session.recipe.step(name).of in (("near",), ("nearness",))
        session.run(name)
        session.wait(60)
        assert session.status(name) == "fresh"
    finally:
        session.close()


def test_items_are_taken_of_the_data_they_were_selected_in(session: Session) -> None:
    state = SelectingState(session)
    session.selection.update([30, 31, 33])
    state.chosen = state.new_data()
    session.run(state.chosen)
    session.wait(60)
    # The new data are chosen, but the selection is still one among all items.
    name = state.new_data(leave_out=True)
    assert session.recipe.step(name).of == session.recipe.step(state.chosen).of


def test_a_selection_about_nothing_becomes_one_among_what_is_seen(session: Session) -> None:
    session.selection.set_size(0)
    state = SelectingState(session)
    state.begin()
    assert session.selection.n == 150
    session.selection.set_size(7)
    state.begin()
    assert session.selection.n == 7
    session.selection.set_size(150)


def test_a_group_grows_around_the_selection(session: Session) -> None:
    state = SelectingState(session)
    with refuses("nothing-selected"):
        state.grow_group()
    session.selection.update([60, 61])
    name = state.grow_group()
    step = session.recipe.step(name)
    assert (step.use, step.of) == ("clusterer/dominant-constrained", ("near",))
    session.run(name)
    session.wait(60)
    grown = session.results.artefact(name)
    assert grown.k == 1
    assert (grown.labels[[60, 61]] == 0).any()


def test_one_group_grows_from_each_named_selection_that_is_selected(session: Session) -> None:
    state = SelectingState(session)
    for name, items in (("low", [0, 1]), ("high", [120, 121])):
        session.selection.update(items)
        state.save(name)
    session.selection.update([0, 1, 120, 121])
    name = state.grow_group()
    assert session.recipe.step(name).of[0] == "near"
    session.run(name)
    session.wait(60)
    grown = session.results.artefact(name)
    assert grown.k == 2
    assert grown.names == ("low", "high")


def test_a_recipe_of_a_plugin_is_put_on_the_selection_as_one_step_to_undo(session: Session) -> None:
    closer = RecipeTemplate(
        id="lab:closer",
        title="Look closer",
        summary="Scales the selected items on their own.",
        on="selection",
        steps=(Step("closer", "transform/minmax", ("selection",)),),
    )
    catalogue = session.plugins.catalogue
    session.plugins.catalogue = replace(catalogue, templates=(closer,))
    try:
        state = SelectingState(session)
        with refuses("nothing-selected", CoterieError):
            state.apply_template("lab:closer")
        state.select_group(1)
        chosen = session.selection.items.tolist()
        assert state.apply_template("lab:closer") == ("selection", "closer")
        assert session.recipe.step("selection").params == {"items": chosen}
        assert session.recipe.step("selection").of == ("data",)
        session.edits.undo()
        assert "closer" not in session.recipe.names
    finally:
        session.plugins.catalogue = catalogue


def test_the_automatic_answer_is_asked_to_keep_a_selection_together_and_apart(
    session: Session,
) -> None:
    recipe, groups = added(session.recipe, session.catalogue, Step("found", AUTOMATIC, ("data",)))
    session.edits.replace(recipe, "find groups")
    session.run(groups)
    session.wait(60)
    state = SelectingState(session)
    state.chosen = groups
    session.selection.update([60, 140])
    assert state.link() == groups
    session.selection.update([0, 1])
    assert state.link(apart=True) == groups
    assert session.recipe.step(groups).params == {"together": [[60, 140]], "apart": [[0, 1]]}
    session.run(groups)
    session.wait(60)
    labels = session.results.artefact(groups).labels
    assert labels[60] == labels[140]
    assert labels[0] != labels[1]
    session.edits.undo()
    assert session.recipe.step(groups).params == {"together": [[60, 140]]}


def test_groups_of_another_method_are_followed_by_a_step_that_keeps_to_the_selection(
    session: Session,
) -> None:
    recipe, groups = added(
        session.recipe, session.catalogue, Step("found", "clusterer/kmeans", ("data",), {"k": 3})
    )
    session.edits.replace(recipe, "find groups")
    session.run(groups)
    session.wait(60)
    state = SelectingState(session)
    state.chosen = groups
    for name, items in (("low", [0, 1]), ("high", [2, 3])):
        session.selection.update(items)
        state.save(name)
    session.selection.update([0, 1, 2, 3])
    name = state.link(apart=True)
    step = session.recipe.step(name)
    assert (step.use, step.of) == ("clusterer/linked", (groups, "data"))
    assert step.params == {"together": [[0, 1], [2, 3]], "apart": [[0, 2]]}
    session.run(name)
    session.wait(60)
    labels = session.results.artefact(name).labels
    assert labels[0] == labels[1] != labels[2] == labels[3]


def test_one_item_and_too_many_single_items_are_not_linked(session: Session) -> None:
    state = SelectingState(session)
    session.selection.update([0])
    with refuses("nothing-selected"):
        state.link()
    session.selection.update(list(range(13)))
    with refuses("too-many-items"):
        state.link(apart=True)
