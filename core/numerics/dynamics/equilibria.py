"""Sets that a dynamics ends in: watched on the way, kept, and put together as groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.api.curves import Curve
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.state import State

if TYPE_CHECKING:
    from coterie.core.api.context import Context

MOST_LISTED = 2000  # members that an event lists; more would crowd the connection

GAME_CURVES = (
    Curve(
        "objective",
        "objective xᵀAx",
        "How similar the members of the population are on average; rises within a set.",
    ),
    Curve(
        "residual",
        "relative Nash gap",
        "How far the population is from equilibrium, relative to the objective; a set is "
        "found when it is small.",
        log=True,
    ),
    Curve("support", "support size", "Number of items with a share in the population."),
)


@dataclass(frozen=True, eq=False)
class FoundSet:
    """The support of a population, and how good an equilibrium it is.

    Attributes
    ----------
    members : (m,) positions of the items that have a share, in rising order
    shares : (m,) their shares
    cohesiveness : the average payoff, in units of the similarities
    gap : the larger of Nash gap and support deviation, relative to the average payoff
    iterations : steps taken
    converged : whether the gap is within the tolerance
    """

    members: Ints
    shares: Floats
    cohesiveness: float
    gap: float
    iterations: int
    converged: bool

    def summary(self) -> dict[str, Any]:
        """Return what a result's details say of a set."""
        return {
            "size": len(self.members),
            "cohesiveness": self.cohesiveness,
            "gap": self.gap,
            "iterations": self.iterations,
            "limit_hit": not self.converged,
        }


class Watch:
    """Shows every iteration of one run after another, counting through all of them.

    Parameters
    ----------
    context : where the frames go
    scale : what one unit of payoff is worth in similarities
    support : an item is a member when its share exceeds this × the largest
    """

    def __init__(self, context: Context, *, scale: float = 1.0, support: float = 1e-5) -> None:
        self.context, self.scale, self.support = context, scale, support
        self.iteration = 0
        self.announced = 0

    def follow(
        self, states: Iterable[State], phase: str, *, items: Ints | None = None, n: int = 0
    ) -> FoundSet:
        """Run a dynamics to its end and return the set it ends in.

        When the game is one between some `items` of n, in rising order, shares and members are
        shown and kept by their positions among all.
        """
        part = items is not None and len(items) < n
        for state in states:
            shares = state.x
            if part:
                shares = np.zeros(n)
                shares[items] = state.x
            self.context.frame(
                self.iteration + state.iteration,
                objective=state.objective * self.scale,
                residual=state.relative_gap,
                support=state.support_size(self.support),
                phase=phase,
                shares=shares,
            )
        self.iteration += state.iteration + 1
        members = simplex.support(state.x, self.support)
        held = state.x[members]
        gap = state.relative_gap
        return FoundSet(
            members if items is None else items[members],
            held / held.sum(),
            state.objective * self.scale,
            gap if np.isfinite(gap) else float(np.finfo(np.float64).max),
            state.iteration,
            state.converged,
        )

    def announce(self, found: FoundSet) -> None:
        """Tell that a set was found; views mark the moment and colour its members."""
        self.announced += 1
        size = len(found.members)
        members = {"members": found.members.tolist()} if size <= MOST_LISTED else {}
        self.context.event(
            "peeled", set=self.announced, size=size, cohesiveness=found.cohesiveness, **members
        )


def labels_of(n: int, sets: Sequence[FoundSet]) -> Ints:
    """Return, for each of n items, the set in which its share is largest; −1 for none.

    >>> one = FoundSet(np.array([0, 1]), np.array([0.8, 0.2]), 1.0, 0.0, 1, True)
    >>> two = FoundSet(np.array([1, 2]), np.array([0.5, 0.5]), 1.0, 0.0, 1, True)
    >>> labels_of(4, [one, two]).tolist()
    [0, 1, 1, -1]
    """
    labels = np.full(n, -1, dtype=np.int64)
    largest = np.zeros(n)
    for number, found in enumerate(sets):
        better = found.shares > largest[found.members]
        labels[found.members[better]] = number
        largest[found.members[better]] = found.shares[better]
    return labels


def memberships(n: int, sets: Sequence[FoundSet], memory: int) -> Floats | None:
    """Return the (n, k) shares, or None when they would take more than a quarter of `memory`."""
    if 8 * n * len(sets) > memory // 4:
        return None
    membership = np.zeros((n, len(sets)))
    for number, found in enumerate(sets):
        membership[found.members, number] = found.shares
    return membership


def listed(groups: Sequence[Ints]) -> tuple[Ints, Ints]:
    """Return the items of all groups one after another, and where each group starts.

    >>> items, starts = listed([np.array([0, 2]), np.array([2])])
    >>> items.tolist(), starts.tolist()
    ([0, 2, 2], [0, 2, 3])
    """
    starts = np.cumsum([0, *(len(group) for group in groups)])
    items = np.concatenate([np.zeros(0, dtype=np.int64), *groups])
    return items.astype(np.int64), starts.astype(np.int64)


def limit_note(sets: Sequence[FoundSet], tolerance: float) -> tuple[str, ...]:
    """Return the sentence that says how many sets are no equilibrium within the tolerance."""
    open_ended = [found.gap for found in sets if not found.converged]
    if not open_ended:
        return ()
    one = len(open_ended) == 1
    return (
        f"{len(open_ended)} {'set' if one else 'sets'} stopped before the tolerance "
        f"{tolerance:g}, with a relative gap of up to {max(open_ended):.2g}; "
        "raise max_iterations or the tolerance.",
    )
