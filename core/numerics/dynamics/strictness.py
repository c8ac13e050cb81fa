"""Whether an equilibrium is strict: nobody ties with its members, and none of them can be spared.

The support of a strict equilibrium is a dominant set. Under ties the equilibrium conditions hold,
but other populations nearby may do as well, or better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.state import State

MOST_MEMBERS = 1000  # of a larger support the curvature is not looked at: that takes O(members³)
# Payoffs are known to the tolerance of the equilibrium; multiples of that cannot be distinguished.
TIED = 10.0
FLAT = 1e-9  # curvature that is as good as none, relative to the largest entry among the members


@dataclass(frozen=True, slots=True)
class Strictness:
    """What holds of an equilibrium.

    Attributes
    ----------
    tied : how many outside the support earn as much as its members, within the tolerance
    curved : whether xᵀA x falls on every way through the support; None when it is too large to see
    ascent : (m,) of the members, a way on which it rises instead; None when there is none
    """

    tied: int
    curved: bool | None
    ascent: Floats | None = None

    @property
    def strict(self) -> bool | None:
        """Whether both hold; None when only the curvature is not known."""
        return False if self.tied else self.curved


def strictness(
    game: Game, state: State, members: Ints, rivals: Floats, tolerance: float
) -> Strictness:
    """Look at an equilibrium's ties and its curvature.

    Parameters
    ----------
    state : the equilibrium
    members : (m,) its support
    rivals : payoffs A x of the players outside the support that matter
    tolerance : to which the equilibrium was found, relative to xᵀA x

    References
    ----------
    Bomze (1998). On standard quadratic optimization problems. Journal of Global Optimization 13.

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.dynamics.simplex import barycentre
    >>> from coterie.core.numerics.dynamics.replicator import replicator
    >>> A = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])  # 0 – 1 or 0 – 2
    >>> game = Game.of(Affinity(values=A))
    >>> *_, state = replicator(game, np.array([0.5, 0.5, 0.0]))
    >>> strictness(game, state, np.array([0, 1]), state.payoffs[2:], 1e-8).strict
    False
    """
    allowed = TIED * tolerance * abs(state.objective)
    tied = int(np.count_nonzero(rivals >= state.objective - allowed))
    if len(members) > MOST_MEMBERS:
        ascent = _between_two(game, members)
        return Strictness(tied, None if ascent is None else False, ascent)
    return Strictness(tied, *_curvature(game.among(members)))


def away_from_saddle(x: Floats, members: Ints, ascent: Floats) -> Floats:
    """Return the population half-way to where the ascent leaves the simplex, on the longer side.

    At an equilibrium xᵀA x rises either way. Half-way, so no member is lost for good.

    >>> away_from_saddle(np.array([0.5, 0.5]), np.array([0, 1]), np.array([1.0, -1.0])).tolist()
    [0.75, 0.25]
    """
    shares = x[members]
    ways = [(float(np.min(shares[way < 0] / -way[way < 0])), way) for way in (ascent, -ascent)]
    length, way = max(ways, key=lambda found: found[0])
    moved = x.copy()
    moved[members] = shares + 0.5 * length * way
    moved /= moved.sum()
    return moved


def _between_two(game: Game, members: Ints) -> Floats | None:
    """A way from one member to another that is less similar to it than it is to itself."""
    if game.own <= game.least_to_others:
        return None
    for place, member in enumerate(members.tolist()):
        similar = game.column(member)[members]
        similar[place] = np.inf
        other = int(similar.argmin())
        if similar[other] < game.own:
            ascent = np.zeros(len(members))
            ascent[[place, other]] = 1.0, -1.0
            return ascent
    return None


def _curvature(A: Floats) -> tuple[bool, Floats | None]:
    """Whether A is negative definite on the ways within the simplex; else where it is positive."""
    m = len(A)
    if m == 1:
        return True, None
    A = (A + A.T) / 2
    largest = float(np.abs(A).max())
    if largest == 0.0:
        return False, None
    A /= largest
    # Projected on the ways that keep the sum, with the constant direction made steeply negative.
    means = A.mean(axis=1)
    projected = A - means[:, None] - means[None] + (means.mean() - 1.0)
    falling = -projected
    falling[np.diag_indices(m)] -= FLAT
    try:
        np.linalg.cholesky(falling)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(projected)
        if values[-1] <= FLAT:
            return False, None
        ascent: Floats = vectors[:, -1] - vectors[:, -1].mean()
        return False, ascent
    return True, None
