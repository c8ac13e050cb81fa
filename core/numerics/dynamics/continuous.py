"""Replicator dynamics in continuous time, by an integrator that chooses its own steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.replicator import judge
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State

ACCURACY = 1e-10  # of ln x in each step: far below the tolerances that an equilibrium is asked for


def continuous_replicator(
    game: Game,
    start: Floats,
    *,
    players: Mask | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 100_000,
    support: float = 1e-5,
) -> Iterator[State]:
    """Follow dx_i/dt = x_i ((A x)_i − xᵀA x) from `start` until it is an equilibrium.

    Integrated as d ln x_i/dt = (A x)_i − xᵀA x with x = softmax(ln x), so shares are positive and
    sum to 1 whatever the step, by Dormand and Prince's method of order 8: 12 products with A for
    each step. Time is in units of the largest entry of A. On symmetric A the objective xᵀA x never
    falls. Negative A are allowed: a constant added to all entries changes nothing here. The other
    parameters are those of `replicator`.

    Yields
    ------
    State after each step, the start first; the last one says whether it converged

    References
    ----------
    Taylor, Jonker (1978). Evolutionarily stable strategies and game dynamics. Mathematical
    Biosciences 40.

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.dynamics.simplex import barycentre
    >>> A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> *_, state = continuous_replicator(Game.of(Affinity(values=A)), barycentre(3))
    >>> state.converged, state.x.round(4).tolist()
    (True, [0.5, 0.5, 0.0])
    """
    from scipy.integrate import DOP853

    x: Floats = np.array(start, dtype=np.float64)
    playing = np.flatnonzero(x)

    def population(logarithms: Floats) -> Floats:
        shares = np.exp(logarithms - logarithms.max())
        whole = np.zeros(game.n)
        whole[playing] = shares / shares.sum()
        return whole

    def growth(_: float, logarithms: Floats) -> Floats:
        now = population(logarithms)
        payoffs = game.payoffs(now)
        return np.asarray((payoffs - now @ payoffs)[playing])

    solver = DOP853(growth, 0.0, np.log(x[playing]), np.inf, rtol=ACCURACY, atol=ACCURACY)
    for iteration in range(max_iterations + 1):
        state = judge(iteration, x, game.payoffs(x), players, tolerance, support)
        yield state
        if state.converged or solver.status != "running":
            return
        solver.step()
        x = population(solver.y)
