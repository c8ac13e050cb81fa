"""Several goals at once: how they are weighed, and what is best by some weighing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.errors import ParameterError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics.game import Game

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


def weighted_sum(games: Sequence[Game], weights: Floats) -> Affinity:
    """Return Σ w_m A_m with zero diagonals, each A_m in units of its largest entry."""
    used = [(game, float(w)) for game, w in zip(games, weights, strict=True) if w]
    affinities = [game.affinity for game, _ in used]
    shared: dict[str, Any] = {
        "symmetric": all(one.symmetric for one in affinities),
        "nonnegative": all(one.nonnegative for one in affinities),
    }
    if all(one.factor is not None for one in affinities):
        parts = [np.sqrt(w / game.scale) * np.asarray(game.affinity.factor) for game, w in used]
        return Affinity(factor=np.hstack(parts), **shared)
    if all(one.sparse is not None for one in affinities):
        total: Any = sum(_in_units(game, w) for game, w in used)
        return Affinity(sparse=total.tocsr(), **shared)
    values = np.zeros((games[0].n, games[0].n))
    for game, w in used:
        values += w * (game.affinity.to_dense() / game.scale)
    np.fill_diagonal(values, 0.0)
    return Affinity(values=values, **shared)


def _in_units(game: Game, weight: float) -> Any:
    part: Any = game.affinity.stored.copy()
    # Divided, not multiplied by 1 / scale: that of the smallest numbers is infinite.
    part.data = weight * (part.data / game.scale)
    return part
