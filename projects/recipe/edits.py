"""Edits of a recipe: move, copy, rename, insert before a step.

All return a new recipe; each is one step to undo.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from coterie.core import well_known
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.errors import RecipeError
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.recipe.inputs import fitting_inputs, type_of

# In a project's view:
CLASSES = "classes"  # what groups are called and coloured, by their step
KNOWN = "known_classes"  # which known classes are taken as one, by their source
# These take some of the items: what is computed beside them must be about the same ones.
CHOOSING_ITEMS = (well_known.TRANSFORM_SAMPLE, well_known.TRANSFORM_TAKE, well_known.TRANSFORM_KEEP)


def moved(recipe: Recipe, name: str, to: int) -> Recipe:
    """Return the recipe with a step at place `to` among the steps, as far as what it uses allows.

    >>> steps = Step("a", "x/y"), Step("b", "x/y"), Step("c", "x/y", ("a",))
    >>> [step.name for step in moved(Recipe(steps=steps), "c", 1).steps]
    ['a', 'c', 'b']
    """
    step = recipe.step(name)
    others = [other for other in recipe.steps if other.name != name]
    to = min(max(to, 0), len(others))
    before = {other.name for other in others[:to]}
    after = {other.name for other in others[to:]}
    for of in step.of:
        if of in after:
            raise RecipeError(
                f"'{name}' uses '{of}', so it must stay below it.", code="invalid-order"
            )
    for other in others:
        if other.name in before and name in other.of:
            raise RecipeError(
                f"'{other.name}' uses '{name}', so '{name}' must stay above it.",
                code="invalid-order",
            )
    return replace(recipe, steps=(*others[:to], step, *others[to:]))


def duplicated(recipe: Recipe, name: str) -> tuple[Recipe, str]:
    """Return the recipe with a copy of a step right after it, and the copy's name."""
    step = recipe.step(name)
    copy = recipe.free_name(_stem(name))
    at = recipe.steps.index(step) + 1
    return recipe.with_step(replace(step, name=copy, disabled=False), at), copy


def forked(recipe: Recipe, catalogue: Catalogue, name: str) -> tuple[Recipe, dict[str, str]]:
    """Return the recipe with a copy of a step and of what leads from it to groups.

    The second value maps each to its copy; of a clusterer only itself is copied. The settings of
    the copy can then be changed, and the groups compared.
    """
    path = [recipe.step(name)]
    if type_of(recipe, catalogue, name) != "clustering":
        groups = next(
            (
                step
                for step in recipe.dependents(name)
                if type_of(recipe, catalogue, step.name) == "clustering"
            ),
            None,
        )
        if groups is not None:
            below = {step.name for step in recipe.dependents(name)}
            needed = recipe.ancestors([groups.name])
            path += [recipe.step(other) for other in needed if other in below]
    copies: dict[str, str] = {}
    for step in path:
        recipe, copies[step.name] = duplicated(recipe, step.name)
        of = tuple(copies.get(other, other) for other in step.of)
        recipe = recipe.changed(copies[step.name], of=of)
    return recipe, copies


def renamed(recipe: Recipe, name: str, new: str) -> Recipe:
    """Return the recipe with another name for a step; all that uses it follows."""
    recipe.step(name)
    new = new.strip()
    if not new:
        raise RecipeError("A step needs a name. Type one or two words.", code="invalid-name")
    if "." in new:  # the command line writes step.part and step.parameter
        raise RecipeError(
            f"A step name cannot contain a full stop. Got '{new}'.", code="invalid-name"
        )
    return recipe.changed(name, name=new)


def with_renamed_step(view: Mapping[str, Any], name: str, new: str) -> dict[str, Any]:
    """Return the parts of a view that are kept by the name of a step, under its new name.

    >>> with_renamed_step({"classes": {"groups": {"names": {}}}, "zoom": 2}, "groups", "kinds")
    {'classes': {'kinds': {'names': {}}}}
    """
    moved = {}
    for part in (CLASSES, KNOWN):
        by_step = view.get(part)
        if isinstance(by_step, Mapping) and name in by_step:
            moved[part] = {new if step == name else step: kept for step, kept in by_step.items()}
    return moved


def remedy(recipe: Recipe, catalogue: Catalogue, name: str, use: str) -> tuple[Recipe, str] | None:
    """Return the recipe with a method put before a step, or in its place; None when neither fits.

    The second value is the name of the step that is new or has another method. A method that takes
    some of the items goes before everything that works on the same data, as all results are to be
    about the same items.
    """
    if use not in catalogue or name not in recipe.names:
        return None
    method = catalogue.get(use)
    for consumer in _upwards(recipe, name):
        for of in consumer.of:
            if _fits_between(recipe, catalogue, of, method, consumer):
                return _put_between(recipe, method, of, consumer)
        if use not in CHOOSING_ITEMS:
            break
    step = recipe.find(name)
    known = isinstance(step, Step) and step.use in catalogue
    if isinstance(step, Step) and known and method.gives == catalogue.get(step.use).gives:
        given = [type_of(recipe, catalogue, of) for of in step.of]
        if step.use != use and not method.refusal(given):
            return recipe.changed(name, use=use, params={}), name
    return None


def remedy_title(recipe: Recipe, catalogue: Catalogue, name: str, use: str) -> str:
    """Return what a button for `remedy` says; empty when there is no such remedy."""
    found = remedy(recipe, catalogue, name, use)
    if found is None:
        return ""
    title = catalogue.get(use).title
    if found[1] == name:
        return f"Use “{title}” instead"
    return (
        "Take a subset first" if use == well_known.TRANSFORM_SAMPLE else f"Insert “{title}” before"
    )


def added(recipe: Recipe, catalogue: Catalogue, step: Step) -> tuple[Recipe, str]:
    """Return the recipe with a step at the end under a free name; without inputs, on the latest."""
    of = step.of or fitting_inputs(recipe, catalogue, catalogue.get(step.use))
    step = replace(step, name=recipe.free_name(step.name), of=of)
    return recipe.with_step(step), step.name


def _upwards(recipe: Recipe, name: str) -> list[Step]:
    """A step and those it comes from by its first inputs, the nearest first."""
    found = []
    part = recipe.find(name)
    while isinstance(part, Step):
        found.append(part)
        if not part.of:
            break
        part = recipe.find(part.of[0])
    return found


def _fits_between(
    recipe: Recipe, catalogue: Catalogue, of: str, method: Descriptor, consumer: Step
) -> bool:
    """Whether a method takes what `of` gives, and gives what the consumer takes in its place."""
    given = type_of(recipe, catalogue, of)
    if not given or method.refusal([given]) or consumer.use not in catalogue:
        return False
    types = [type_of(recipe, catalogue, other) for other in consumer.of]
    types[consumer.of.index(of)] = method.gives
    accepted = not catalogue.get(consumer.use).refusal(types)
    return accepted and method.gives == given


def _put_between(recipe: Recipe, method: Descriptor, of: str, consumer: Step) -> tuple[Recipe, str]:
    new = recipe.free_name(method.id.rpartition(":")[2])
    everyone = method.name in CHOOSING_ITEMS
    using = [step for step in recipe.steps if of in step.of and (everyone or step is consumer)]
    for step in using:
        inputs = tuple(new if other == of else other for other in step.of)
        recipe = replace(
            recipe,
            steps=tuple(
                replace(each, of=inputs) if each.name == step.name else each
                for each in recipe.steps
            ),
        )
    at = min(recipe.names.index(step.name) for step in using) - len(recipe.sources)
    return recipe.with_step(Step(new, method.name, (of,)), at), new


def _stem(name: str) -> str:
    """A name without the number that `free_name` adds."""
    stem, dash, number = name.rpartition("-")
    return stem if dash and number.isdigit() and stem else name
