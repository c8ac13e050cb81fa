"""Parameters whose choices are in the data: columns, categories, groups or items.

A parameter asks for them by `json_schema_extra={"choices": "columns"}`. The form offers what the
inputs have, and the engine refuses anything else before the method runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from coterie.core.errors import ParameterError
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering

SOURCES = {
    "columns": "column",
    "categories": "column of categories",
    "groups": "group",
    "items": "item",
}
"""What a parameter may choose among, and what one of them is called."""

MOST_OFFERED = 500  # in a menu
_MOST_NAMED = 8  # in a sentence


def asked_choices(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters that choose among what the data have, and among what.

    >>> asked_choices({"properties": {"by": {"choices": "columns"}, "k": {}}})
    {'by': 'columns'}
    """
    properties = schema.get("properties", {})
    asked = {name: entry.get("choices") for name, entry in properties.items()}
    return {name: source for name, source in asked.items() if source in SOURCES}


def choices_in(source: str, inputs: Sequence[Any]) -> tuple[str, ...] | None:
    """Return what the inputs of a step have of "columns", "categories", "groups" or "items".

    None where no input can say. Of several inputs the first that can counts.
    """
    for noun in inputs:
        found = _found(source, noun)
        if found is not None:
            return tuple(found)
    return None


def check_choices(
    schema: Mapping[str, Any], values: Mapping[str, Any], inputs: Sequence[Any], of: str
) -> None:
    """Raise a clear error when a parameter names what the inputs do not have.

    An empty text, None and an empty list choose nothing, and are left to the method.
    """
    for name, source in asked_choices(schema).items():
        known = choices_in(source, inputs)
        if known is None:
            continue
        for value in _texts(values.get(name)):
            if value not in known:
                raise ParameterError(
                    _sentence(name, of, SOURCES[source], value, known), code="unknown-choice"
                )


def _found(source: str, noun: Any) -> Sequence[str] | None:
    data = noun if isinstance(noun, Dataset) else getattr(noun, "dataset", None)
    match source:
        case "groups":
            return noun.group_names if isinstance(noun, Clustering) else None
        case "columns" if data is not None and (data.columns or data.table):
            return list(dict.fromkeys([*data.columns, *(column.name for column in data.table)]))
        case "categories" if data is not None:
            return [c.name for c in data.table if c.type in ("category", "ordered")]
        case "items" if data is not None:
            return list(data.item_names)
    return None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if value else []
    elif isinstance(value, list | tuple):
        yield from (entry for entry in value if isinstance(entry, str))


def _sentence(name: str, of: str, word: str, value: str, known: Sequence[str]) -> str:
    near = get_close_matches(value, known, n=3, cutoff=0.7)
    advice = f"Did you mean {' or '.join(repr(one) for one in near)}?" if near else ""
    if not near:
        shown = ", ".join(known[:_MOST_NAMED]) + (", …" if len(known) > _MOST_NAMED else "")
        advice = f"There are: {shown}." if known else "There are none."
    return f"Parameter '{name}' of {of}: there is no {word} '{value:.80}'. {advice}"
