"""How parameter values compare, and how they read."""

from __future__ import annotations

import json
import math
from typing import Any


def same_value(one: Any, other: Any) -> bool:
    """Return whether two parameter values mean the same; 1 and 1.0 do, 1 and True do not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    return bool(one == other)


def format_number(value: float) -> str:
    """Return the shortest text that reads back as `value`: "0.25", "150", "1e-08" as "1e-8"."""
    if not math.isfinite(value):
        return str(value)
    if isinstance(value, int) or (value == int(value) and abs(value) < 1e7):
        return str(int(value))
    text = repr(float(value))
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    if abs(value) < 1e-3:
        digits = f"{value:.16e}".split("e")
        mantissa = repr(float(value) / 10.0 ** int(digits[1]))
        short = f"{float(mantissa):.12g}e{int(digits[1])}"
        return short if float(short) == value else text
    return text


def word_for(value: Any) -> str:
    """Return how a choice is called: None is "none", True is "yes"."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return format_number(value)
    return str(value)


def shown_value(value: Any) -> str:
    """Return a value as a sentence shows it."""
    if value is None or isinstance(value, bool | int | float):
        return word_for(value)
    if isinstance(value, str):
        return value or "empty"
    if isinstance(value, list | tuple):
        return ", ".join(map(shown_value, value)) or "an empty list"
    return json.dumps(value)
