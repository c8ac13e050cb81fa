"""Edits of groups: name, colour, merge, move, split; and items moved between them.

Each returns a new recipe and the step that then has the groups. What is edited of one result is one
step after it; editing further changes that step. Names and colours leave what depends on the groups
as it is; what changes who belongs together is used by all that follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.recipe.inputs import type_of

EDIT = well_known.CLUSTERER_EDIT_GROUPS
SPLIT = well_known.CLUSTERER_SPLIT_GROUP


def origin_of(recipe: Recipe, name: str) -> str:
    """Return the step whose method found the groups that `name` has, edited or not.

    >>> steps = Step("groups", "clusterer/kmeans"), Step("named", EDIT, ("groups",))
    >>> origin_of(Recipe(steps=steps), "named")
    'groups'
    """
    part = recipe.find(name)
    while isinstance(part, Step) and part.use in (EDIT, SPLIT) and part.of:
        part = recipe.find(part.of[0])
    return part.name


def named(recipe: Recipe, step: str, group: int, name: str) -> tuple[Recipe, str]:
    """Give a group, by its 0-based number, another name; an empty one takes the name away."""
    recipe, edit = _edit_step(recipe, step)
    return _with_value(recipe, edit, "names", group, " ".join(name.split()))


def coloured(recipe: Recipe, step: str, group: int, colour: str) -> tuple[Recipe, str]:
    """Give a group another colour, as "#rrggbb"; an empty one gives its first colour back."""
    recipe, edit = _edit_step(recipe, step)
    return _with_value(recipe, edit, "colours", group, colour.lower())


def merged(recipe: Recipe, step: str, groups: Sequence[int], k: int) -> tuple[Recipe, str]:
    """Put some of k groups together, at the place of the first of them."""
    some = sorted(set(groups))
    if len(some) < 2:
        raise RecipeError("Choose at least two groups to merge.", code="too-few-groups")
    order = [[group] for group in range(k) if group not in some[1:]]
    order[[first for (first,) in order].index(some[0])] = some
    return _rearranged(recipe, step, order)


def reordered(recipe: Recipe, step: str, group: int, to: int, k: int) -> tuple[Recipe, str]:
    """Move a group of k to the 0-based place `to`."""
    order = [other for other in range(k) if other != group]
    order.insert(min(max(to, 0), k - 1), group)
    return _rearranged(recipe, step, [[other] for other in order])


def moved(
    recipe: Recipe, step: str, items: Sequence[int], group: int, k: int
) -> tuple[Recipe, str]:
    """Move items into a group of k, by its 0-based number."""
    if not len(items):
        raise RecipeError("Select the items to move first.", code="nothing-selected")
    recipe, step = _own_edit(recipe, step)
    params = dict(recipe.step(step).params)
    target = _numbers(params.get("groups", []), k)[group][0]
    gone = {int(item) for item in items}
    kept = {
        number: [item for item in listed if item not in gone]
        for number, listed in params.get("moved", {}).items()
    }
    kept[str(target)] = sorted({*kept.get(str(target), []), *gone})
    params["moved"] = {number: listed for number, listed in kept.items() if listed}
    return recipe.changed(step, params=params), step


def divided(
    recipe: Recipe, catalogue: Catalogue, step: str, group: int, method: str, k: int
) -> tuple[Recipe, str]:
    """Divide a group into sub-groups by a method on the data that the groups were found in."""
    data = data_of(recipe, catalogue, step)
    if not data:
        raise RecipeError(
            f"'{step}' was not found in a table, so its groups cannot be split by a method.",
            code="input-mismatch",
        )
    params: dict[str, Any] = {"group": group + 1, "method": method, "k": k}
    split = Step(recipe.free_name("split"), SPLIT, (step, data), params)
    return followed(recipe, step, split), split.name


def data_of(recipe: Recipe, catalogue: Catalogue, step: str) -> str:
    """Return the data that a step's groups were found in, as near to the step as there are any."""
    for name in reversed(recipe.ancestors([origin_of(recipe, step)])):
        if type_of(recipe, catalogue, name) == "dataset":
            return name
    return ""


def _edit_step(recipe: Recipe, step: str) -> tuple[Recipe, str]:
    """The recipe with a step that edits the groups of `step`, which may be one itself."""
    if recipe.step(step).use == EDIT:
        return recipe, step
    for other in recipe.steps:
        if other.use == EDIT and other.of == (step,) and not other.disabled:
            return recipe, other.name
    new = Step(recipe.free_name("named"), EDIT, (step,))
    return recipe.with_step(new, recipe.steps.index(recipe.step(step)) + 1), new.name


def _with_value(recipe: Recipe, edit: str, what: str, group: int, value: str) -> tuple[Recipe, str]:
    params = dict(recipe.step(edit).params)
    values = {**params.get(what, {}), str(group + 1): value}
    return recipe.changed(edit, params={**params, what: values}), edit


def _own_edit(recipe: Recipe, step: str) -> tuple[Recipe, str]:
    """An edit that all later steps see: `step` if it is one, or a new one after it."""
    if recipe.step(step).use != EDIT:
        new = Step(recipe.free_name("named"), EDIT, (step,))
        return followed(recipe, step, new), new.name
    return _used_instead(recipe, recipe.step(step).of[0], step), step


def _rearranged(recipe: Recipe, step: str, order: Sequence[Sequence[int]]) -> tuple[Recipe, str]:
    """The groups of `step` in another order, some together; its names and colours follow."""
    recipe, step = _own_edit(recipe, step)
    params = dict(recipe.step(step).params)
    before = _numbers(params.get("groups", []), sum(map(len, order)))
    params["groups"] = [[number for group in new for number in before[group]] for new in order]
    for what in ("names", "colours"):
        moved = {}
        for place, together in enumerate(order):
            own = [params.get(what, {}).get(str(group + 1)) for group in together]
            known = [value for value in own if value]
            if known:
                moved[str(place + 1)] = " and ".join(known) if what == "names" else known[0]
        params[what] = moved
    return recipe.changed(step, params={k: v for k, v in params.items() if v}), step


def _numbers(groups: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """The first numbers of so many groups; those that were not listed follow in their order.

    >>> _numbers([[3, 1]], 3)
    [[3, 1], [2], [4]]
    """
    found = [list(old) for old in groups]
    listed = {number for old in found for number in old}
    rest = iter(number for number in range(1, 10**9) if number not in listed)
    return found + [[next(rest)] for _ in range(count - len(found))]


def followed(recipe: Recipe, name: str, step: Step) -> Recipe:
    """The recipe with a step right after `name`, which all others use in the place of `name`."""
    at = recipe.steps.index(recipe.step(name)) + 1
    # An edit of names of `name` goes on by itself: its numbers are of the groups before.
    recipe = recipe.with_step(step, at)
    return _used_instead(recipe, name, step.name)


def _used_instead(recipe: Recipe, name: str, new: str) -> Recipe:
    """The recipe in which all that used `name` uses `new`, but for `new` itself and its inputs."""
    above = {new, *recipe.ancestors([new])}
    edits = {step.name for step in recipe.steps if step.use in (EDIT, SPLIT)}
    steps = tuple(
        step
        if step.name in above or step.name in edits
        else replace(step, of=tuple(new if of == name else of for of in step.of))
        for step in recipe.steps
    )
    return replace(recipe, steps=steps)
