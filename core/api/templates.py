"""Recipes that plugins offer: steps as data, put on the data or the selection that a person has."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from coterie.core.errors import CoterieError, PluginError
from coterie.core.model.recipes import Recipe, Source, Step

SELECTED = "@selection"
"""As the value of a parameter: the numbers of the selected items."""

PLACES: dict[str, str] = {
    "data": "dataset",
    "selection": "dataset",
    "similarity": "affinity",
    "groups": "clustering",
    "ranking": "ranking",
    "picture": "embedding",
}
"""What steps of a template may begin with, and its type."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_USE = re.compile(r"[a-z]+/[a-z0-9:.-]+")


@dataclass(frozen=True)
class RecipeTemplate:
    """Steps that a plugin offers together. It is data: no code runs when it is chosen.

    Define it in a module of the plugin: `LOOK_CLOSER = RecipeTemplate(…)`. Its steps work on each
    other, or on what a person has: "data", "selection" (the selected items as data of their own),
    "similarity", "groups", "ranking" and "picture". A parameter "@selection" becomes the numbers
    of the selected items. A step names a method of its own plugin without the prefix.

    Attributes
    ----------
    id : short name in kebab-case
    title : what menus show
    summary : one sentence on what it does
    steps : each a `Step(name, use, of, params)`; inputs first
    on : "data" puts it among the steps to add; "selection" into the menu *Select*
    origin : the plugin; filled in when it is loaded
    """

    id: str
    title: str
    summary: str
    steps: tuple[Step, ...]
    on: Literal["data", "selection"] = "data"
    origin: str = ""

    @property
    def begins_with(self) -> tuple[str, ...]:
        """What it works on, of the names in `PLACES`."""
        own = {step.name for step in self.steps}
        used = [of for step in self.steps for of in step.of if of not in own]
        return tuple(dict.fromkeys(used))

    @property
    def takes_selected(self) -> bool:
        """Whether a parameter is the numbers of the selected items."""
        return any(SELECTED in step.params.values() for step in self.steps)

    def check(self) -> None:
        """Raise one sentence when it could not be used."""
        for name in ("id", "title", "summary"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name).strip():
                raise _invalid(f"Its {name} must be a text. Got {getattr(self, name)!r:.80}.")
        if not _ID.fullmatch(self.id.rpartition(":")[2]):
            raise _invalid(f"Its id must be lower-case words joined by '-'. Got '{self.id:.80}'.")
        if self.on not in ("data", "selection"):
            raise _invalid(f"Its 'on' must be 'data' or 'selection'. Got {self.on!r:.80}.")
        check_steps(self.steps, PLACES)
        uses = self.takes_selected or "selection" in self.begins_with
        if uses != (self.on == "selection"):
            raise _invalid(
                "A template that uses the selection says on='selection', and only such a one: "
                f"one of its steps works on 'selection', or has a parameter '{SELECTED}'."
            )

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RecipeTemplate:
        """Build it again from `as_json`."""
        made = cls(**{**value, "steps": steps_from_json(value["steps"])})
        made.check()
        return made

    def known_as(self, prefix: str, origin: str) -> RecipeTemplate:
        """Return it with its plugin's prefix before its id."""
        return replace(self, id=f"{prefix}:{self.id}" if prefix else self.id, origin=origin)

    def in_order(self) -> tuple[Step, ...]:
        """Return the steps, each after what it works on."""
        return _recipe(self.steps, PLACES).in_order()


def _recipe(steps: tuple[Step, ...], places: Iterable[str]) -> Recipe:
    """Steps as a recipe; a step that is called like a place stands for it from then on."""
    own = {step.name for step in steps}
    return Recipe(sources=tuple(Source(name) for name in places if name not in own), steps=steps)


def check_steps(steps: Any, places: Iterable[str]) -> None:
    """Raise one sentence unless these are steps that work on each other or on `places`."""
    if not isinstance(steps, tuple) or not steps or not all(isinstance(s, Step) for s in steps):
        raise _invalid(
            f"Its steps must be a tuple of Step(name, use, of, params). Got {steps!r:.80}."
        )
    for step in steps:
        texts = isinstance(step.of, tuple) and all(isinstance(of, str) for of in step.of)
        if not isinstance(step.name, str) or not texts or not isinstance(step.params, Mapping):
            raise _invalid(
                "A step is Step('name', 'kind/id', ('input', …), {'parameter': value}). "
                f"Got {step!r:.120}."
            )
        if not isinstance(step.use, str) or not _USE.fullmatch(step.use):
            raise _invalid(f"A step uses a method, as 'kind/id'. Got {step.use!r:.80}.")
    try:
        json.dumps([dict(step.params) for step in steps])
        _recipe(steps, places).check()
    except CoterieError as error:
        raise _invalid(str(error)) from error
    except (TypeError, ValueError) as error:
        raise _invalid(f"Parameters of steps must be plain JSON: {error!s:.120}.") from error


def with_prefix(steps: tuple[Step, ...], prefix: str, methods: Collection[str]) -> tuple[Step, ...]:
    """Return steps with the prefix of a plugin before those of its own methods that lack it.

    >>> steps = Step("a", "kernel/own"), Step("b", "kernel/gaussian")
    >>> [step.use for step in with_prefix(steps, "mylab", {"kernel/mylab:own"})]
    ['kernel/mylab:own', 'kernel/gaussian']
    """

    def full(use: str) -> str:
        kind, _, name = use.partition("/")
        own = f"{kind}/{prefix}:{name}"
        return own if own in methods else use

    return tuple(replace(step, use=full(step.use)) for step in steps)


def steps_from_json(values: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Return steps written as JSON."""
    return tuple(Step(**{**value, "of": tuple(value["of"])}) for value in values)


def _invalid(sentence: str) -> PluginError:
    return PluginError(sentence, code="invalid-plugin")
