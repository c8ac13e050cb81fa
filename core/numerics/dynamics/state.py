"""What a dynamics shows after each iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics import simplex


@dataclass(frozen=True, slots=True)
class State:
    """A population, and how far it is from equilibrium.

    The arrays belong to the dynamics and change with the next iteration: copy what you keep.

    Attributes
    ----------
    iteration : number of steps taken, 0 for the start
    x : (n,) share of each strategy
    payoffs : (n,) A x, in units of the largest entry of A; while a dynamics looks at some items
        only, theirs alone
    objective : xᵀA x in the same units
    gap : Nash gap max_i (A x)_i − xᵀA x; how much the best strategy would gain
    deviation : max |(A x)_i − xᵀA x| over the support; zero at an equilibrium
    converged : whether both, relative to the objective, are within the tolerance
    members : positions of all shares above zero, where the dynamics knows them
    """

    iteration: int
    x: Floats
    payoffs: Floats
    objective: float
    gap: float
    deviation: float
    converged: bool = False
    members: Ints | None = None

    @property
    def relative_gap(self) -> float:
        """The larger of Nash gap and support deviation, relative to the objective."""
        worst = max(self.gap, self.deviation)
        if worst <= 0:
            return 0.0
        return worst / abs(self.objective) if self.objective else float("inf")

    def later(self, steps: int) -> State:
        """Return the same state after so many steps that came before its own."""
        if not steps:
            return self
        return State(
            self.iteration + steps,
            self.x,
            self.payoffs,
            self.objective,
            self.gap,
            self.deviation,
            self.converged,
            self.members,
        )

    def support(self, threshold: float) -> Ints:
        """Return the positions of the shares above `threshold` × the largest."""
        if self.members is None:
            return simplex.support(self.x, threshold)
        return self.members[simplex.in_support(self.x[self.members], threshold)]

    def support_size(self, threshold: float) -> int:
        """Return how many shares exceed `threshold` × the largest."""
        shares = self.x if self.members is None else self.x[self.members]
        return int(np.count_nonzero(simplex.in_support(shares, threshold)))
