"""Infection and immunisation: the fast way to a dominant set, one strategy at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.arrays import Floats
from coterie.core.dynamics.game import Game
from coterie.core.dynamics.simplex import Mask
from coterie.core.dynamics.state import State

RENEWAL = 1000  # updates of A x after which it is computed anew; each adds a rounding error or two


def infection_immunisation(
    game: Game,
    start: Floats,
    *,
    players: Mask | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 1_000_000,
) -> Iterator[State]:
    """Mix x with the strategy that gains most, or away from the one that loses most.

    Each step takes the strategy i whose payoff differs most from the average, among those that do
    better (x is mixed with e_i) and the members that do worse (x is mixed with its co-strategy,
    x without i), and goes to the exact maximum along that line. O(n) for each step: A x is
    updated by one column. Any start will do; a vertex is best. Asymmetric and negative A are
    allowed; on asymmetric A it may go in circles, which ends at `max_iterations`.

    Parameters
    ----------
    game : payoffs, diagonal zero
    start : (n,) population; not changed
    players : (n,) who may take part; by default all. Others must have no share in `start`
    tolerance : bound on the Nash gap and the support deviation, relative to xᵀA x

    Yields
    ------
    State after each step, the start first; the last one says whether it converged. That is
    decided on a newly computed A x, never on the updated one.

    References
    ----------
    Rota Bulò, Bomze (2011). Infection and immunization: a new class of evolutionary game
    dynamics. Games and Economic Behavior 71(1).

    Examples
    --------
    >>> from coterie.core.affinity import Affinity
    >>> from coterie.core.dynamics.simplex import vertex
    >>> A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> *_, state = infection_immunisation(Game.of(Affinity(values=A)), vertex(3, 2))
    >>> state.converged, state.x.round(4).tolist()
    (True, [0.5, 0.5, 0.0])
    """
    x = np.array(start, dtype=np.float64)
    members = np.flatnonzero(x)  # few, as a rule: what concerns them alone costs next to nothing
    payoffs = game.payoffs(x)
    within_reach = np.empty_like(x)
    barred = np.zeros_like(x) if players is None else np.where(players, 0.0, -np.inf)
    updates = iteration = 0
    while True:
        shares, earned = x[members], payoffs[members]
        objective = float(shares @ earned)
        np.add(payoffs, barred, out=within_reach)
        strongest, weakest = int(within_reach.argmax()), int(members[earned.argmin()])
        gap = max(0.0, float(payoffs[strongest]) - objective)
        weakness = objective - float(payoffs[weakest])
        deviation = max(weakness, float(earned.max()) - objective)
        converged = max(gap, deviation) <= tolerance * abs(objective)
        if updates and (converged or updates >= RENEWAL):
            # The shares and A x have drifted by rounding: judge the true ones.
            x[members] = shares / shares.sum()
            payoffs = game.payoffs(x)
            updates = 0
            continue
        yield State(iteration, x, payoffs, objective, gap, deviation, converged)
        if converged or iteration >= max_iterations:
            return
        i = strongest if gap >= weakness else weakest
        share = _best_share(game, x, payoffs, objective, i)
        if share == 0.0:
            return  # nothing moves any more within the precision of the numbers
        joins = x[i] == 0.0
        leaves = share < 0 and share == -x[i] / (1.0 - x[i])
        x[members] = (1.0 - share) * shares
        x[i] = 0.0 if leaves else x[i] + share
        if joins or leaves or share == 1.0:
            members = np.flatnonzero(x)
        game.mix_in(payoffs, i, share)
        updates += 1
        iteration += 1


def _best_share(game: Game, x: Floats, payoffs: Floats, objective: float, i: int) -> float:
    """How much of e_i to mix in; negative to take some of i out, at most all of it.

    Along z = x + t (e_i − x) the average payoff of e_i against z stays above that of x until
    t = −(e_i − x)ᵀA x / (e_i − x)ᵀA (e_i − x), which on symmetric A maximises zᵀA z.
    """
    slope = float(payoffs[i]) - objective
    against = float(payoffs[i]) if game.symmetric else game.payoff_against(x, i)
    curvature = objective - float(payoffs[i]) - against
    if slope > 0:
        return min(1.0, -slope / curvature) if curvature < 0 else 1.0
    if x[i] >= 1.0:
        return 0.0
    all_of_it = -float(x[i]) / (1.0 - float(x[i]))
    return max(all_of_it, -slope / curvature) if curvature < 0 else all_of_it
