"""Replicator dynamics: strategies that earn more than the average grow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State

# A share shrinks for ever but never to nothing; in floating point it would, and a strategy that
# the final mixture needs would be lost. This is far below any share that counts, and far above
# the subnormal numbers that make processors crawl.
LEAST_SHARE = 1e-100


def replicator(
    game: Game,
    start: Floats,
    *,
    players: Mask | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 100_000,
    support: float = 1e-5,
) -> Iterator[State]:
    """Iterate x_i ← x_i (A x)_i / xᵀA x from `start` until it is an equilibrium.

    One product with A for each iteration. On symmetric A the objective xᵀA x never falls. A
    strategy without a share never gets one, so start inside the simplex. If A has negative
    entries one constant is added to every entry, the diagonal included: equilibria and their
    stability stay, the steps become shorter; what is shown is for the original A.

    Parameters
    ----------
    game : payoffs, diagonal zero
    start : (n,) population; not changed
    players : (n,) who may take part; by default all. Others must have no share in `start`
    tolerance : bound on the Nash gap and the support deviation, relative to xᵀA x
    support : shares below this × the largest are left out of the support deviation

    Yields
    ------
    State after each iteration, the start first; the last one says whether it converged

    References
    ----------
    Pavan, Pelillo (2007). Dominant sets and pairwise clustering. IEEE PAMI 29(1).

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> *_, state = replicator(Game.of(Affinity(values=A)), simplex.barycentre(3))
    >>> state.converged, state.x.round(4).tolist()
    (True, [0.5, 0.5, 0.0])
    """
    x = np.array(start, dtype=np.float64)
    shift = -game.least
    floor = LEAST_SHARE * (x > 0)
    for iteration in range(max_iterations + 1):
        payoffs = game.payoffs(x)
        state = judge(iteration, x, payoffs, players, tolerance, support)
        yield state
        if state.converged or state.objective + shift <= 0:
            return
        payoffs += shift
        # Rounding can leave −1e-17 on the diagonal's place; a share must not become negative.
        np.maximum(payoffs, 0.0, out=payoffs)
        x *= payoffs
        x /= x.sum()
        np.maximum(x, floor, out=x)


def judge(
    iteration: int,
    x: Floats,
    payoffs: Floats,
    players: Mask | None,
    tolerance: float,
    support: float,
) -> State:
    """Measure how far the population is from equilibrium."""
    objective = float(x @ payoffs)
    gap = simplex.nash_gap(x, payoffs, players)
    deviation = simplex.support_deviation(x, payoffs, support)
    converged = max(gap, deviation) <= tolerance * abs(objective)
    return State(iteration, x, payoffs, objective, gap, deviation, converged)
