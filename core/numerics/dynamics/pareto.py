"""Several goals at once: how they are weighed, and what is best by some weighing."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Floats

MOST_WEIGHTS = 1000  # combinations of weights; each is a search of its own


def weight_grid(count: int, steps: int) -> Floats:
    """Return all `count` weights that sum to one and are multiples of 1 / steps, one row each.

    >>> weight_grid(2, 2).tolist()
    [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
    """
    total = comb(steps + count - 1, count - 1)
    if total > MOST_WEIGHTS:
        raise ParameterError(
            f"{steps} steps make {total} weightings of {count} affinities, each a separate search. "
            f"Choose fewer steps, for at most {MOST_WEIGHTS} weightings.",
            code="too-many-runs",
        )
    # Stars and bars: the gaps between count − 1 bars among steps + count − 1 places.
    bars = list(combinations(range(steps + count - 1), count - 1))
    edges = np.array([[-1, *places, steps + count - 1] for places in bars], dtype=np.float64)
    return (np.diff(edges, axis=1) - 1) / steps


def non_dominated(payoffs: Floats) -> NDArray[np.bool_]:
    """Return which rows no other row beats: at least as good everywhere and better somewhere.

    >>> non_dominated(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [1.0, 0.0]])).tolist()
    [True, True, False, True]
    """
    as_good: NDArray[np.bool_] = np.all(payoffs[None] >= payoffs[:, None], axis=2)
    better: NDArray[np.bool_] = np.any(payoffs[None] > payoffs[:, None], axis=2)
    return np.asarray(~np.any(as_good & better, axis=1))
