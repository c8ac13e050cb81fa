"""Puts the recipes that plugins offer on what a person has. They are data: no plugin code runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core import well_known
from coterie.core.api.kinds import makers_of
from coterie.core.api.templates import PLACES, SELECTED, RecipeTemplate
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.recipe.inputs import check_inputs

SELECTION, DATA = "selection", "data"


def template_called(catalogue: Catalogue, name: str) -> RecipeTemplate:
    """Return the recipe that a plugin offers under a name, or say which there are."""
    for template in catalogue.templates:
        if template.id == name:
            return template
    known = ", ".join(template.id for template in catalogue.templates) or "none"
    raise RecipeError(
        f"No plugin offers a recipe '{name:.80}'. There are: {known}.", code="unknown-recipe"
    )


def why_unusable(template: RecipeTemplate, catalogue: Catalogue) -> str:
    """Return why a template cannot be used with the methods there are; empty when it can."""
    missing = [step.use for step in template.steps if step.use not in catalogue]
    return f"It needs {missing[0]}, which is not installed." if missing else ""


def with_template(
    recipe: Recipe,
    catalogue: Catalogue,
    template: RecipeTemplate,
    places: Mapping[str, str],
    selected: Sequence[int] = (),
) -> tuple[Recipe, tuple[str, ...]]:
    """Return the recipe with the steps of a template, and their names there.

    Parameters
    ----------
    places : the steps that stand for "data", "similarity" and so on
    selected : the numbers of the selected items
    """
    if template.on == SELECTION and not selected:
        raise RecipeError(
            "Nothing is selected. Select some items in any view first.", code="nothing-selected"
        )
    at = {name: step for name, step in places.items() if step}
    added: list[str] = []
    steps = list(template.in_order())
    if SELECTION in template.begins_with:
        chosen = {"items": [int(item) for item in selected]}
        steps.insert(0, Step(SELECTION, well_known.TRANSFORM_TAKE, (DATA,), chosen))
    for step in steps:
        name = recipe.free_name(step.name)
        of = tuple(_place(template, at, needed) for needed in step.of)
        made = replace(step, name=name, of=of, params=_filled(step.params, selected))
        catalogue.get(made.use)  # says what is not installed
        recipe = recipe.with_step(made)
        check_inputs(recipe, catalogue, made)
        at[step.name] = name
        added.append(name)
    return recipe, tuple(added)


def _place(template: RecipeTemplate, at: Mapping[str, str], needed: str) -> str:
    if needed in at:
        return at[needed]
    kind = PLACES[needed]
    raise RecipeError(
        f"'{template.title}' needs {needed}, but these items have none yet. Add "
        f"{makers_of(kind) or 'data'} first.",
        code="input-mismatch",
    )


def _filled(params: Mapping[str, Any], selected: Sequence[int]) -> dict[str, Any]:
    items = [int(item) for item in selected]
    return {name: items if value == SELECTED else value for name, value in params.items()}
