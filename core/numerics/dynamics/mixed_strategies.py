"""Which mixture of strategies to infect a population with, so it settles in few steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics import simplex

SHORTEST, LONGEST = 1e-3, 1e6  # step lengths, in units of 1 / largest entry of A
# A conjugate line that meets the border before this share of the last length is not worth a
# product with A: others have to leave first.
CUT = 0.5


@dataclass(frozen=True, slots=True)
class StrategyMixture:
    """A way from the population x to an infective mixture: x + share × change.

    Attributes
    ----------
    items : (m,) whose shares change
    change : (m,) by how much, for a share of one; sums to zero
    most : the largest share that leaves the population on the simplex
    leaves : (l,) who is left without a share when `most` is taken
    """

    items: Ints
    change: Floats
    most: float
    leaves: Ints


class StrategyMixtures:
    """Selects one mixture after another for a population in a symmetric game.

    As long as items still join or leave, the mixture is the population nearest to x + t A x: all
    that do better than the average at once, in proportion, without those that do worse. The
    length t is that of the last step's curvature (Barzilai and Borwein 1988). Once a step has
    left the support as it was, and nobody outside does better than the members differ, the
    mixture is on a line through x that is conjugate to the lines before (Polak and Ribière
    1969), at the end of what the simplex allows.
    """

    def __init__(self) -> None:
        self._length = 1.0
        self._members: Ints | None = None
        self._uphill: Floats | None = None
        self._way: Floats | None = None

    def choose(self, x: Floats, members: Ints, excess: Floats, reach: Floats) -> StrategyMixture:
        """Return the mixture for x, given A x − xᵀA x and the same with −∞ for those barred."""
        inside = excess[members]
        level = float(inside.sum()) / len(inside)
        uphill = inside - level
        settled = self._members is not None and np.array_equal(members, self._members)
        self._members = members
        worst = float(np.abs(uphill).max())
        if settled and worst > 0 and float(reach.max()) - level <= worst:
            mixture = self._along_a_conjugate(x, members, uphill)
            if mixture.most >= CUT * self._length:
                return mixture
        self._way = None
        return self._towards_the_better(x, members, reach)

    def learn(self, squared: float, curvature: float) -> None:
        """Take in the squared length of the last change, and cᵀA c of it."""
        if curvature < 0:
            self._length = min(max(squared / -curvature, SHORTEST), LONGEST)
        else:
            self._length = min(10 * self._length, LONGEST)

    def forget(self) -> None:
        """Start again, but for the length: the payoffs or the players have been replaced."""
        self._way = self._uphill = self._members = None

    def _towards_the_better(self, x: Floats, members: Ints, reach: Floats) -> StrategyMixture:
        target = simplex.project(x + self._length * reach)
        change = target - x
        items = change.nonzero()[0]
        return StrategyMixture(items, change[items], 1.0, members[target[members] == 0.0])

    def _along_a_conjugate(self, x: Floats, members: Ints, uphill: Floats) -> StrategyMixture:
        way = uphill
        if self._way is not None and self._uphill is not None:
            before = float(self._uphill @ self._uphill)
            turned = float(uphill @ (uphill - self._uphill)) / before if before > 0 else 0.0
            if turned > 0:
                way = uphill + turned * self._way
                way -= way.mean()
                if float(way @ uphill) <= 0:
                    way = uphill
        self._way, self._uphill = way, uphill
        shrinking = (way < 0).nonzero()[0]
        limits = x[members[shrinking]] / -way[shrinking]
        most = float(limits.min())
        return StrategyMixture(members, way, most, members[shrinking[limits == most]])
