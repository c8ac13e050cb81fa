"""The plain parts of an artefact, which every store writes and reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from coterie.core.model.arrays import Array


@dataclass(frozen=True)
class Encoded:
    """An artefact as plain parts, ready to be written anywhere."""

    type: str
    version: int
    meta: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    strings: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays and strings."""
        texts = sum(len(text) for values in self.strings.values() for text in values)
        return sum(int(array.nbytes) for array in self.arrays.values()) + texts
