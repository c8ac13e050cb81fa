"""Recipes are values: edits return new ones, and what does not fit together is told."""

from __future__ import annotations

import pytest

from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from tests.refusals import refuses

RECIPE = Recipe(
    sources=(Source(open="iris"),),
    steps=(
        Step("scaled", "transform/minmax", ("data",)),
        Step("near", "kernel/gaussian", ("scaled",)),
        Step("groups", "clusterer/dominant-sets", ("near",)),
        Step("order", "ranker/pagerank", ("near", "groups")),
    ),
)


def names(steps: tuple[Step, ...]) -> list[str]:
    return [step.name for step in steps]


def test_steps_come_after_what_they_use_whatever_their_order() -> None:
    backwards = Recipe(sources=RECIPE.sources, steps=RECIPE.steps[::-1])
    assert names(backwards.in_order()) == ["scaled", "near", "groups", "order"]


def test_a_circle_is_told_with_its_members() -> None:
    circle = RECIPE.changed("scaled", of=("order",))
    with refuses("invalid-recipe", RecipeError, match="'scaled'"):
        circle.check()


def test_a_step_that_uses_itself_is_a_circle() -> None:
    with refuses("invalid-recipe", RecipeError):
        RECIPE.changed("scaled", of=("scaled",)).check()


def test_an_unknown_input_is_told_with_what_there_is() -> None:
    with refuses("invalid-recipe", RecipeError, match="'near'"):
        RECIPE.changed("near", of=("nothing",)).check()


@pytest.mark.parametrize("call", ["find", "step", "without"])
def test_an_unknown_name_is_told(call: str) -> None:
    with refuses("unknown-step", RecipeError, match="'nothing'"):
        getattr(RECIPE, call)("nothing")


def test_a_source_is_no_step() -> None:
    with refuses("invalid-recipe", RecipeError):
        RECIPE.step("data")


def test_a_new_name_is_followed_by_all_that_use_it() -> None:
    renamed = RECIPE.changed("near", name="similarity")
    assert renamed.step("order").of == ("similarity", "groups")
    assert renamed.changed("data", name="flowers").step("scaled").of == ("flowers",)
    renamed.check()


def test_a_name_that_is_taken_is_refused() -> None:
    with refuses("duplicate-step", RecipeError, match="'groups'"):
        RECIPE.changed("near", name="groups")
    with refuses("duplicate-step", RecipeError, match="'near'"):
        RECIPE.with_step(Step("near", "kernel/gaussian", ("data",)))
    assert RECIPE.changed("near", name="near") == RECIPE


def test_dependents_are_found_through_others() -> None:
    assert names(RECIPE.dependents("scaled")) == ["near", "groups", "order"]
    assert names(RECIPE.dependents("groups")) == ["order"]
    assert RECIPE.dependents("order") == ()


def test_removing_a_step_removes_what_depends_on_it() -> None:
    assert names(RECIPE.without("groups").steps) == ["scaled", "near"]
    assert RECIPE.without("data").names == ()


def test_ancestors_are_all_that_is_needed_in_order() -> None:
    assert RECIPE.ancestors(["groups"]) == ("data", "scaled", "near", "groups")


def test_edits_leave_the_recipe_as_it_was() -> None:
    before = RECIPE.steps
    RECIPE.with_step(Step("more", "metric/nmi", ("groups",)), at=0)
    RECIPE.changed("near", params={"sigma": 2})
    assert RECIPE.steps == before


def test_names_must_differ_and_be_there() -> None:
    with refuses("duplicate-step", RecipeError):
        Recipe(steps=(Step("a", "x/y"), Step("a", "x/z"))).check()
    with refuses("invalid-recipe", RecipeError):
        Recipe(steps=(Step("", "x/y"),)).check()


def test_a_free_name_counts_up() -> None:
    assert RECIPE.free_name("new") == "new"
    assert RECIPE.free_name("near") == "near-2"
    assert RECIPE.with_step(Step("near-2", "x/y")).free_name("near") == "near-3"
