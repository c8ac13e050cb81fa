"""Infection and immunisation: the fast way to a dominant set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.faces import by_faces
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.mixed_strategies import StrategyMixtures
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State
from coterie.core.numerics.similarity.ties import smallest

Selection = Literal["best-reply", "published"]
# Those with a share and their closest rivals settle it among themselves before all are asked
# again. Not worth it in small games. Few and rivals are 3000 at most: their similarities are
# copied (72 MB).
LEAST_GAME, MOST_FEW, FEWEST_RIVALS, MOST_RIVALS = 256, 2000, 64, 1000
SETTLED = 0.1  # of the gap to all; before that is small, settling more closely is useless
RENEWAL = 1000  # updates of A x after which it is recomputed; each adds a rounding error or two


def infection_immunisation(
    game: Game,
    start: Floats,
    *,
    players: Mask | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 1_000_000,
    selection: Selection = "best-reply",
) -> Iterator[State]:
    """Mix x with a strategy that does better against it, as far as that pays, again and again.

    Each step is x ← x + δ (y − x), where y is a strategy that earns more than x against x, and δ
    the share up to which it can invade. On symmetric A that δ is the exact maximum of xᵀA x on the
    way to y. Which y is chosen decides how fast it goes:

    - on symmetric A a mixture (see `StrategyMixtures`): it brings in all that do better at once,
      and ends as conjugate gradients do. One product with the columns of those whose share
      changes. Once
      few have a share, they and their closest rivals go on among themselves, and all are asked
      again when those have settled: in between `payoffs` and `gap` are those of the few;
    - on asymmetric A, or as published, the pure strategy that gains most, or the co-strategy of
      the member that loses most (x without it), in O(n). On asymmetric A this may go in circles,
      which ends at `max_iterations`.

    Any start will do; a vertex is best. Negative A are allowed.

    Parameters
    ----------
    game : payoffs, diagonal left out
    start : (n,) population; not changed
    players : (n,) who may take part; by default all. Others must have no share in `start`
    tolerance : bound on the Nash gap and the support deviation, relative to xᵀA x
    selection : "published" takes pure strategies and co-strategies on symmetric A, too

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
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.dynamics.simplex import vertex
    >>> A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> *_, state = infection_immunisation(Game.of(Affinity(values=A)), vertex(3, 2))
    >>> state.converged, state.x.round(4).tolist()
    (True, [0.5, 0.5, 0.0])
    """
    mixing = game.symmetric and selection == "best-reply"
    evolve = _by_mixtures if mixing else _by_pure_strategies
    barred = None if players is None else np.where(players, 0.0, -np.inf)
    return evolve(game, np.array(start, dtype=np.float64), barred, tolerance, max_iterations)


def _by_mixtures(
    game: Game, x: Floats, barred: Floats | None, tolerance: float, max_iterations: int
) -> Iterator[State]:
    """Among all until few are left, then among those few alone until all are asked again."""
    few = min(2 * game.n // 5, MOST_FEW) if game.n >= LEAST_GAME else 0
    mixtures = StrategyMixtures()
    first = 0
    # Some games say how steeply they fall: those are solved face by face.
    steep = None if barred is not None and barred.any() else game.steepness
    if steep is not None:
        for state in by_faces(game, x, steep, tolerance, max_iterations):
            yield state
        if state.converged or state.iteration >= max_iterations:
            return
        first = state.iteration
    payoffs = game.payoffs(x)
    while True:
        climb = _climb(game, x, payoffs, barred, tolerance, max_iterations - first, mixtures, few)
        for state in climb:
            yield state.later(first)
        first += state.iteration
        if state.converged or first >= max_iterations or len(state.support(0.0)) > few:
            return
        looked_at = _members_and_best(state, barred)
        among = game.subgame(looked_at)
        shares, earned = x[looked_at], state.payoffs[looked_at]
        enough = max(tolerance, min(SETTLED * state.relative_gap, SETTLED))
        most = max_iterations - first
        for state in _climb(among, shares, earned, None, enough, most, mixtures):
            x[looked_at] = state.x
            if state.converged:
                break
            if state.iteration:  # else it has been shown
                members = looked_at[state.support(0.0)]
                yield replace(state, iteration=first + state.iteration, x=x, members=members)
        else:
            return
        first += state.iteration
        payoffs = game.payoffs(x)


def _members_and_best(state: State, barred: Floats | None) -> Ints:
    """The members, and about as many others: those who earn most."""
    members = state.support(0.0)
    reach = state.payoffs.copy() if barred is None else state.payoffs + barred
    reach[members] = -np.inf
    most = min(len(members) + FEWEST_RIVALS, MOST_RIVALS, len(reach) - 1)
    others = smallest(-reach, most) if most else np.zeros(0, dtype=np.int64)
    return np.concatenate([members, others[np.isfinite(reach[others])]])


def _climb(
    game: Game,
    x: Floats,
    payoffs: Floats,
    barred: Floats | None,
    tolerance: float,
    max_iterations: int,
    mixtures: StrategyMixtures,
    few: int = 0,
) -> Iterator[State]:
    """Step from x, which is written into, until converged or, after a step, `few` are left."""
    mixtures.forget()
    updates = iteration = 0
    while True:
        members = x.nonzero()[0]
        shares = x[members]
        objective = float(shares @ payoffs[members])
        # Differences are formed before they are added up: near the end they are all that counts.
        excess = payoffs - objective
        reach = excess if barred is None else excess + barred
        gap = max(0.0, float(reach.max()))
        deviation = float(np.abs(excess[members]).max())
        converged = max(gap, deviation) <= tolerance * abs(objective)
        if updates and (converged or updates >= RENEWAL):
            # The shares and A x have drifted by rounding: judge the true ones.
            x[members] = shares / shares.sum()
            payoffs = game.payoffs(x)
            updates = 0
            mixtures.forget()
            continue
        yield State(iteration, x, payoffs, objective, gap, deviation, converged, members)
        if converged or iteration >= max_iterations or (iteration and len(members) <= few):
            return
        mixture = mixtures.choose(x, members, excess, reach)
        items, change = mixture.items, mixture.change
        slope = float(change @ excess[items])
        gained = None if slope <= 0 else _change_of_payoffs(game, items, change)
        if gained is None:
            if not updates:
                return  # nothing moves any more within the precision of the numbers
            updates = RENEWAL
            continue
        curvature = float(change @ gained[items])
        share = min(mixture.most, slope / -curvature) if curvature < 0 else mixture.most
        x[items] += share * change
        if share == mixture.most:
            x[mixture.leaves] = 0.0
        # Rounding may leave −1e-20 of a share, and one that is not quite one altogether.
        np.maximum(x, 0.0, out=x)
        payoffs += share * gained
        total = float(x.sum())
        x /= total
        payoffs /= total
        mixtures.learn(float(change @ change), curvature)
        updates += 1
        iteration += 1


def _change_of_payoffs(game: Game, items: Ints, change: Floats) -> Floats:
    whole = np.zeros(game.n)
    whole[items] = change
    return game.payoffs(whole)


def _by_pure_strategies(
    game: Game, x: Floats, barred: Floats | None, tolerance: float, max_iterations: int
) -> Iterator[State]:
    members = np.flatnonzero(x)  # few, as a rule: what concerns them alone costs next to nothing
    payoffs = game.payoffs(x)
    updates = iteration = 0
    while True:
        shares, earned = x[members], payoffs[members]
        objective = float(shares @ earned)
        reach = payoffs if barred is None else payoffs + barred
        strongest, weakest = int(reach.argmax()), int(members[earned.argmin()])
        gap = max(0.0, float(payoffs[strongest]) - objective)
        weakness = objective - float(payoffs[weakest])
        deviation = max(weakness, float(earned.max()) - objective)
        converged = max(gap, deviation) <= tolerance * abs(objective)
        if updates and (converged or updates >= RENEWAL):
            x[members] = shares / shares.sum()
            payoffs = game.payoffs(x)
            updates = 0
            continue
        yield State(iteration, x, payoffs, objective, gap, deviation, converged, members)
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

    Along z = x + t (e_i − x) strategy e_i earns more against z than x does until
    t = −(e_i − x)ᵀA x / (e_i − x)ᵀA (e_i − x).
    """
    slope = float(payoffs[i]) - objective
    curvature = objective - float(payoffs[i]) - game.payoff_against(x, i) + game.own
    if slope > 0:
        return min(1.0, -slope / curvature) if curvature < 0 else 1.0
    if x[i] >= 1.0:
        return 0.0
    all_of_it = -float(x[i]) / (1.0 - float(x[i]))
    return max(all_of_it, -slope / curvature) if curvature < 0 else all_of_it
