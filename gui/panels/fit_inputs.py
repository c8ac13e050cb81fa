"""Which results fit which inputs, and how a step changes its method. Knows no Qt."""

from __future__ import annotations

from typing import Any

from coterie.core.catalogue.descriptors import Catalogue, Descriptor, Need
from coterie.core.model.recipes import Recipe, Step
from coterie.core.model.result_types import RESULT_TYPES
from coterie.gui.toolkit.forms.fields import fields_of
from coterie.gui.toolkit.forms.values import shown_value
from coterie.projects.recipe.inputs import type_of


def candidates(recipe: Recipe, catalogue: Catalogue, step: str, need: Need) -> tuple[str, ...]:
    """Return what may be given to an input of `step`: of a fitting type, and making no circle."""
    below = {step, *(dependent.name for dependent in recipe.dependents(step))}
    return tuple(
        name
        for name in recipe.names
        if name not in below and need.accepts_type(type_of(recipe, catalogue, name))
    )


def input_title(need: Need) -> str:
    """Return what an input is called in a form."""
    known = {name: RESULT_TYPES[name].title for name in need.accepts if name in RESULT_TYPES}
    titles = [known.get(accepted, accepted.capitalize()) for accepted in need.accepts]
    first = titles[0] if titles else "Input"
    return " or ".join([first, *(title.lower() for title in titles[1:])])


def inputs_for(
    recipe: Recipe, catalogue: Catalogue, step: Step, method: Descriptor
) -> tuple[str, ...]:
    """Return inputs for `step` with another method: its own where they fit, else the nearest."""
    chosen: list[str] = []
    for position, need in enumerate(method.inputs):
        fitting = candidates(recipe, catalogue, step.name, need)
        if need.many:
            own = [name for name in step.of[position:] if name in fitting]
            chosen += own or list(fitting[-1:])
            break
        current = step.of[position] if position < len(step.of) else ""
        if current in fitting:
            chosen.append(current)
        elif need.optional or not fitting:
            break
        else:
            chosen.append(fitting[-1])
    return tuple(chosen)


def with_method(recipe: Recipe, catalogue: Catalogue, name: str, method: Descriptor) -> Recipe:
    """Return the recipe with another method in step `name`, keeping all settings that still fit."""
    step = recipe.step(name)
    kept: dict[str, Any] = {}
    for field in fields_of(method.params, method.defaults):
        if field.name in step.params and not field.problem(step.params[field.name]):
            kept[field.name] = step.params[field.name]
    inputs = inputs_for(recipe, catalogue, step, method)
    return recipe.changed(name, use=method.name, params=kept, of=inputs)


def with_input(step: Step, position: int, chosen: str) -> tuple[str, ...]:
    """Return the inputs of `step` with another at `position`; empty takes an optional one out."""
    inputs = [*step.of]
    if not chosen:
        return tuple(inputs[:position])
    if position < len(inputs):
        inputs[position] = chosen
    else:
        inputs.append(chosen)
    return tuple(inputs)


def in_words(step: Step, method: Descriptor | None) -> str:
    """Return the settings that differ from the defaults, on one line."""
    if method is None or not step.params:
        return ""
    fields = {field.name: field for field in fields_of(method.params, method.defaults)}
    said = []
    for name, value in step.params.items():
        field = fields.get(name)
        if field is None or not field.is_default(value):
            title = field.title.lower() if field else name
            said.append(f"{title} {shown_value(value)}")
    return ", ".join(said)
