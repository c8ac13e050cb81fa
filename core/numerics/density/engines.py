"""What the clusterers that leave items out have in common: their remarks, and quiet engines."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.partitions.groups import by_size


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
