"""Edits of groups as steps of a recipe."""

import numpy as np
import pytest

from coterie.core import Clustering, Context
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.plugins.clusterers.edit_groups import EditGroups
from coterie.projects.recipe import group_edits
from tests.gui.prepared import built_in_methods
from tests.refusals import refuses

RECIPE = Recipe(
    sources=(Source("data", "iris"),),
    steps=(
        Step("scaled", "transform/standardise", ("data",)),
        Step("groups", "clusterer/kmeans", ("scaled",)),
        Step("order", "ranker/membership", ("groups",)),
    ),
)
FIVE = Clustering(labels=np.arange(5))


def _edited(recipe: Recipe, step: str) -> Clustering:
    params = EditGroups.Params(**recipe.step(step).params)
    return EditGroups().compute(FIVE, params=params, context=Context())


def test_names_and_colours_are_one_step_and_leave_what_follows_alone() -> None:
    recipe, step = group_edits.named(RECIPE, "groups", 1, "  heavy \n cars ")
    recipe, step = group_edits.coloured(recipe, "groups", 1, "#AABBCC")
    recipe, again = group_edits.named(recipe, step, 4, "light")
    assert again == step
    assert recipe.step("order").of == ("groups",)
    made = _edited(recipe, step)
    assert made.group_names == ("group 1", "heavy cars", "group 3", "group 4", "light")
    assert made.colours == ("", "#aabbcc", "", "", "")
    assert group_edits.origin_of(recipe, step) == "groups"


def test_merging_and_moving_compose_and_are_used_by_what_follows() -> None:
    recipe, step = group_edits.named(RECIPE, "groups", 3, "d")
    recipe, step = group_edits.merged(recipe, step, (3, 1), 5)  # 1, 24, 3, 5
    recipe, step = group_edits.reordered(recipe, step, 3, 0, 4)  # 5, 1, 24, 3
    recipe, step = group_edits.merged(recipe, step, (0, 3), 4)  # 53, 1, 24
    made = _edited(recipe, step)
    assert made.labels.tolist() == [1, 2, 0, 2, 0]
    assert made.group_names == ("group 1", "group 2", "d")
    assert made.colours == ("5", "1", "2")  # each keeps the colour that it had
    assert recipe.step("order").of == (step,)
    assert [one.use for one in recipe.steps].count(group_edits.EDIT) == 1


def test_items_are_moved_and_follow_their_group_when_it_is_merged() -> None:
    ten = Clustering(labels=np.arange(10) % 5)

    def made(recipe: Recipe, step: str) -> list[int]:
        params = EditGroups.Params(**recipe.step(step).params)
        found = EditGroups().compute(ten, params=params, context=Context())
        return [int(label) for label in found.labels]

    recipe, step = group_edits.moved(RECIPE, "groups", [0, 9], 2, 5)
    assert made(recipe, step) == [2, 1, 2, 3, 4, 0, 1, 2, 3, 2]
    recipe, step = group_edits.merged(recipe, step, (2, 4), 5)  # 1, 2, 35, 4
    recipe, step = group_edits.moved(recipe, step, [9, 3], 3, 4)
    assert made(recipe, step) == [2, 1, 2, 3, 2, 0, 1, 2, 3, 3]
    assert recipe.step("order").of == (step,)
    with refuses("nothing-selected"):
        group_edits.moved(RECIPE, "groups", [], 2, 5)
    recipe, step = group_edits.moved(RECIPE, "groups", [0, 5], 2, 5)
    with refuses("invalid-parameters"):
        made(recipe, step)
    recipe, step = group_edits.moved(RECIPE, "groups", [99], 2, 5)
    with refuses("unknown-item"):
        made(recipe, step)


def test_a_group_is_split_on_the_data_it_was_found_in() -> None:
    recipe, step = group_edits.named(RECIPE, "groups", 0, "a")
    recipe, split = group_edits.divided(recipe, built_in_methods(), step, 0, "kmeans", 3)
    recipe.check()
    assert recipe.step(split).of == (step, "scaled")
    assert recipe.step(split).params == {"group": 1, "method": "kmeans", "k": 3}
    # What is named now is named of the groups after the division.
    recipe, last = group_edits.named(recipe, split, 2, "c")
    recipe.check()
    assert recipe.step(last).of == (split,)
    assert group_edits.origin_of(recipe, last) == "groups"


def test_one_group_cannot_be_merged() -> None:
    with pytest.raises(RecipeError) as caught:
        group_edits.merged(RECIPE, "groups", (2, 2), 5)
    assert caught.value.code == "too-few-groups"
