"""Decides whether a step is stale: the key that a recipe implies for each of its results."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.engine.messages import Order
from coterie.core.errors import RecipeError, UnknownComponentError
from coterie.core.model.artefacts import canonical_json
from coterie.core.model.recipes import Recipe, Source, Step
from coterie.projects.recipe.inputs import check_inputs, reader_now, reader_of, refuse_off


@dataclass(frozen=True)
class Computed:
    """What a step or source was last computed to.

    `request` is what was asked of a reader; its key depends on the file's bytes, which only the
    engine reads, so the request shows whether the key is still right.
    """

    key: str
    parts: Mapping[str, str] = field(default_factory=dict)
    request: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as it stands in the project file."""
        value: dict[str, Any] = {"key": self.key, "parts": dict(self.parts)}
        if self.request:
            value["request"] = self.request
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Computed:
        """Build it again from `as_json`."""
        return cls(value["key"], dict(value.get("parts", {})), value.get("request", ""))


def request_of(source: Source, reader: Descriptor) -> str:
    """Return a text that is the same as long as a source asks for the same thing.

    Only the file's name counts, not its folder: a project that was moved asks for the same.
    """
    opened = source.open if not reader.extensions else Path(source.open).name
    filled = reader.with_defaults(source.params)
    asked = [opened, reader.name, reader.version, reader.fingerprint, filled]
    return hashlib.sha256(canonical_json(asked).encode()).hexdigest()


def implied_keys(
    recipe: Recipe, catalogue: Catalogue, computed: Mapping[str, Computed]
) -> dict[str, str]:
    """Return the key that the recipe now implies for each name; unknown ones are left out."""
    keys: dict[str, str] = {}
    for source in recipe.sources:
        known = computed.get(source.name)
        readers = _possible_readers(source, catalogue) if known is not None else ()
        if known is not None and any(known.request == request_of(source, r) for r in readers):
            keys[source.name] = known.key
    for step in recipe.in_order():
        if step.use in catalogue and all(of in keys for of in step.of):
            method = catalogue.get(step.use)
            keys[step.name] = method.key_of(step.params, [keys[of] for of in step.of], step.seed)
    return keys


def order_for(
    name: str, recipe: Recipe, catalogue: Catalogue, fresh: Callable[[str], str | None]
) -> Order:
    """Return what an engine is to do for a step, or say why it cannot be done.

    The folder of a source is looked into if need be: ask only for one that may be read.
    `fresh` gives the key of a step's artefact, or None while it is not what the recipe implies.
    """
    part = recipe.find(name)
    if isinstance(part, Source):
        reader = reader_now(part, catalogue)
        return Order(use=reader.name, params=dict(part.params), path=part.open)
    refuse_off(recipe, name)
    check_inputs(recipe, catalogue, part)
    inputs = []
    for of in part.of:
        key = fresh(of)
        if key is None:
            raise RecipeError(
                f"Step '{name}' needs '{of}', which has not been computed yet.", code="not-computed"
            )
        inputs.append(key)
    return step_order(part, catalogue.get(part.use), inputs)


def step_order(step: Step, method: Descriptor, inputs: Sequence[str]) -> Order:
    """Return what an engine is to do for a step on inputs of these keys, and under which key."""
    key = method.key_of(step.params, inputs, step.seed)
    params = dict(step.params)
    return Order(use=step.use, params=params, inputs=list(inputs), seed=step.seed, key=key)


def _possible_readers(source: Source, catalogue: Catalogue) -> tuple[Descriptor, ...]:
    """The reader of a source; of a folder whose name shows none, any that may have read it."""
    try:
        return (reader_of(source, catalogue),)
    except UnknownComponentError:
        return ()
    except RecipeError:
        return tuple(reader for reader in catalogue.of_kind("reader") if reader.extensions)
