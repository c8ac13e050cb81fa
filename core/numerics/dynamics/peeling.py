"""One dominant set among the items that are left: from the start to an equilibrium that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.continuous import continuous_replicator
from coterie.core.numerics.dynamics.exponential import exponential
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import Selection, infection_immunisation
from coterie.core.numerics.dynamics.neighbourhood import Neighbourhood
from coterie.core.numerics.dynamics.replicator import replicator
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State
from coterie.core.numerics.dynamics.stopping import NEVER, Stop, until_still
from coterie.core.numerics.dynamics.strictness import Strictness, away_from_saddle, strictness

Dynamics = Literal["infection-immunisation", "replicator", "replicator-continuous", "exponential"]
Start = Literal["barycentre", "best-reply", "random"]
MOST_SADDLES = 100  # on one set's way up; each is left for something strictly better


@dataclass(frozen=True, eq=False)
class DominantSet:
    """A set that was found.

    Attributes
    ----------
    members, shares : (m,) who belongs to it, and how much
    cohesiveness : xᵀA x for the given similarities, whatever the game has on its diagonal
    gap : the larger of Nash gap and support deviation, relative to the objective
    iterations : how many steps it took
    converged : whether the gap is within the tolerance
    strict : whether it is a strict equilibrium; None when that is not known (see `Strictness`)
    """

    members: Ints
    shares: Floats
    cohesiveness: float
    gap: float
    iterations: int
    converged: bool
    strict: bool | None


@dataclass(eq=False)
class Evolution:
    """How sets of a game are sought; `find` seeks one.

    An equilibrium from which xᵀA x can still rise (a saddle, where a start that favours nobody
    may end) is left on the way on which it rises most, as long as the game is symmetric.

    >>> from coterie.core.model.affinity import Affinity
    >>> A = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> found = Evolution(Game.of(Affinity(values=A))).find(0, np.ones(3, dtype=bool))
    >>> found.members.tolist(), found.cohesiveness, found.strict
    ([0, 1], 1.5, True)
    """

    game: Game
    dynamics: Dynamics = "infection-immunisation"
    start: Start = "best-reply"
    tolerance: float = 1e-8
    max_iterations: int = 100_000
    support: float = 1e-5
    rate: float = 1.0
    selection: Selection = "best-reply"
    stop: Stop = "gap"
    rng: np.random.Generator = field(default_factory=np.random.default_rng)

    def __post_init__(self) -> None:
        # From one item of a sparse graph only the neighbours of members need to be looked at.
        self._near: Neighbourhood | None = None
        if (
            (self.dynamics, self.start) == ("infection-immunisation", "best-reply")
            and (self.selection, self.stop) == ("best-reply", "gap")
            and self.game.affinity.sparse is not None
            and self.game.symmetric
        ):
            self._near = Neighbourhood(self.game)

    def find(
        self, best_reply: int, left: Mask, show: Callable[[State], None] | None = None
    ) -> DominantSet:
        """Return a set of the items `left`; `best_reply` is the one most similar to the others.

        `show` is called with the state of every iteration.
        """
        return self._follow(self._first(best_reply, left), left, show)

    def find_from(
        self, start: Floats, left: Mask, show: Callable[[State], None] | None = None
    ) -> DominantSet:
        """Return the set of the items `left` that a population grows into."""
        return self._follow(self._states(start, left, self.max_iterations), left, show)

    def _follow(
        self, states: Iterator[State], left: Mask, show: Callable[[State], None] | None
    ) -> DominantSet:
        taken = 0
        for _ in range(MOST_SADDLES):
            for state in states:
                if show is not None:
                    show(state)
            taken += state.iteration
            members = state.support(self.support)
            at_rest = self.stop == "gap" or state.relative_gap <= self.tolerance
            settled = state.converged and at_rest
            held = self._strictness(state, members, left) if settled else None
            if held is None or held.ascent is None or not self.game.symmetric:
                break
            start = away_from_saddle(state.x, members, held.ascent)
            states = self._states(start, left, self.max_iterations - taken)
        shares = state.x[members]
        objective = state.objective - self.game.against_itself(members, shares)
        return DominantSet(
            members,
            shares / shares.sum(),  # the replicators leave next to nothing to the others
            objective * self.game.scale,
            state.relative_gap,
            taken,
            state.converged,
            None if held is None else held.strict,
        )

    def _first(self, best_reply: int, left: Mask) -> Iterator[State]:
        if self._near is None:
            start = self._starting_point(best_reply, left)
            return self._states(start, left, self.max_iterations)
        return self._near.evolve(
            best_reply, left, tolerance=self.tolerance, max_iterations=self.max_iterations
        )

    def _states(self, start: Floats, left: Mask, most: int) -> Iterator[State]:
        if self.stop == "gap":
            return self._evolve(start, left, most, self.tolerance)
        return until_still(self._evolve(start, left, most, NEVER), self.tolerance, most)

    def _evolve(self, start: Floats, left: Mask, most: int, tolerance: float) -> Iterator[State]:
        common: dict[str, Any] = {"players": left, "tolerance": tolerance, "max_iterations": most}
        if self.dynamics == "infection-immunisation":
            return infection_immunisation(self.game, start, selection=self.selection, **common)
        common["support"] = self.support
        if self.dynamics == "replicator":
            return replicator(self.game, start, **common)
        if self.dynamics == "replicator-continuous":
            return continuous_replicator(self.game, start, **common)
        return exponential(self.game, start, rate=self.rate, **common)

    def _starting_point(self, best_reply: int, left: Mask) -> Floats:
        n = self.game.n
        if self.start == "random":
            return simplex.random_point(n, self.rng, left)
        if self.start == "barycentre":
            return simplex.barycentre(n, left)
        best = simplex.vertex(n, best_reply)
        if self.dynamics == "infection-immunisation":
            return best
        # The replicators cannot bring in a strategy that has no share: start inside.
        return 0.5 * best + 0.5 * simplex.barycentre(n, left)

    def _strictness(self, state: State, members: Ints, left: Mask) -> Strictness:
        if self._near is not None:
            # Its payoffs are those of the items it looked at, in an order of their own.
            _, rivals = self._near.rivals(members, state.x[members], left)
        else:
            outside = left.copy()
            outside[members] = False
            rivals = state.payoffs[outside]
        return strictness(self.game, state, members, rivals, self.tolerance)
