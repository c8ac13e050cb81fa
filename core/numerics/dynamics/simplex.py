"""Points of the standard simplex: populations whose shares are ≥ 0 and sum to one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.ties import drop_rounding

Mask = NDArray[np.bool_]


def barycentre(n: int, players: Mask | None = None) -> Floats:
    """Return the population in which all `players` (by default all n) have the same share.

    >>> barycentre(4, np.array([True, False, True, False])).tolist()
    [0.5, 0.0, 0.5, 0.0]
    """
    x = np.ones(n) if players is None else players.astype(np.float64)
    x /= x.sum()
    return x


def vertex(n: int, i: int) -> Floats:
    """Return the population of strategy `i` alone.

    >>> vertex(3, 1).tolist()
    [0.0, 1.0, 0.0]
    """
    x = np.zeros(n)
    x[i] = 1.0
    return x


def random_point(n: int, rng: np.random.Generator, players: Mask | None = None) -> Floats:
    """Return a population drawn uniformly from the simplex of the `players`.

    >>> x = random_point(5, np.random.default_rng(0))
    >>> bool(np.isclose(x.sum(), 1) and (x > 0).all())
    True
    """
    x = np.asarray(rng.standard_exponential(n))
    if players is not None:
        x *= players
    x /= x.sum()
    return x


def best_reply(payoffs: Floats, players: Mask | None = None) -> int:
    """Return the player with the largest payoff; the first of those equal up to rounding.

    >>> best_reply(np.array([3.0, 2.0, 1.0]), np.array([False, True, True]))
    1
    """
    if players is not None:
        payoffs = np.where(players, payoffs, -np.inf)
    return int(np.argmax(drop_rounding(payoffs)))


def project(point: Floats) -> Floats:
    """Return the population nearest to any `point`, by Euclidean distance, in O(n log n).

    References
    ----------
    Held, Wolfe, Crowder (1974). Validation of subgradient optimization. Mathematical
    Programming 6.

    >>> project(np.array([0.9, 0.5, -3.0])).round(3).tolist()
    [0.7, 0.3, 0.0]
    """
    # What is subtracted from all is at least the largest less one: nothing below that counts.
    near = point[point > point.max() - 1.0]
    near[::-1].sort()
    surplus = near.cumsum() - 1.0
    counts = np.arange(1, len(near) + 1)
    last = int((near * counts > surplus).nonzero()[0][-1])
    nearest: Floats = np.maximum(point - surplus[last] / (last + 1), 0.0)
    return nearest


def in_support(x: Floats, threshold: float = 0.0) -> Mask:
    """Return which shares exceed `threshold` × the largest share."""
    return np.asarray(x > threshold * x.max())


def support(x: Floats, threshold: float = 0.0) -> Ints:
    """Return the positions of the shares above `threshold` × the largest share.

    >>> support(np.array([0.7, 0.0, 0.3, 1e-9]), threshold=1e-5).tolist()
    [0, 2]
    """
    return np.flatnonzero(in_support(x, threshold))


def nash_gap(x: Floats, payoffs: Floats, players: Mask | None = None) -> float:
    """Return max_i (A x)_i − xᵀA x: what the best pure strategy would gain; ≤ 0 never matters.

    >>> nash_gap(np.array([0.5, 0.5, 0.0]), np.array([0.5, 0.5, 0.8]))
    0.30000000000000004
    """
    best = payoffs.max() if players is None else payoffs[players].max()
    return max(0.0, float(best - x @ payoffs))


def support_deviation(x: Floats, payoffs: Floats, threshold: float = 0.0) -> float:
    """Return max |(A x)_i − xᵀA x| over the support: zero when all members do equally well.

    >>> support_deviation(np.array([0.5, 0.5, 0.0]), np.array([0.25, 0.75, 9.0]))
    0.25
    """
    members = in_support(x, threshold)
    return float(np.abs(payoffs[members] - x @ payoffs).max())


def residual(x: Floats, payoffs: Floats) -> float:
    """Return ‖min(x, xᵀA x − A x)‖: zero exactly at the equilibria (the KKT conditions).

    >>> A = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> x = np.array([0.5, 0.5])
    >>> residual(x, A @ x)
    0.0
    """
    slack: Any = np.minimum(x, x @ payoffs - payoffs)
    return float(np.linalg.norm(slack))
