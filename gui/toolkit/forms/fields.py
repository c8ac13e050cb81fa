"""From a component's JSON Schema to the fields of its form. Knows no Qt.

Reads what pydantic 2 writes: limits, choices, `anyOf` such as number-or-"auto", arrays of numbers,
and the hints that Coterie keeps in `json_schema_extra` (unit, advanced, slider, log).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from coterie.gui.toolkit.forms.values import format_number, same_value, shown_value, word_for

FieldKind = Literal["number", "integer", "boolean", "choice", "text", "numbers", "texts", "json"]

Schema = Mapping[str, Any]

_JSON_NAMES = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
}
LONGEST_SUFFIX = 4  # such as "km²"; "feature units" goes into the hint


@dataclass(frozen=True)
class Limits:
    """Where a number may lie; an open end excludes the limit itself."""

    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False

    def problem(self, value: float) -> str:
        """Return what is wrong with `value`, or nothing."""
        if self.low is not None:
            if self.low_open and value <= self.low:
                return f"must be greater than {format_number(self.low)}"
            if value < self.low:
                return f"must be at least {format_number(self.low)}"
        if self.high is not None:
            if self.high_open and value >= self.high:
                return f"must be less than {format_number(self.high)}"
            if value > self.high:
                return f"must be at most {format_number(self.high)}"
        return ""

    def in_words(self) -> str:
        """Return the limits as half a sentence, or nothing when there are none."""
        parts = []
        if self.low is not None:
            word = "more than" if self.low_open else "at least"
            parts.append(f"{word} {format_number(self.low)}")
        if self.high is not None:
            word = "less than" if self.high_open else "at most"
            parts.append(f"{word} {format_number(self.high)}")
        return ", ".join(parts)


@dataclass(frozen=True)
class FormField:
    """One parameter, as a form shows it.

    Attributes
    ----------
    kind : which editor it needs
    words : values that may stand instead of a number or text, such as "auto" or None
    choices : all allowed values, for kind "choice"
    length : how few and how many entries, for kinds "numbers" and "texts"
    slider : range of the slider beside a number, when the author asked for one
    only_if : other fields, and the values of theirs with which this one has a meaning
    between : what stands between the entries of a list; "; " where entries have commas themselves
    """

    name: str
    kind: FieldKind
    title: str
    default: Any = None
    required: bool = False
    help: str = ""
    unit: str = ""
    advanced: bool = False
    log: bool = False
    slider: tuple[float, float] | None = None
    limits: Limits = Limits()
    words: tuple[Any, ...] = ()
    choices: tuple[Any, ...] = ()
    length: tuple[int, int | None] = (0, None)
    whole: bool = False
    only_if: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    between: str = ","
    schema: Schema = field(default_factory=dict, compare=False)

    def has_meaning(self, values: Mapping[str, Any]) -> bool:
        """Return whether the field matters, given the values of all fields."""
        return all(values.get(name) in allowed for name, allowed in self.only_if.items())

    def problem(self, value: Any) -> str:
        """Return one sentence about what is wrong with `value`, or nothing when it is right."""
        if any(same_value(value, word) for word in self.words):
            return ""
        reason = self._reason(value)
        return f"{self.title} {reason}. Got {shown_value(value)}." if reason else ""

    def _reason(self, value: Any) -> str:
        match self.kind:
            case "number" | "integer":
                return self._number_reason(value, whole=self.kind == "integer")
            case "boolean":
                return "" if isinstance(value, bool) else "must be yes or no"
            case "choice":
                if any(same_value(value, choice) for choice in self.choices):
                    return ""
                return f"must be one of {', '.join(map(word_for, self.choices))}"
            case "text":
                return "" if isinstance(value, str) else "must be text"
            case "numbers" | "texts":
                return self._list_reason(value)
            case "json":
                return ""

    def _number_reason(self, value: Any, *, whole: bool) -> str:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return "must be a whole number" if whole else "must be a number"
        if not math.isfinite(value):
            return "must be finite"
        if whole and value != int(value):
            return "must be a whole number"
        return self.limits.problem(value)

    def _list_reason(self, value: Any) -> str:
        if isinstance(value, str) or not isinstance(value, Sequence):
            return "must be a list"
        fewest, most = self.length
        if len(value) < fewest or (most is not None and len(value) > most):
            if fewest == most:
                return f"must have {fewest} entries"
            return f"must have at least {fewest}" + (f" and at most {most}" if most else "")
        if self.kind == "texts":
            return (
                ""
                if all(isinstance(entry, str) for entry in value)
                else "must be a list of text values"
            )
        reasons = (self._number_reason(entry, whole=self.whole) for entry in value)
        return next((reason for reason in reasons if reason), "")

    def is_default(self, value: Any) -> bool:
        """Return whether `value` is what the method takes when nothing is said."""
        return not self.required and same_value(value, self.default)

    def hint(self) -> str:
        """Return the one line that stands under the field."""
        text = self.help.strip().split("\n", 1)[0]
        text = text.removesuffix(".") if text.count(". ") == 0 else text
        return f"In {self.unit}: {text[:1].lower()}{text[1:]}" if self.unit_beside else text

    @property
    def unit_beside(self) -> bool:
        """Whether the unit is too long to stand in the box, after the number."""
        return len(self.unit) > LONGEST_SUFFIX

    def tooltip(self) -> str:
        """Return all there is to know: the help, the limits, the default."""
        lines = [" ".join(self.help.split())] if self.help else []
        limits = self.limits.in_words()
        if limits:
            lines.append(limits[:1].upper() + limits[1:] + ".")
        if not self.required:
            lines.append(f"Default: {shown_value(self.default)}.")
        return "\n".join(lines)


def fields_of(schema: Schema, defaults: Mapping[str, Any] | None = None) -> tuple[FormField, ...]:
    """Return the fields of an object schema, in the author's order.

    Parameters
    ----------
    defaults : every parameter's default; used where the schema itself names none

    Examples
    --------
    >>> schema = {"properties": {"k": {"type": "integer", "minimum": 1, "default": 3}}}
    >>> fields_of(schema)[0].kind
    'integer'
    """
    definitions = schema.get("$defs", {})
    required = set(schema.get("required", ()))
    fields = []
    for name, raw in schema.get("properties", {}).items():
        entry = _resolved(raw, definitions)
        if entry.get("hidden"):  # what every method of its kind has, and this one no use for
            continue
        known = {**(defaults or {})}
        if "default" in entry:
            known.setdefault(name, entry["default"])
        fields.append(_field(name, entry, definitions, known.get(name), name in required))
    return tuple(fields)


def _field(
    name: str, entry: Schema, definitions: Schema, default: Any, required: bool
) -> FormField:
    options = [_resolved(option, definitions) for option in entry.get("anyOf", (entry,))]
    words: list[Any] = []
    values: list[Schema] = []
    for option in options:
        fixed = _fixed_values(option)
        if fixed is None:
            values.append(option)
        else:
            words.extend(fixed)
    slider = entry.get("slider")
    common: dict[str, Any] = {
        "name": name,
        "title": _title(name, entry.get("title", "")),
        "default": default,
        "required": required,
        "help": entry.get("description", ""),
        "unit": entry.get("unit", ""),
        "advanced": bool(entry.get("advanced", False)),
        "only_if": {str(name): list(values) for name, values in entry.get("only_if", {}).items()},
        "between": ";" if entry.get("between") == ";" else ",",
        "log": bool(entry.get("log", False)),
        "slider": (float(slider[0]), float(slider[1])) if slider else None,
        "schema": entry,
    }
    if not values:
        return FormField(kind="choice", choices=tuple(words), **common)
    if len(values) > 1:
        numeric = {value.get("type") for value in values}
        if numeric != {"number", "integer"}:
            return FormField(kind="json", **common)
        values = [value for value in values if value.get("type") == "number"]
    # On a union pydantic leaves a constraint beside the alternatives, under its own name.
    beside = {_JSON_NAMES[key]: entry[key] for key in _JSON_NAMES if key in entry}
    value = {**beside, **values[0]}
    return FormField(words=tuple(words), **_by_type(value, definitions), **common)


def _by_type(value: Schema, definitions: Schema) -> dict[str, Any]:
    match value.get("type"):
        case "number" | "integer" as kind:
            return {"kind": kind, "limits": _limits(value)}
        case "boolean":
            return {"kind": "boolean"}
        case "string":
            return {"kind": "text"}
        case "array":
            return _array(value, definitions)
        case _:
            return {"kind": "json"}


def _array(value: Schema, definitions: Schema) -> dict[str, Any]:
    entries = value.get("prefixItems") or [value.get("items") or {}]
    entries = [_resolved(entry, definitions) for entry in entries]
    length = (int(value.get("minItems", 0)), value.get("maxItems"))
    types = {entry.get("type") for entry in entries}
    if types <= {"number", "integer"}:
        whole = types == {"integer"}
        return {"kind": "numbers", "limits": _limits(entries[0]), "length": length, "whole": whole}
    if types == {"string"} and not any("enum" in entry for entry in entries):
        return {"kind": "texts", "length": length}
    return {"kind": "json"}


def _limits(value: Schema) -> Limits:
    low, high = value.get("minimum"), value.get("maximum")
    open_low, open_high = value.get("exclusiveMinimum"), value.get("exclusiveMaximum")
    return Limits(
        low=low if open_low is None else open_low,
        high=high if open_high is None else open_high,
        low_open=open_low is not None,
        high_open=open_high is not None,
    )


def _fixed_values(option: Schema) -> tuple[Any, ...] | None:
    """The values an option allows when it is a closed list, else None."""
    if "const" in option:
        return (option["const"],)
    if "enum" in option:
        return tuple(option["enum"])
    if option.get("type") == "null":
        return (None,)
    return None


def _resolved(entry: Schema, definitions: Schema) -> Schema:
    """Follow `$ref` and a lone `allOf`; what stands beside them wins."""
    inner: Schema | None = None
    if "$ref" in entry:
        inner = definitions.get(str(entry["$ref"]).rsplit("/", 1)[-1], {})
    elif len(entry.get("allOf", ())) == 1:
        inner = entry["allOf"][0]
    if inner is None:
        return entry
    own = {key: value for key, value in entry.items() if key not in ("$ref", "allOf")}
    # The title of a shared definition is a class name, which is not for people.
    return {**{k: v for k, v in _resolved(inner, definitions).items() if k != "title"}, **own}


def _title(name: str, title: str) -> str:
    """A readable title: the author's own, or the parameter's name in words."""
    generated = name.replace("_", " ").title()
    if title and title != generated:
        return title
    words = name.replace("_", " ").strip()
    # A lone letter is a symbol of the mathematics, and k is not K.
    return words[:1].upper() + words[1:] if len(words) > 1 else words
