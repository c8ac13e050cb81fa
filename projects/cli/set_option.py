"""Changes from the command line: `--set step.parameter=value`, `--set parameter=value`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from coterie.core.errors import DataError
from coterie.core.model.recipes import Recipe, Source, Step

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue


def with_changes(recipe: Recipe, changes: Iterable[str]) -> Recipe:
    """Return the recipe with each change made, in order."""
    for change in changes:
        name, parameter, value = parse_change(change)
        recipe = _changed(recipe, name, parameter, value)
    return recipe


def parse_change(text: str) -> tuple[str, str, Any]:
    """Take `step.parameter=value` apart; the value is TOML, or a bare word.

    >>> parse_change("groups.k=3"), parse_change("groups.rest=nearest")
    (('groups', 'k', 3), ('groups', 'rest', 'nearest'))
    """
    place, equals, written = text.partition("=")
    name, dot, parameter = place.strip().rpartition(".")
    if not (equals and dot and name and parameter):
        raise typer.BadParameter(
            f"Write changes as step.parameter=value, such as groups.k=3. Got '{text}'.",
            param_hint="--set",
        )
    return name, parameter, _value(written.strip(), text)


def parse_setting(text: str) -> tuple[str, Any]:
    """Return a parameter and its value, which is JSON where it can be and text where it cannot.

    >>> parse_setting("minimum=0.5"), parse_setting("delimiter=tab")
    (('minimum', 0.5), ('delimiter', 'tab'))
    """
    import json

    name, equals, value = text.partition("=")
    if not name or not equals:
        raise DataError(f"'{text}' has no value. Use --set name=value.", code="invalid-option")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def as_declared(params: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters with numbers as texts where the method takes texts only, such as grid=20.

    Parameters
    ----------
    declared : the JSON Schema of the method's parameters

    >>> as_declared({"grid": 20, "k": 3}, {"properties": {"grid": {"enum": ["10", "20"]}}})
    {'grid': '20', 'k': 3}
    """
    return {n: _as_text(v, declared.get("properties", {}).get(n, {})) for n, v in params.items()}


def recipe_as_declared(recipe: Recipe, catalogue: Catalogue) -> Recipe:
    """Return a recipe whose values have the types that its methods declare, where that is clear."""
    parts: tuple[Source | Step, ...] = (*recipe.sources, *recipe.steps)
    for part in parts:
        use = part.reader if isinstance(part, Source) else part.use
        if isinstance(part, Source) and not use:
            found = catalogue.reader_of(Path(part.open))
            use = found.name if found is not None else ""
        if part.params and use in catalogue:
            params = as_declared(part.params, catalogue.get(use).params)
            if params != part.params:
                recipe = recipe.changed(part.name, params=params)
    return recipe


def _as_text(value: Any, schema: Mapping[str, Any]) -> Any:
    words = schema.get("enum", ())
    texts = bool(words) and all(isinstance(word, str) for word in words)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and (texts or schema.get("type") == "string"):
        return str(value)
    return value


def _value(written: str, text: str) -> Any:
    try:
        values = tomllib.loads(f"value = {written}")
    except tomllib.TOMLDecodeError:
        # Quotes inside quotes are a trial in any shell, so a plain word stands for itself.
        if written and not set(written) & set("\"'[]{}\n"):
            return written
        values = {}
    value = values.get("value")
    if len(values) != 1 or isinstance(value, date | datetime | time):
        raise typer.BadParameter(
            'A value must be a number, true, false, a word, a "string" or a [list] '
            f"of them. Got '{text}'.",
            param_hint="--set",
        )
    return value


def _changed(recipe: Recipe, name: str, parameter: str, value: Any) -> Recipe:
    part = recipe.find(name)
    if isinstance(part, Source):
        if parameter == "open":
            # Typed at a prompt, so relative to where the person is, not to the recipe.
            path = os.path.normpath(Path.cwd() / str(value))
            return recipe.changed(name, open=_sample_or(str(value), path))
        if parameter == "reader":
            reader = str(value) if "/" in str(value) else f"reader/{value}"
            return recipe.changed(name, reader=reader)
    elif parameter == "seed":
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise typer.BadParameter(
                f"A seed must be a whole number, 0 or more. Got {value!r}.", param_hint="--set"
            )
        return recipe.changed(name, seed=value)
    return recipe.changed(name, params={**part.params, parameter: value})


def _sample_or(name: str, path: str) -> str:
    from coterie.projects.recipe.toml import is_sample

    return name if is_sample(Source(open=name)) else path
