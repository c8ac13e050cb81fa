"""A setting of a reader that was guessed from the file or chosen, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from coterie.core.formats.files.delimited import DELIMITERS
from coterie.gui.toolkit.forms.values import shown_value

CAPTIONS = {
    "delimiter": "Delimiter",
    "decimal": "Decimals",
    "thousands": "Thousands",
    "encoding": "Encoding",
    "header": "First line",
    "missing": "Missing",
    "text": "Texts",
    "truth": "Labels",
    "items": "Names",
}
ABOUT_NUMBERS = ("decimal", "thousands", "missing")  # irrelevant where texts are read
_IN_WORDS: dict[str, dict[Any, str]] = {
    "delimiter": {
        ",": "comma ,",
        ";": "semicolon ;",
        "tab": "tab",
        "|": "bar |",
        "space": "space",
    },
    "decimal": {".": "point .", ",": "comma ,"},
    "thousands": {
        "none": "no mark",
        ",": "comma ,",
        ".": "point .",
        "space": "space",
        "'": "apostrophe '",
    },
    "header": {True: "names", False: "values", "yes": "names", "no": "values"},
    "missing": {"": "empty"},
    "truth": {"": "none"},
    "items": {"": "none"},
}


@dataclass(frozen=True)
class DetectedSetting:
    """One thing that was found out about the file, or that the person has set."""

    name: str
    caption: str
    value: str
    guessed: bool

    @property
    def sentence(self) -> str:
        """All of it in words."""
        return f"{self.caption}: {self.value} — {'guessed' if self.guessed else 'as set'}"


def in_words(name: str, value: Any) -> str:
    """Return the value of a setting as a person would say it."""
    if name == "delimiter":  # the readers give the character itself
        value = next((word for word, mark in DELIMITERS.items() if mark == value), value)
    known = _IN_WORDS.get(name, {})
    return known[value] if value in known else shown_value(value)
