"""Selections saved under a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Ints

SELECTIONS = "selections"  # where a project's view holds them


@dataclass(frozen=True)
class NamedSelection:
    """Positions of items, ascending, among `n`."""

    items: tuple[int, ...]
    n: int

    @property
    def index(self) -> Ints:
        """The positions as an array."""
        return np.array(self.items, dtype=np.int64)


@dataclass(frozen=True)
class NamedSelections:
    """All of a project, in the order in which they were saved. Edits return new ones.

    Examples
    --------
    >>> kept = NamedSelections().with_one("odd", [1, 3], 5)
    >>> kept["odd"].items
    (1, 3)
    >>> kept.renamed("odd", "strange").names
    ('strange',)
    """

    entries: Mapping[str, NamedSelection] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names."""
        return tuple(self.entries)

    def __getitem__(self, name: str) -> NamedSelection:
        try:
            return self.entries[name]
        except KeyError:
            raise DataError(f"Unknown selection '{name}'.", code="unknown-selection") from None

    def with_one(self, name: str, items: Iterable[int], n: int) -> NamedSelections:
        """Return them with one more, or with another of that name."""
        name = name.strip()
        if not name:
            raise DataError("A selection needs a name. Type one or two words.", code="invalid-name")
        positions = tuple(sorted({int(item) for item in items}))
        if not positions:
            raise DataError(
                "Nothing is selected. Select some items in any view first.", code="nothing-selected"
            )
        if positions[0] < 0 or positions[-1] >= n:
            raise DataError(
                f"A selection from {n} items must have positions from 0 to {n - 1}.",
                code="items-mismatch",
            )
        return NamedSelections({**self.entries, name: NamedSelection(positions, n)})

    def without(self, name: str) -> NamedSelections:
        """Return them without one."""
        return NamedSelections({k: v for k, v in self.entries.items() if k != self._known(name)})

    def renamed(self, name: str, new: str) -> NamedSelections:
        """Return them with another name for one, in its place."""
        new = new.strip()
        if not new or (new != name and new in self.entries):
            raise DataError(
                f"The name '{new}' is empty or already used. Choose another.", code="invalid-name"
            )
        self._known(name)
        return NamedSelections({new if k == name else k: v for k, v in self.entries.items()})

    def free_name(self, wanted: str = "selection") -> str:
        """Return a name that is not taken."""
        number = 1
        while f"{wanted} {number}" in self.entries:
            number += 1
        return f"{wanted} {number}"

    def as_json(self) -> dict[str, Any]:
        """Return them as they stand in a project file."""
        return {name: {"n": one.n, "items": list(one.items)} for name, one in self.entries.items()}

    @classmethod
    def from_json(cls, value: Any) -> NamedSelections:
        """Build them again from `as_json`; what is damaged is left out."""
        kept = cls()
        if not isinstance(value, Mapping):
            return kept
        for name, entry in value.items():
            try:
                kept = kept.with_one(str(name), entry["items"], int(entry["n"]))
            except (DataError, KeyError, TypeError, ValueError, OverflowError):
                continue
        return kept

    def _known(self, name: str) -> str:
        _ = self[name]
        return name
