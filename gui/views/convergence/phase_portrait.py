"""Where replicator dynamics lead if there were only three strategies: paths and points of rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from coterie.core.model.arrays import Array, Floats
from coterie.gui.views.convergence.simplex_path import in_triangle

_STEP = 0.012  # of the side of the triangle, between two points of a path
_MOST_STEPS = 220
_STILL = 1e-7  # of the largest payoff: slower than this a population rests
_INSIDE = 1e-9
_STARTS = 6  # rows of starts in the triangle


@dataclass(frozen=True, eq=False)
class PhasePortrait:
    """What the game of three strategies looks like.

    Attributes
    ----------
    paths : places (t, 2) in the triangle from each start
    rests : (m, 2) places at which the population stays
    stable : (m,) whether a population near it comes back
    """

    paths: tuple[Array, ...]
    rests: Array
    stable: Array


def phase_portrait(payoffs: Floats) -> PhasePortrait:
    """Return the portrait of ẋ = x∘(Ax − xᵀAx) on the triangle of three strategies.

    Discrete replicator dynamics move in the same directions, by other distances.

    Parameters
    ----------
    payoffs : (3, 3) what the row's strategy earns from the column's

    >>> found = phase_portrait(np.ones((3, 3)) - np.eye(3))
    >>> found.rests[found.stable].round(3).tolist()
    [[0.5, 0.289]]
    """
    A = np.asarray(payoffs, dtype=np.float64)
    points = list(_points_of_rest(A))
    return PhasePortrait(
        paths=tuple(in_triangle(_path(A, start)) for start in _starts()),
        rests=in_triangle(np.array(points)),
        stable=np.array([_is_stable(A, x) for x in points]),
    )


def _starts() -> Iterator[Floats]:
    """Evenly spread points of the triangle, none on its edges."""
    for i in range(_STARTS):
        for j in range(_STARTS - i):
            x = np.array([i, j, _STARTS - 1 - i - j]) + 1 / 3
            yield x / x.sum()


def _path(A: Floats, start: Floats) -> Floats:
    """Follow the dynamics from a start in steps of one length, until it hardly moves."""
    still = _STILL * (float(np.abs(A).max()) or 1.0)
    x, path = start, [start]
    for _ in range(_MOST_STEPS):
        way = _velocity(A, x)
        speed = float(np.linalg.norm(way))
        if speed <= still:
            break
        middle = x + _STEP / 2 * way / speed
        way = _velocity(A, np.maximum(middle, 0.0))
        speed = float(np.linalg.norm(way))
        if speed <= still:
            break
        following = np.maximum(x + _STEP * way / speed, 0.0)
        following /= following.sum()
        # Beyond a point of rest the way leads back.
        if len(path) > 1 and float((following - x) @ (x - path[-2])) < 0:
            break
        x = following
        path.append(x)
    return np.array(path)


def _velocity(A: Floats, x: Floats) -> Floats:
    payoff = A @ x
    return np.asarray(x * (payoff - x @ payoff))


def _points_of_rest(A: Floats) -> Iterator[Floats]:
    """Corners, and the points of edges and of the inside where all strategies earn the same."""
    for size in (1, 2, 3):
        for used in combinations(range(3), size):
            part = A[np.ix_(used, used)]
            # All earn v: part @ y = v, and the shares sum to one.
            system = np.block([[part, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
            if abs(np.linalg.det(system)) <= _INSIDE:
                continue  # a whole line of them, or none
            shares = np.linalg.solve(system, np.append(np.zeros(size), 1.0))[:size]
            if (shares > _INSIDE).all():
                x = np.zeros(3)
                x[list(used)] = shares
                yield x


def _is_stable(A: Floats, x: Floats) -> bool:
    """Whether all small deviations within the triangle die out."""
    payoff = A @ x
    jacobian = np.diag(payoff - x @ payoff) + x[:, None] * (A - x @ A - payoff)
    plane = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, -2.0]]) / np.sqrt([[2.0], [6.0]])
    within = plane @ jacobian @ plane.T
    scale = float(np.abs(A).max()) or 1.0
    return bool((np.linalg.eigvals(within).real < -_INSIDE * scale).all())
