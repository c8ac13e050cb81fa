"""Corrections of names and classes as steps."""

from typing import Any

import pytest

from coterie.core.api.context import Context
from coterie.core.model.recipes import Recipe
from coterie.gui.views.data.state import TableState
from coterie.gui.views.shown_items.corrections import EDIT, corrected, correction_of
from coterie.gui.views.shown_items.displayed import look
from coterie.plugins.transforms.edit import Edit
from coterie.projects.jobs.job import Status
from tests.gui import prepared


def test_the_first_correction_is_a_step_that_all_others_follow() -> None:
    recipe, name = corrected(prepared.RECIPE, "data", "names", 2, "Rosa")
    step = recipe.step(name)
    assert recipe.steps[0] is step
    assert (step.use, step.of, dict(step.params)) == (EDIT, ("data",), {"names": {"3": "Rosa"}})
    assert {s.of for s in recipe.steps if "data" in s.of} == {("data",)}
    assert recipe.step("near").of == (name,)
    assert recipe.step("order").of == ("groups",)
    recipe.check()


def test_further_corrections_go_into_the_same_step() -> None:
    recipe, name = corrected(prepared.RECIPE, "data", "names", 2, "Rosa")
    recipe, again = corrected(recipe, "data", "truth", 2, "red")
    recipe, once_more = corrected(recipe, name, "names", 2, "Rosa canina")
    assert name == again == once_more
    assert len(recipe.steps) == len(prepared.RECIPE.steps) + 1
    assert dict(recipe.step(name).params) == {
        "names": {"3": "Rosa canina"},
        "truth": {"3": "red"},
    }


def test_a_step_can_be_corrected_after_it() -> None:
    recipe, name = corrected(prepared.RECIPE, "near", "names", 0, "x")
    assert [s.name for s in recipe.steps][:2] == ["near", name]
    assert recipe.step("groups").of == (name,)


@pytest.fixture
def table(session: Any) -> TableState:
    state = TableState(session)
    state.update()
    return state


def test_a_correction_is_an_edit_and_runs_at_once(table: TableState, session: Any) -> None:
    table.correct(0, 4, " Rosa ")
    assert session.edits.can_undo == "rename “item 5”"
    assert session.status("corrected") is Status.RUNNING
    assert dict(session.recipe.step("corrected").params) == {"names": {"5": "Rosa"}}


def test_what_changes_nothing_is_no_edit(table: TableState, session: Any) -> None:
    table.correct(0, 4, "item 5")
    table.correct(0, 4, "  ")
    table.correct(4, 4, "7")  # a feature
    assert session.edits.can_undo == ""
    assert not session.busy


def test_what_was_corrected_is_shown(table: TableState, session: Any) -> None:
    truth = next(at for at, column in enumerate(table.columns) if column.kind == "truth")
    table.correct(truth, 0, "violet")
    step = correction_of(session.recipe, "data")
    assert step is not None
    params = Edit.Params(**step.params)
    session.put(
        step.name,
        Edit().compute(session.results.artefact("data"), params=params, context=Context()),
    )
    assert table.update()
    assert table.columns[truth].text(0) == "violet"
    assert look(session, "data").dataset_step == step.name
    table.correct(0, 1, "two")
    assert len(session.recipe.steps) == len(Recipe(steps=session.recipe.steps).names)
    assert dict(session.recipe.step(step.name).params) == {
        "names": {"2": "two"},
        "truth": {"1": "violet"},
    }
