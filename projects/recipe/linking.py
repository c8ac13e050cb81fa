"""Asks of groups that some items share one, and others do not."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.recipe.group_edits import data_of, followed, origin_of

KEEPING = (well_known.CLUSTERER_AUTOMATIC, well_known.CLUSTERER_LINKED)
Lists = Sequence[Sequence[int]]


def linked(
    recipe: Recipe, catalogue: Catalogue, step: str, together: Lists, apart: Lists
) -> tuple[Recipe, str]:
    """Ask that the items of each list share a group, or that no two of a list do.

    The automatic answer is asked itself; groups of other methods are followed by a step that makes
    them keep to it. What was asked before stays asked.

    Parameters
    ----------
    step : that has the groups
    together, apart : positions of items, from 0

    Returns
    -------
    the recipe, and the step that keeps to it
    """
    keeper = origin_of(recipe, step)
    if recipe.step(keeper).use not in KEEPING:
        data = data_of(recipe, catalogue, step)
        if not data:
            raise RecipeError(
                f"'{step}' was not found in a table, so it is not known which items are near each "
                "other. Use groups of the automatic method.",
                code="input-mismatch",
            )
        new = Step(recipe.free_name("linked"), well_known.CLUSTERER_LINKED, (step, data))
        recipe, keeper = followed(recipe, step, new), new.name
    params = dict(recipe.step(keeper).params)
    for what, lists in (("together", together), ("apart", apart)):
        known = [list(one) for one in params.get(what, [])]
        known += [list(one) for one in lists if list(one) not in known]
        if known:
            params[what] = known
    return recipe.changed(keeper, params=params), keeper
