"""The path of a population through the simplex of three strategies, in a triangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.api.frame import Frame
from coterie.core.model.arrays import Array

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
MOST_DOTS = 5000
_MOSTLY = 0.5  # of an item; the place of one that others share says little
_GONE = 1e-3  # of the largest share: a strategy below this no longer shapes the picture


@dataclass(frozen=True)
class SimplexPath:
    """Where the population was, seen by three strategies alone.

    Attributes
    ----------
    items : (3,) the strategies at the corners
    places : (t, 2) the population in the triangle; not a number where none of the three has a share
    iterations : (t,) when that was
    sets : (t,) the number of the set that was formed there; no line leads from one to another
    here : the place that is looked at, as a position among the t
    of_groups : whether the strategies are groups rather than items
    cloud : (m, 3) how far each item has decided for the three; None where methods do not say
    """

    items: tuple[int, int, int]
    names: tuple[str, str, str]
    places: Array
    iterations: Array
    sets: Array
    here: int
    of_groups: bool = False
    cloud: Array | None = None


def in_triangle(shares: Array) -> Array:
    """Return the places (t, 2) of shares (t, 3) in the triangle with the corners `CORNERS`.

    >>> in_triangle(np.array([[2.0, 0.0, 0.0], [1.0, 1.0, 0.0]])).tolist()
    [[0.0, 0.0], [0.5, 0.0]]
    """
    total = shares.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(total > 0, shares / total, np.nan) @ CORNERS)


def cloud_of(memberships: Array | None, columns: Sequence[int]) -> Array | None:
    """Return the shares (m, 3) of three groups in each item, of those mostly about these three.

    >>> cloud_of(np.array([[0.5, 0.3, 0.2, 0.0], [0.0, 0.1, 0.0, 0.9]]), (0, 1, 2)).tolist()
    [[0.5, 0.3, 0.2]]
    """
    if memberships is None or max(columns) >= memberships.shape[1]:
        return None
    shares = memberships[:, list(columns)]
    shares = shares[shares.sum(axis=1) > _MOSTLY]
    return np.asarray(shares[:: max(1, -(-len(shares) // MOST_DOTS))])


def leading_three(
    moment: Frame, before: Sequence[Frame], corners: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Return three columns worth watching: the two largest shares, and the one that lost most.

    Three members of one set end with shares alike, in the middle of the triangle; with one that
    dies out the path leads from the middle to an edge. `corners` that were chosen earlier stay
    while the two have shares to speak of: a triangle that changes with every picture shows nothing.
    """
    shares = moment.shares
    if shares is None or len(shares) < 3:
        return ()
    if len(corners) == 3 and max(corners) < len(shares):
        held = np.sort(shares[list(corners)])
        if held[1] > _GONE * float(shares.max()):
            return corners
    first, second, third = np.argsort(-shares, kind="stable")[:3]
    earlier = [one.shares for one in before if one.shares is not None]
    if earlier:
        lost = np.max(earlier, axis=0) - shares
        lost[[first, second]] = 0.0
        third = int(np.argmax(lost)) if lost.max() > 0 else third
    return tuple(sorted((int(first), int(second), int(third))))


def path_of(
    moments: Sequence[Frame], columns: Sequence[int], peeled: Sequence[int], at: int | None
) -> tuple[Array, Array, Array, int]:
    """Return places, iterations, the number of the set formed, and the position looked at.

    Parameters
    ----------
    columns : the three strategies, as positions in the shares of each moment
    peeled : iterations at which a set was peeled off
    at : the iteration that is looked at; None for the last
    """
    populated = [moment for moment in moments if moment.shares is not None]
    iterations = np.array([moment.iteration for moment in populated], dtype=np.int64)
    shares = np.array(
        [moment.shares[list(columns)] for moment in populated if moment.shares is not None],
        dtype=np.float64,
    ).reshape(-1, 3)
    sets = np.searchsorted(np.sort(np.asarray(peeled, dtype=np.int64)), iterations, side="left")
    here = len(iterations) - 1
    if at is not None and len(iterations):
        here = max(int(np.searchsorted(iterations, at, side="right")) - 1, 0)
    return in_triangle(shares), iterations, sets, here
