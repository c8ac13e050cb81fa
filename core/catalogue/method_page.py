"""The page of a method: in the reference, and offline in the window."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from coterie.core.catalogue.descriptors import Descriptor

NOT_INTERRUPTIBLE = (
    "It cannot be stopped midway: cancelling ends the engine after two seconds and starts a new "
    "one."
)
_LIMITS = {"exclusiveMinimum": "> ", "minimum": "≥ ", "exclusiveMaximum": "< ", "maximum": "≤ "}
_TYPES = {"number": "number", "integer": "whole number", "boolean": "true or false"}
_TYPES |= {"array": "list", "string": "text", "object": "table"}


@cache
def when_to_use() -> Mapping[str, str]:
    """Return when each built-in method is to be used, by "kind/id"."""
    text = (Path(__file__).parent / "when.toml").read_text(encoding="utf-8")
    return {
        f"{kind}/{name}": said
        for kind, entries in tomllib.loads(text).items()
        for name, said in entries.items()
    }


def method_page(method: Descriptor, picture: str = "") -> str:
    """Return the section of a method as Markdown.

    Parameters
    ----------
    picture : address of a picture of it; empty for none
    """
    said = [f"## {method.id}", "", f"**{method.title}.** {escape(method.summary)}", ""]
    more = method.description.removeprefix(method.summary).strip()
    if more:
        said += [escape(more), ""]
    if when := when_to_use().get(method.name, ""):
        said += [f"*When to use it.* {when}", ""]
    if picture:
        said += [f"![{method.title} on a sample]({picture})", ""]
    needs = ", ".join(method.needs) or "nothing"
    said += [f"`{method.name}` · works on {needs} · gives {method.gives}"]
    if method.extensions:
        said += [f"· files {', '.join(f'`{ending}`' for ending in method.extensions)}"]
    said += [""]
    if not method.interruptible:
        said += [NOT_INTERRUPTIBLE, ""]
    properties: dict[str, Any] = method.params.get("properties", {})
    if properties:
        said += ["| parameter | default | allowed | meaning |", "|---|---|---|---|"]
        said += [_row(method, name, schema) for name, schema in properties.items()]
        said += [""]
    else:
        said += ["It has no parameters.", ""]
    curves = [curve for curve in method.curves if curve.title and curve.description]
    if curves:
        said += ["| curve while it runs | meaning |", "|---|---|"]
        said += [f"| {cell(curve.label)} | {cell(curve.description)} |" for curve in curves]
        said += [""]
    if method.reference:
        said += [f"Reference: {escape(method.reference)}", ""]
    return "\n".join(said)


def _row(method: Descriptor, name: str, schema: dict[str, Any]) -> str:
    default = method.defaults.get(name)
    shown = "" if default is None else f"`{json.dumps(default, ensure_ascii=False)}`"
    meaning = cell(str(schema.get("description", "")))
    return f"| `{name}` | {cell(shown)} | {cell(allowed(schema))} | {meaning} |"


def allowed(schema: dict[str, Any]) -> str:
    """Return in words what a parameter takes.

    >>> allowed({"type": "number", "exclusiveMinimum": 0, "maximum": 1})
    'number > 0, ≤ 1'
    """
    if "enum" in schema:
        return ", ".join(f"`{choice}`" for choice in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "anyOf" in schema:
        return " or ".join(filter(None, map(allowed, schema["anyOf"])))
    kind = _TYPES.get(schema.get("type", ""), "" if schema.get("type") == "null" else "any")
    limits = ", ".join(f"{sign}{schema[word]}" for word, sign in _LIMITS.items() if word in schema)
    unit = f"[{schema['unit']}]" if "unit" in schema else ""
    return " ".join(filter(None, [kind, limits, unit]))


def escape(text: str) -> str:
    """Keep what mathematics writes from being read as Markdown."""
    outside = text.split("`")
    outside[::2] = [
        part.replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_") for part in outside[::2]
    ]
    return "`".join(outside)


def cell(text: str) -> str:
    """Return a text as a cell of a table in Markdown."""
    return escape(text).replace("|", "\\|").replace("\n", " ")
