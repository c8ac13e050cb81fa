"""Recipes of plugins are put on what a person has, and say what is lacking."""

from dataclasses import replace

import pytest

from coterie.core import RecipeTemplate, Step
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import CoterieError
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.recipe.templates import template_called, why_unusable, with_template
from coterie.registry import built_ins
from tests.refusals import refuses

CLOSER = RecipeTemplate(
    id="mylab:closer",
    title="Look closer",
    summary="Groups within the selected items.",
    on="selection",
    steps=(
        Step("scaled", "transform/standardise", ("selection",)),
        Step("groups", "clusterer/kmeans", ("scaled",), {"k": 2}),
    ),
)
NEAR = RecipeTemplate(
    id="mylab:near",
    title="Near",
    summary="Ranks by nearness to the selected items.",
    on="selection",
    steps=(
        Step(
            "near",
            "ranker/personalised-pagerank",
            ("similarity",),
            {"scope": "items", "items": "@selection"},
        ),
    ),
)
OPEN = Recipe(sources=(Source(open="iris"),)).with_step(
    Step("scaled", "transform/minmax", ("data",))
)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return replace(built_ins().catalogue, templates=(CLOSER, NEAR))


def test_steps_follow_the_selection_under_free_names(catalogue: Catalogue) -> None:
    made, names = with_template(OPEN, catalogue, CLOSER, {"data": "scaled"}, [3, 1])
    assert names == ("selection", "scaled-2", "groups")
    assert made.step("selection").of == ("scaled",)
    assert made.step("selection").params == {"items": [3, 1]}
    assert made.step("scaled-2").of == ("selection",)
    assert made.step("groups").of == ("scaled-2",)


def test_selected_items_become_the_value_of_a_parameter(catalogue: Catalogue) -> None:
    recipe = OPEN.with_step(Step("near", "graph/knn", ("scaled",)))
    made, names = with_template(recipe, catalogue, NEAR, {"similarity": "near"}, [7])
    assert names == ("near-2",)
    assert made.step("near-2").params == {"scope": "items", "items": [7]}


def test_what_is_lacking_is_said(catalogue: Catalogue) -> None:
    with refuses("nothing-selected", CoterieError):
        with_template(OPEN, catalogue, CLOSER, {"data": "data"})
    with refuses("input-mismatch", CoterieError):
        with_template(OPEN, catalogue, NEAR, {"data": "data", "similarity": ""}, [1])
    with refuses("input-mismatch", CoterieError):
        with_template(OPEN, catalogue, NEAR, {"similarity": "scaled"}, [1])
    with refuses("unknown-recipe", CoterieError):
        template_called(catalogue, "mylab:nearest")
    lost = replace(NEAR, steps=(Step("x", "ranker/mylab:lost", ("similarity",)),))
    assert "ranker/mylab:lost" in why_unusable(lost, catalogue)
    assert why_unusable(NEAR, catalogue) == ""
