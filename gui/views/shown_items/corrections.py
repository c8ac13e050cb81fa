"""Corrections of names and known classes, as a step of the recipe right after the data."""

from __future__ import annotations

from typing import Literal

from coterie.core import well_known
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.recipe.column_edits import columns_step, inserted

EDIT = well_known.TRANSFORM_EDIT

What = Literal["names", "truth"]


def correction_of(recipe: Recipe, name: str) -> Step | None:
    """Return the step that corrects what `name` gives, if there is one."""
    for step in recipe.steps:
        if step.use == EDIT and step.of == (name,) and not step.disabled:
            return step
    return None


def latest(recipe: Recipe, name: str) -> str:
    """Return the last of the steps that give the columns or items of `name` other words."""
    found = name
    while (step := columns_step(recipe, found) or correction_of(recipe, found)) is not None:
        found = step.name
    return found


def corrected(recipe: Recipe, name: str, what: What, item: int, value: str) -> tuple[Recipe, str]:
    """Return the recipe in which an item has another name or class, and the step to run.

    All corrections of one data set are one step. The first makes it; what used the data then uses
    what the step gives, so names and classes are the same everywhere.

    Parameters
    ----------
    name : the data that are looked at: those opened, or those that a step gave
    item : its 0-based position
    """
    part = recipe.find(name)
    step = part if isinstance(part, Step) and part.use == EDIT else correction_of(recipe, name)
    if step is None:
        step = Step(recipe.free_name("corrected"), EDIT, (name,))
        recipe = inserted(recipe, name, step)
    params = {key: dict(step.params.get(key, {})) for key in ("names", "truth")}
    params[what][str(item + 1)] = value
    kept = {key: values for key, values in params.items() if values}
    return recipe.changed(step.name, params=kept), step.name
