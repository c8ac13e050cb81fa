"""Types and roles of columns, changed by a step right after the data."""

from __future__ import annotations

from dataclasses import replace

from coterie.core import well_known
from coterie.core.model.recipes import Recipe, Source, Step

COLUMNS = well_known.TRANSFORM_COLUMNS


def columns_step(recipe: Recipe, name: str) -> Step | None:
    """Return the step that gives the columns of what `name` gives other types and roles."""
    for step in recipe.steps:
        if step.use == COLUMNS and step.of == (name,) and not step.disabled:
            return step
    return None


def with_column(
    recipe: Recipe, name: str, column: str, *, kind: str = "", role: str = ""
) -> tuple[Recipe, str]:
    """Return the recipe in which a column has another type or role, and the step to run.

    All such changes of one data set are one step. The first makes it; what used the data then uses
    what the step gives, and what does not depend on the data stays as it is.

    Parameters
    ----------
    name : the data, as they were opened or as a step gave them
    """
    step = columns_step(recipe, name)
    if step is None:
        step = Step(recipe.free_name("columns"), COLUMNS, (name,))
        recipe = inserted(recipe, name, step)
    params = {what: dict(step.params.get(what, {})) for what in ("types", "roles")}
    for what, chosen in (("types", kind), ("roles", role)):
        if chosen:
            params[what][column] = chosen
    kept = {what: values for what, values in params.items() if values}
    return recipe.changed(step.name, params=kept), step.name


def inserted(recipe: Recipe, name: str, step: Step) -> Recipe:
    """Return the recipe with a step right after `name`, which all others use in its place."""
    followed = tuple(
        replace(other, of=tuple(step.name if of == name else of for of in other.of))
        for other in recipe.steps
    )
    names = [other.name for other in recipe.steps]
    at = 0 if isinstance(recipe.find(name), Source) else names.index(name) + 1
    return replace(recipe, steps=(*followed[:at], step, *followed[at:]))
