"""Exponential replicator dynamics: growth by exp(payoff), with larger steps than replicator's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.replicator import LEAST_SHARE, judge
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State

# A fall of the objective below this, relative, is rounding and no reason for a shorter step.
ROUNDING = 1e-14


def exponential(
    game: Game,
    start: Floats,
    *,
    players: Mask | None = None,
    rate: float = 1.0,
    tolerance: float = 1e-8,
    max_iterations: int = 100_000,
    support: float = 1e-5,
) -> Iterator[State]:
    """Iterate x_i ∝ x_i exp(rate · (A x)_i) from `start` until it is an equilibrium.

    One product with A for each iteration. `rate` is per largest entry of A; on symmetric A it is
    halved whenever the objective xᵀA x would fall. A strategy without a share never gets one.
    The other parameters are those of `replicator`.

    Yields
    ------
    State after each iteration, the start first; the last one says whether it converged

    References
    ----------
    Pelillo, Torsello (2006). Payoff-monotonic game dynamics and the maximum clique problem.
    Neural Computation 18(5).

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.dynamics.simplex import barycentre
    >>> A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> *_, state = exponential(Game.of(Affinity(values=A)), barycentre(3))
    >>> state.converged, state.x.round(4).tolist()
    (True, [0.5, 0.5, 0.0])
    """
    x = np.array(start, dtype=np.float64)
    floor = LEAST_SHARE * (x > 0)
    payoffs = game.payoffs(x)
    for iteration in range(max_iterations + 1):
        state = judge(iteration, x, payoffs, players, tolerance, support)
        yield state
        if state.converged:
            return
        while True:
            grown = x * np.exp(rate * (payoffs - payoffs.max()))
            grown /= grown.sum()
            np.maximum(grown, floor, out=grown)
            grown_payoffs = game.payoffs(grown)
            fall = state.objective - float(grown @ grown_payoffs)
            if not game.symmetric or fall <= ROUNDING * abs(state.objective):
                break
            rate /= 2
        x, payoffs = grown, grown_payoffs
