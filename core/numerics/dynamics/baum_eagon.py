"""Baum–Eagon dynamics: the replicator of games with more than two players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State

# Below this a share cannot matter; it is kept from vanishing, and from the subnormal numbers that
# make processors crawl.
LEAST_SHARE = 1e-100
BOOST = 64.0  # tried where safe: larger steps than the plain updates, which end linearly
PERIOD = 25  # iterations after which strategies that die out are taken out


class HomogeneousPolynomial(Protocol):
    """A homogeneous polynomial f of n shares without negative coefficients.

    `degree` is the number of shares in each term; `slopes` returns the n partial derivatives.
    """

    @property
    def degree(self) -> int: ...

    def slopes(self, x: Floats, /) -> Floats: ...


def baum_eagon(
    polynomial: HomogeneousPolynomial,
    start: Floats,
    *,
    players: Mask | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 10_000,
    support: float = 1e-5,
    boost: float = 1.0,
) -> Iterator[State]:
    """Iterate x_i ← x_i ∂_i f / Σ_j x_j ∂_j f from `start` until it is an equilibrium.

    f never falls, whatever its degree, and rises unless x stays where it is. A strategy without a
    share never gets one, so start inside the simplex. With f = xᵀA x it is the replicator.

    Parameters
    ----------
    polynomial : f, with its degree and its slopes
    start : (n,) population; not changed
    players : (n,) who may take part; by default all. Others must have no share in `start`
    tolerance : bound on the Nash gap and the support deviation, relative to f
    support : shares below this × the largest are left out of the support deviation
    boost : up to this power of ∂_i f is tried, for as long as f rises by it; 1 for the plain
        updates, which rise for certain but slowly

    Yields
    ------
    State after each iteration, the start first. Its payoffs are ∂_i f / degree, so their
    average is f itself and the gap is that of a game: zero at an equilibrium. It ends early, not
    converged, where f is zero.

    References
    ----------
    Baum, Eagon (1967). An inequality with applications to statistical estimation for probabilistic
    functions of Markov processes and to a model for ecology. Bulletin of the AMS 73(3).

    Examples
    --------
    >>> class Product:
    ...     degree = 3
    ...     def slopes(self, x):
    ...         return np.array([x[1] * x[2], x[0] * x[2], x[0] * x[1]])
    >>> *_, state = baum_eagon(Product(), np.array([0.2, 0.2, 0.6]))
    >>> state.converged, state.x.round(3).tolist()
    (True, [0.333, 0.333, 0.333])
    """
    x: Floats = np.array(start, dtype=np.float64)
    floor = LEAST_SHARE * (x > 0)
    payoffs = polynomial.slopes(x) / polynomial.degree
    power = 1.0
    for iteration in range(max_iterations + 1):
        state = _state(iteration, x, payoffs, players, support, tolerance)
        yield state
        if state.converged or state.objective <= 0 or iteration == max_iterations:
            return
        grown = _grown(x, payoffs, power, floor)
        grown_payoffs = polynomial.slopes(grown) / polynomial.degree
        if power > 1 and grown @ grown_payoffs < state.objective:
            power = 1.0
            grown = _grown(x, payoffs, power, floor)
            grown_payoffs = polynomial.slopes(grown) / polynomial.degree
        x, payoffs = grown, grown_payoffs
        power = min(boost, 1.5 * power)


def _state(
    iteration: int,
    x: Floats,
    payoffs: Floats,
    players: Mask | None,
    support: float,
    tolerance: float,
) -> State:
    """Judge a population by its payoffs: it is settled when nobody could do noticeably better."""
    objective = float(x @ payoffs)
    gap = simplex.nash_gap(x, payoffs, players)
    deviation = simplex.support_deviation(x, payoffs, support)
    converged = objective > 0 and max(gap, deviation) <= tolerance * objective
    return State(iteration, x, payoffs, objective, gap, deviation, converged)


def _grown(x: Floats, payoffs: Floats, power: float, floor: Floats) -> Floats:
    grown = x * (payoffs / payoffs.max()) ** power
    grown /= grown.sum()
    return np.asarray(np.maximum(grown, floor))


class Divisible(HomogeneousPolynomial, Protocol):
    """A polynomial that can be cut down to the terms among some strategies."""

    def among(self, kept: Mask, /) -> HomogeneousPolynomial: ...


def focused_baum_eagon(
    polynomial: Divisible,
    start: Floats,
    *,
    players: Mask | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 10_000,
    support: float = 1e-3,
) -> Iterator[State]:
    """Baum–Eagon updates on the terms that matter, far cheaper when few strategies survive.

    Every so many iterations the strategies that earn less than the average and have a share below
    `support` × the largest are taken out with all their terms. Before it ends all strategies are
    looked at: one that would do better is let in again. Both only ever raise f. Parameters and
    what is yielded are those of `baum_eagon`; the gap of the states in between is that among the
    strategies in play, of the last one that of all players.

    Examples
    --------
    >>> from coterie.core.numerics.similarity.triples import Triples, all_triples
    >>> cube = Triples(4, all_triples(4), np.array([1.0, 0.2, 0.2, 0.2]))
    >>> *_, state = focused_baum_eagon(cube, np.full(4, 0.25))
    >>> state.converged, state.x.round(3).tolist()
    (True, [0.333, 0.333, 0.333, 0.0])
    """
    x: Floats = np.array(start, dtype=np.float64)
    iteration = 0
    while True:
        active = x > 0
        inner = polynomial.among(active)
        rounds = min(PERIOD, max_iterations - iteration)
        for state in baum_eagon(
            inner,
            x,
            players=active,
            tolerance=tolerance,
            max_iterations=rounds,
            support=support,
            boost=BOOST,
        ):
            if state.iteration or not iteration:
                yield replace(state, iteration=iteration + state.iteration, converged=False)
        iteration += state.iteration
        x = np.array(state.x, dtype=np.float64)
        if state.converged or iteration >= max_iterations or state.objective <= 0:
            payoffs = polynomial.slopes(x) / polynomial.degree
            whole = _state(iteration + 1, x, payoffs, players, support, tolerance)
            better = (payoffs > whole.objective * (1 + tolerance)) & ~active
            if players is not None:
                better &= players
            converged = state.converged and whole.converged
            ended = iteration >= max_iterations or whole.objective <= 0 or not better.any()
            if converged or ended:
                yield replace(whole, converged=converged)
                return
            x = _let_in(polynomial.among(active | better), x, payoffs, better)
        else:
            x = _take_out(inner, x, state, support)


def _let_in(polynomial: HomogeneousPolynomial, x: Floats, payoffs: Floats, better: Mask) -> Floats:
    """Mix in those that would do better, as much as raises f."""
    newcomers: Floats = np.where(better, payoffs - x @ payoffs, 0.0)
    newcomers /= newcomers.sum()
    share, objective = 0.1, float(x @ payoffs)
    while share > LEAST_SHARE:
        mixed = (1 - share) * x + share * newcomers
        if mixed @ polynomial.slopes(mixed) / polynomial.degree > objective:
            return mixed
        share /= 4
    return x


def _take_out(polynomial: HomogeneousPolynomial, x: Floats, state: State, support: float) -> Floats:
    """Leave out those who are few and do worse than the average, unless f would fall."""
    worse = (state.payoffs < state.objective) & (x < support * x.max()) & (x > 0)
    if not worse.any():
        return x
    rest: Floats = np.where(worse, 0.0, x)
    rest /= rest.sum()
    objective = float(rest @ polynomial.slopes(rest)) / polynomial.degree
    return rest if objective >= state.objective else x
