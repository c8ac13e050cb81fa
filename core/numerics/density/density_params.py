"""What density methods share: their parameters, remarks, and libraries kept quiet."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np

from coterie.core.api.components import Cost
from coterie.core.api.parameters import Field, Params
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.partitions.groups import by_size


class SizeParams(Params):
    """How large a group must be."""

    min_size: int = Field(
        0,
        ge=0,
        description="Least number of items in a group; 0: the square root of the number of "
        "items, at least 5.",
        json_schema_extra={"slider": [0, 100]},
    )

    def least_size(self, n: int) -> int:
        """Return the least number of items in a group of n items."""
        return max(2, self.min_size) if self.min_size else max(5, round(n**0.5))


class TreeParams(SizeParams):
    """How large a group must be, and how the density of a density tree is measured."""

    min_samples: int = Field(
        5,
        ge=1,
        description="Number of items, including itself, within the distance that measures "
        "the density at an item.",
        json_schema_extra={"slider": [1, 50]},
    )
    metric: Literal["euclidean", "cosine"] = Field(
        "euclidean",
        description="Euclidean distance, or the angle between items, for word counts.",
        json_schema_extra={"advanced": True},
    )

    def cost(self, n: int, d: int) -> Cost:
        """Neighbours, and some arrays over the tree."""
        k = max(15, self.min_samples)
        return Cost(
            bytes=n * (120 * k + 24 * d + 800) + (64 << 20),
            seconds=1e-5 * n + min(n * n, 20_000 * n) * (4e-11 * d + 4e-9),
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the warnings of a library call back: what matters is said in the result's notes."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def density_result(labels: Ints) -> dict[str, Any]:
    """Return labels from the largest group, and notes and details about groups and noise.

    >>> density_result(np.array([3, -1, 3]))["notes"]
    ('In no group: 1 of 3 items.',)
    """
    labels = by_size(np.asarray(labels, dtype=np.int64))
    k = int(labels.max(initial=-1)) + 1
    left = int((labels < 0).sum())
    notes = []
    if k == 0:
        notes.append("No groups were found: all items are in no group.")
    elif left:
        notes.append(f"In no group: {left} of {len(labels)} items.")
    return {"labels": labels, "notes": tuple(notes), "details": {"k": k, "unassigned": left}}


def knee(values: Floats) -> float:
    """Return the value where a rising curve bends most: farthest below the line of its ends.

    >>> knee(np.array([1.0, 1.1, 1.2, 1.3, 5.0]))
    1.3
    """
    rising = np.sort(values)
    low, high = float(rising[0]), float(rising[-1])
    if not high > low:
        return high
    along = np.linspace(0.0, 1.0, len(rising))
    return float(rising[np.argmax(along - (rising - low) / (high - low))])
