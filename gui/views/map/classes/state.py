"""Groups named, coloured and merged into classes; kept in the project's view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Ints
from coterie.core.numerics.drawing.palette import Bytes, group_colour, rgb
from coterie.projects.recipe.edits import CLASSES

# In session.view: step → {"names": {group: class}, "colours": {class: "#rrggbb"}}
KEPT = CLASSES


@dataclass(frozen=True)
class Class:
    """One class of the map: its groups, by number."""

    name: str
    colour: str
    groups: tuple[int, ...]


class Classes:
    """What a person made of the groups of one clustering.

    Parameters
    ----------
    groups : what the groups are called to begin with
    kept : as stored for this clustering, from anywhere: what does not fit is passed over
    """

    def __init__(self, groups: tuple[str, ...], kept: Any = None) -> None:
        self.groups = groups
        self._names = dict(enumerate(groups))
        self._colours: dict[str, str] = {}
        if isinstance(kept, Mapping):
            self._take(kept)

    def _take(self, kept: Mapping[str, Any]) -> None:
        names, colours = kept.get("names"), kept.get("colours")
        for group, name in names.items() if isinstance(names, Mapping) else ():
            if str(group).isdigit() and int(group) in self._names and _sound(name):
                self._names[int(group)] = str(name)
        for name, colour in colours.items() if isinstance(colours, Mapping) else ():
            if isinstance(colour, str) and len(colour) == 7 and _is_colour(colour):
                self._colours[str(name)] = colour

    def as_json(self) -> dict[str, Any]:
        """Return what differs from how it was to begin with."""
        names = {str(g): n for g, n in self._names.items() if n != self.groups[g]}
        used = set(self._names.values())
        return {"names": names, "colours": {n: c for n, c in self._colours.items() if n in used}}

    @property
    def changed(self) -> bool:
        """Whether a person named, merged or coloured anything."""
        kept = self.as_json()
        return bool(kept["names"] or kept["colours"])

    def name_of(self, group: int) -> str:
        """Return the class of a group."""
        return self._names.get(group, "unassigned")

    def rename(self, group: int, name: str) -> None:
        """Put a group into the class of that name, which may have others already."""
        cleaned = " ".join(name.replace("=", " ").replace(",", " ").split())
        self._names[group] = cleaned or self.groups[group]

    def merge(self, groups: tuple[int, ...], name: str) -> None:
        """Make some groups one class."""
        for group in groups:
            self.rename(group, name)

    def recolour(self, name: str, colour: str) -> None:
        """Give a class another colour."""
        self._colours[name] = colour.lower()

    def reset(self) -> None:
        """Make every group a class of its own again."""
        self._names, self._colours = dict(enumerate(self.groups)), {}

    def listed(self, *, dark: bool) -> tuple[Class, ...]:
        """Return the classes in the order of their first groups."""
        members: dict[str, list[int]] = {}
        for group, name in self._names.items():
            members.setdefault(name, []).append(group)
        return tuple(
            Class(name, self._colours.get(name) or group_colour(groups[0], dark=dark), (*groups,))
            for name, groups in members.items()
        )

    def of_labels(self, labels: Array) -> Ints:
        """Return the class of each item, −1 for those in no group."""
        table = np.full(len(self.groups) + 1, -1, dtype=np.int64)
        for number, found in enumerate(self.listed(dark=False)):
            table[list(found.groups)] = number
        known = np.where(np.asarray(labels) < len(self.groups), labels, -1)
        return np.asarray(table[known])

    def colours(self, *, dark: bool) -> Bytes:
        """Return (classes, 3) bytes."""
        listed = self.listed(dark=dark)
        if not listed:
            return np.zeros((0, 3), dtype=np.uint8)
        return np.stack([rgb(found.colour) for found in listed])

    def merge_texts(self) -> tuple[str, ...]:
        """Return the classes as `core.rasters.classes.class_table` takes them."""
        return tuple(
            f"{found.name} = {', '.join(map(str, found.groups))}"
            for found in self.listed(dark=False)
        )


def _sound(name: Any) -> bool:
    return isinstance(name, str) and bool(name.strip()) and not set("=,") & set(name)


def _is_colour(text: str) -> bool:
    return text.startswith("#") and all(c in "0123456789abcdefABCDEF" for c in text[1:])
