"""Dominant sets one after another by extensions that make those found unstable, as published."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.state import State

RENEWAL = 500  # steps after which the payoffs are computed again; each adds a rounding error
BETA, ALPHA = 1.0, 2.0  # largest similarity: 1 in the unit of a game


class ExtendedGame:
    """A game with one more strategy for each set S that is known, which makes S unstable.

    With a_ij in units of the largest similarity and α > β > 0, the strategy of S earns

    - against a member j of S the mean of a_kj over the members k of S, as much as they earn on
      average, and nothing against other items;
    - β against itself, and nothing against the strategies of other sets;

    and items earn α against it when they are outside S, and nothing when they are members. Against
    the equilibrium of S it does as well as its members and better against itself: S is no longer
    evolutionarily stable, while the stability of all other sets is as it was. No strategy that was
    added is in a stable population, as outsiders do better against it than it does itself.

    References
    ----------
    Torsello, Rota Bulò, Pelillo (2008). Beyond partitions: allowing overlapping groups in pairwise
    clustering. ICPR.

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> extended = ExtendedGame(Game.of(Affinity(values=A)))
    >>> extended.add(np.array([0, 1]))
    >>> extended.to_dense().tolist()[3]
    [0.5, 0.5, 0.0, 1.0]
    >>> [row[3] for row in extended.to_dense().tolist()]
    [0.0, 0.0, 2.0, 1.0]
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows = np.zeros((0, game.n))  # what the strategy of each set earns against items
        self.outside = np.zeros((0, game.n))  # 1 for the items outside each set

    @property
    def n(self) -> int:
        """Number of strategies, those that were added included."""
        return self.game.n + len(self.rows)

    def add(self, members: Ints) -> None:
        """Add the strategy of a set."""
        earned = np.zeros(self.game.n)
        earned[members] = self.game.among(members).mean(axis=0)
        outside = np.ones(self.game.n)
        outside[members] = 0.0
        self.rows = np.vstack([self.rows, earned])
        self.outside = np.vstack([self.outside, outside])

    def column(self, j: int) -> Floats:
        """Return what every strategy earns against strategy j."""
        n = self.game.n
        column = np.zeros(self.n)
        if j < n:
            column[:n] = self.game.column(j)
            column[n:] = self.rows[:, j]
        else:
            column[:n] = ALPHA * self.outside[j - n]
            column[j] = BETA
        return column

    def payoffs(self, x: Floats) -> Floats:
        """Return the payoffs against a population."""
        n = self.game.n
        found = np.empty(self.n)
        found[:n] = self.game.payoffs(x[:n]) + ALPHA * (x[n:] @ self.outside)
        found[n:] = self.rows @ x[:n] + BETA * x[n:]
        return found

    def to_dense(self) -> Floats:
        """Return the whole payoff matrix."""
        return np.column_stack([self.column(j) for j in range(self.n)])


def evolve_extended(
    extended: ExtendedGame, start: Floats, *, tolerance: float, max_iterations: int
) -> Iterator[State]:
    """Infection and immunisation by pure strategies among all strategies, from `start`.

    Yields a state for each step, with the shares and payoffs of the items alone: their shares sum
    to less than 1 while strategies that were added have some. Payoffs are not symmetric, so it may
    go in circles, which ends at the limit.
    """
    n = extended.game.n
    x: Floats = np.zeros(extended.n)
    x[:n] = start
    payoffs = extended.payoffs(x)
    for iteration in range(max_iterations + 1):
        if iteration % RENEWAL == 0:
            x /= x.sum()
            payoffs = extended.payoffs(x)
        held = np.flatnonzero(x)
        objective = float(x[held] @ payoffs[held])
        strongest = int(payoffs.argmax())
        weakest = int(held[payoffs[held].argmin()])
        gap = max(0.0, float(payoffs[strongest]) - objective)
        weakness = objective - float(payoffs[weakest])
        deviation = max(weakness, float(payoffs[held].max()) - objective)
        converged = max(gap, deviation) <= tolerance * abs(objective)
        yield State(iteration, x[:n].copy(), payoffs[:n], objective, gap, deviation, converged)
        if converged:
            return
        chosen = strongest if gap >= weakness else weakest
        share = _share(extended, x, payoffs, objective, chosen)
        if share == 0.0:
            return
        leaves = share < 0 and share == -x[chosen] / (1.0 - x[chosen])
        x *= 1.0 - share
        x[chosen] = 0.0 if leaves else x[chosen] + share
        payoffs = (1.0 - share) * payoffs + share * extended.column(chosen)


def perturbed_barycentre(n: int, rng: np.random.Generator) -> Floats:
    """Return a population near that of all alike.

    >>> bool(abs(perturbed_barycentre(5, np.random.default_rng(0)).sum() - 1) < 1e-12)
    True
    """
    return np.asarray(0.9 * simplex.barycentre(n) + 0.1 * simplex.random_point(n, rng))


def _share(
    extended: ExtendedGame, x: Floats, payoffs: Floats, objective: float, chosen: int
) -> float:
    """How much of a strategy to mix in, or to take out where it does worse than the average."""
    column = extended.column(chosen)
    slope = float(payoffs[chosen]) - objective
    curvature = objective - float(payoffs[chosen]) - float(x @ column) + float(column[chosen])
    if slope > 0:
        return min(1.0, -slope / curvature) if curvature < 0 else 1.0
    if x[chosen] >= 1.0:
        return 0.0
    all_of_it = -float(x[chosen]) / (1.0 - float(x[chosen]))
    return max(all_of_it, -slope / curvature) if curvature < 0 else all_of_it
