"""How a result came about, in a project file: values of unexpected types are left out.

Reports, cards and scripts look into it without further checks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_names(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_duration(value: object) -> bool:
    # A whole number of many digits is not a float either.
    return isinstance(value, float | int) and abs(value) < 1e15 and math.isfinite(value)


_DECLARED: dict[str, Callable[[object], bool]] = {
    "component": _is_text,
    "title": _is_text,
    "params": _is_table,
    "inputs": _is_texts,
    "parts": _is_names,
    "companions": _is_table,
    "libraries": _is_names,
    "seed": _is_whole,
    "seconds": _is_duration,
}


def sound(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what has the type that it should have; other programs may have added more.

    >>> sound({"seconds": 2.5, "inputs": None, "libraries": {"numpy": 2}, "mine": [1]})
    {'seconds': 2.5, 'mine': [1]}
    """
    return {name: value for name, value in found.items() if _DECLARED.get(name, _anything)(value)}


def unsound(found: Mapping[str, Any]) -> list[str]:
    """Return the names of what `sound` leaves out."""
    return sorted(found.keys() - sound(found).keys())


def _anything(_value: object) -> bool:
    return True
