"""What is known of a result without its arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Held:
    """What is known of a result without its arrays.

    Attributes
    ----------
    dataset : key of the data that it is about
    kind : of data, such as "table"
    """

    type: str
    nbytes: int
    shape: tuple[int, ...] = ()
    dataset: str | None = None
    kind: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """What it took to compute it; without end where nobody noted that."""
        found = self.provenance.get("seconds")
        return float(found) if isinstance(found, int | float) else float("inf")
