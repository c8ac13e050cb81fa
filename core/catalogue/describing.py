"""Reads and checks what a component says about itself."""

from __future__ import annotations

import inspect
import json
import re
from functools import lru_cache
from typing import Any

from coterie.core.api.components import SIDE_EFFECTS, Component, Sample
from coterie.core.api.curves import curves_of
from coterie.core.api.kinds import KINDS
from coterie.core.api.parameters import Params, parse_params
from coterie.core.api.templates import check_steps
from coterie.core.catalogue.descriptors import Descriptor, Need
from coterie.core.errors import PluginError, in_words
from coterie.core.model.result_types import RESULT_TYPES

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def describe(
    kind: str, component: Any, prefix: str = "", origin: str = "", fingerprint: str = ""
) -> Descriptor:
    """Return the descriptor of a component class, or say what it does wrong."""
    if kind not in KINDS:
        bases = ", ".join(known.base.__name__ for known in KINDS.values())
        raise PluginError(
            f"It must derive from one of {bases}. Its kind is {kind!r:.80}.", code="invalid-plugin"
        )
    base: type[Component] = KINDS[kind].base
    if not (inspect.isclass(component) and issubclass(component, base)):
        raise PluginError(
            f"It must be a subclass of {base.__name__}. Got {component!r:.80}.",
            code="invalid-plugin",
        )
    identifier, title = getattr(component, "id", None), getattr(component, "title", None)
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier):
        raise PluginError(
            f"Its id must be lower-case words joined by '-'. Got {identifier!r}.",
            code="invalid-plugin",
        )
    if not isinstance(title, str) or not title.strip():
        raise PluginError(
            f"Its title must be a few words for menus. Got {title!r}.", code="invalid-plugin"
        )
    if inspect.isabstract(component):
        lacking = "make(self, *" if issubclass(component, Sample) else "compute(self, *inputs"
        raise PluginError(
            f"It does not implement {lacking}, params, context).", code="invalid-plugin"
        )
    if issubclass(component, Sample) and component.recipe != ():
        check_steps(component.recipe, ("data",))
    _check_inputs(component, base)
    _check_waivers(component)
    _check_texts(component)
    _check_proposals(component)
    schema, defaults = _schema(component)
    return Descriptor(
        kind=kind,
        id=f"{prefix}:{identifier}" if prefix else identifier,
        title=title,
        summary=component.summary(),
        description=inspect.getdoc(component) or "",
        version=component.version,
        reference=component.reference,
        origin=origin,
        fingerprint=fingerprint,
        params=schema,
        defaults=defaults,
        needs=component.needs,
        gives=component.gives,
        extensions=tuple(getattr(component, "extensions", ())),
        default_for=getattr(component, "default_for", None),
        curves=curves_of(component.curves),
        interruptible=component.interruptible,
        draws=tuple(getattr(component, "draws", ())),
        sample=issubclass(component, Sample),
        recipe=getattr(component, "recipe", ()),
        proposes=tuple(getattr(component, "proposes", ())),
    )


def _check_inputs(component: type[Component], base: type[Component]) -> None:
    """Refuse inputs that do not exist, and a `compute` that cannot be called."""
    needs: Any = component.needs
    if not isinstance(needs, tuple):
        raise PluginError(
            f"Its needs must be a tuple of texts. Got {needs!r:.80}.", code="invalid-plugin"
        )
    types = {*RESULT_TYPES, "any", "path"}
    for text in needs:
        if not isinstance(text, str) or set(Need.parse(text).accepts) - types:
            known = ", ".join(sorted(types))
            raise PluginError(
                f"It needs {text!r:.80}, but inputs are: {known}.", code="invalid-plugin"
            )
    if (component.kind, component.gives) != (base.kind, base.gives):
        raise PluginError(
            f"A {base.kind} gives {base.gives}. Got {component.gives!r:.80}.", code="invalid-plugin"
        )
    if "path" in base.needs and needs[len(base.needs) - 1 :] != ("path",):
        raise PluginError(
            f"A {base.kind} needs a path where the file is: expected needs = {base.needs!r}, or "
            f"another type in place of 'any'. Got {needs!r:.80}.",
            code="invalid-plugin",
        )
    parameters = inspect.signature(component.compute).parameters
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        return
    for name in ("params", "context"):
        if name not in parameters or parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY:
            raise PluginError(
                f"Its compute must take '{name}' by keyword: "
                "compute(self, *inputs, params, context).",
                code="invalid-plugin",
            )


def _check_waivers(component: type[Component]) -> None:
    effects: Any = component.side_effects
    if not isinstance(effects, tuple) or set(effects) - SIDE_EFFECTS:
        known = ", ".join(map(repr, sorted(SIDE_EFFECTS)))
        raise PluginError(
            f"Its side_effects must be a tuple of some of {known}. Got {effects!r:.80}.",
            code="invalid-plugin",
        )
    for name in ("interruptible", "warms_up"):
        if not isinstance(getattr(component, name), bool):
            raise PluginError(
                f"Its {name} must be True or False. Got {getattr(component, name)!r:.80}.",
                code="invalid-plugin",
            )


def _check_proposals(component: type[Component]) -> None:
    """Refuse proposals that the automatic answer could not ask for."""
    proposes: Any = getattr(component, "proposes", ())
    if not isinstance(proposes, tuple) or not all(isinstance(one, dict) for one in proposes):
        raise PluginError(
            f"Its proposes must be a tuple of parameters, each a dict. Got {proposes!r:.80}.",
            code="invalid-plugin",
        )
    if not proposes:
        return
    required = [text for text in component.needs if not text.endswith("?")]
    if len(required) != 1 or not {"dataset", "affinity"} & set(Need.parse(required[0]).accepts):
        raise PluginError(
            "A clusterer that proposes groups must need one dataset or one affinity, and nothing "
            f"else. It needs {', '.join(component.needs)}.",
            code="invalid-plugin",
        )
    for params in proposes:
        parse_params(component.Params, params, component.id)


def _check_texts(component: type[Component]) -> None:
    for name in ("version", "reference"):
        value = getattr(component, name)
        if not isinstance(value, str):
            raise PluginError(
                f"Its {name} must be a text. Got {value!r:.80}.", code="invalid-plugin"
            )
    for name, endings in (
        ("extensions", getattr(component, "extensions", ())),
        ("default_for", getattr(component, "default_for", None) or ()),
        ("draws", getattr(component, "draws", ())),
    ):
        if not isinstance(endings, tuple) or not all(isinstance(end, str) for end in endings):
            raise PluginError(
                f"Its {name} must be a tuple of texts. Got {endings!r:.80}.", code="invalid-plugin"
            )


def _schema(component: type[Component]) -> tuple[dict[str, Any], dict[str, Any]]:
    params: Any = component.Params
    if not (inspect.isclass(params) and issubclass(params, Params)):
        raise PluginError(
            f"Its Params must derive from {component.kind.title()}.Params.", code="invalid-plugin"
        )
    name = f"{component.kind}/{component.id}"
    try:
        schema = json.loads(_schema_text(params))
        defaults = parse_params(params, {}, name).as_json()
        parse_params(params, defaults, name)  # pydantic itself does not look at defaults
    except Exception as error:
        raise PluginError(
            f"Its Params have no valid schema and defaults. {in_words(error)}",
            code="invalid-plugin",
        ) from error
    return schema, defaults


@lru_cache(maxsize=1024)
def _schema_text(params: type[Params]) -> str:
    """The schema of one class is always the same, and most of the work of describing it.

    It is kept for those who load plugins several times in one process, as scripts and tests do.
    """
    return json.dumps(params.model_json_schema())
