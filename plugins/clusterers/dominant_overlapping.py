"""Overlapping dominant sets: many different groups of the same items, which may share members."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    DataError,
    Field,
    Floats,
)
from coterie.core.numerics.dynamics import fields, simplex
from coterie.core.numerics.dynamics.equilibria import (
    GAME_CURVES,
    FoundSet,
    Watch,
    labels_of,
    listed,
    memberships,
)
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.enumeration.extended_game import (
    ExtendedGame,
    evolve_extended,
    perturbed_barycentre,
)
from coterie.core.numerics.enumeration.side_by_side import side_by_side
from coterie.core.numerics.similarity.ties import smallest

NEIGHBOURS = 10  # in the neighbourhood of an item that a search starts from
# Shares that differ by less in total are those of one equilibrium, found to the tolerance twice.
SAME = 1e-3
ROUNDS, BATCH = 60, 256  # of populations side by side; after that each goes on alone
FRUITLESS = 20  # searches in a row that find no further set end the published enumeration
STEPS = 200  # of a search in the extended game, for each strategy, before it is given up


class DominantOverlapping(Clusterer):
    """Distinct, possibly overlapping dominant sets of the whole data, found from many starts.

    Nothing is peeled off: every set is an equilibrium of the game between all items. Searches start
    from items with their nearest neighbours, and from random populations, one by one or all
    together; what is found again is dropped. As published, the game gets one more strategy for
    each set, which makes it unstable; it is not found again. Sets are listed by
    cohesiveness; an item's label is the set in which its share is largest. Not every set has to be
    found: more starts find more.
    """

    id, title = "dominant-overlapping", "Overlapping dominant sets"
    curves = GAME_CURVES
    reference = (
        "Torsello, Rota Bulò, Pelillo (2008). Beyond partitions: allowing overlapping groups in "
        "pairwise clustering. ICPR."
    )

    class Params(Clusterer.Params):
        """How many sets to find, and from where."""

        search: Literal["starts", "together", "published"] = Field(
            "starts",
            description="From one start after another; from all starts at the same time, as "
            "columns of one matrix; or as published, by extensions of the game that make the sets "
            "found so far unstable.",
        )
        max_sets: int = Field(
            50,
            ge=1,
            description="Maximum number of sets; the search ends when it is reached.",
            json_schema_extra={"slider": [1, 200]},
        )
        starts: int = Field(
            200,
            ge=1,
            description="Items whose neighbourhoods are starting points: all, or this many drawn "
            "at random.",
            json_schema_extra={
                "slider": [10, 2000],
                "log": True,
                "only_if": {"search": ["starts", "together"]},
            },
        )
        random_starts: int = Field(
            20,
            ge=0,
            description="Number of searches that start from a random mixture of all items.",
            json_schema_extra={
                "slider": [0, 200],
                "only_if": {"search": ["starts", "together"]},
            },
        )
        min_cohesiveness: float = Field(
            0.0,
            ge=0,
            description="Sets whose cohesiveness xᵀAx does not exceed this are left out.",
            json_schema_extra={"unit": "similarity", "advanced": True},
        )
        min_size: int = fields.min_size(2)
        tolerance: float = fields.tolerance()
        max_iterations: int = fields.max_iterations(10_000)
        support: float = fields.support()

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Search from one start after another, keeping what is new."""
        if affinity.n == 0:
            raise DataError(
                "There are no items to group. Open a file with at least one item.",
                code="empty-data",
            )
        context.check()
        n = affinity.n
        game = Game.of(affinity, check=context.check)
        searches = {"starts": _Search, "together": _Together, "published": _Published}
        search = searches[params.search](game, params, context)
        search.run()
        found = sorted(search.found, key=lambda one: -one.cohesiveness)
        items, starts = listed([one.members for one in found])
        membership = memberships(n, found, context.memory)
        context.progress(1, 1, "done")
        return Clustering(
            title="Overlapping dominant sets",
            dataset=affinity.dataset,
            labels=labels_of(n, found),
            membership=membership,
            cohesiveness=np.array([one.cohesiveness for one in found], dtype=np.float64),
            group_items=items,
            group_starts=starts,
            notes=tuple(search.notes(membership is None)),
            details={
                "searches": search.searches,
                "unsettled": search.unsettled,
                "in_several": int((np.bincount(items, minlength=n) > 1).sum()),
                "sets": [one.summary() for one in found],
            },
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """A few vectors, the sets and their memberships."""
        n = affinity.n
        searches = min(n, params.starts) + params.random_starts
        return Cost(
            bytes=8 * n * (30 + 2 * min(n, params.max_sets)) + (1 << 20),
            seconds=searches * (2e-8 * n * min(n, 500) + 2e-3),
            alternatives=("lower starts", "use a k-nearest-neighbour graph"),
        )


class _Search:
    """Equilibria from many starts, each kept once."""

    def __init__(self, game: Game, params: DominantOverlapping.Params, context: Context) -> None:
        self.game, self.params, self.context = game, params, context
        self.watch = Watch(context, scale=game.scale, support=params.support)
        self.found: list[FoundSet] = []
        self.searches = self.unsettled = self.left_out = 0
        self.full = False

    def run(self) -> None:
        """Search until the starts are used up or enough is found."""
        n, params = self.game.n, self.params
        total = min(n, params.starts) + params.random_starts
        for start in self._starts():
            self.context.progress(self.searches, total, f"search {self.searches + 1}")
            if len(self.found) >= params.max_sets:
                self.full = True
                return
            self._keep(self._settle(start))

    def _settle(self, start: Floats) -> FoundSet:
        """The equilibrium that a population of the whole game ends in."""
        self.searches += 1
        states = infection_immunisation(
            self.game,
            start,
            tolerance=self.params.tolerance,
            max_iterations=self.params.max_iterations,
        )
        return self.watch.follow(states, f"search {self.searches}")

    def _keep(self, candidate: FoundSet) -> bool:
        """Keep a set that is new, and say whether it is."""
        least = max(self.params.min_cohesiveness, self.game.noise * self.game.scale)
        if candidate.cohesiveness <= least or len(candidate.members) < self.params.min_size:
            self.left_out += 1
        elif not candidate.converged:
            self.unsettled += 1
        elif not any(same_set(candidate, other) for other in self.found):
            self.found.append(candidate)
            self.watch.announce(candidate)
            return True
        return False

    def _starts(self) -> Iterator[Floats]:
        n, rng = self.game.n, self.context.rng
        for item in rng.permutation(n)[: self.params.starts]:
            similar = self.game.column(int(item))
            similar[item] = 0.0
            near = smallest(-similar, min(NEIGHBOURS, n))
            near = near[similar[near] > 0]
            x = simplex.vertex(n, int(item))
            if len(near):
                # With as much weight as all neighbours together, so each start differs.
                x[near] = similar[near] / similar[near].sum()
                x /= 2
            yield x
        for _ in range(self.params.random_starts):
            yield simplex.random_point(n, rng)

    def notes(self, without_membership: bool) -> Iterator[str]:
        """What a person should know about the search."""
        if not self.found and self.unsettled:
            yield (
                "No group was found: all searches went in circles, or stopped before reaching an "
                "equilibrium. Make the similarities symmetric (graph/symmetrise), or raise "
                "max_iterations."
            )
        elif not self.found:
            yield "No group was found: no two items are similar enough."
        else:
            one = len(self.found) == 1
            sets = "1 set was" if one else f"{len(self.found)} different sets were"
            searches = "search" if self.searches == 1 else "searches"
            yield f"{sets} found in {self.searches} {searches}."
        if self.full:
            yield (
                f"The search ended at the limit of {self.params.max_sets} sets; there may be more."
            )
        if self.found and self.unsettled:
            searches = "search" if self.unsettled == 1 else "searches"
            yield (
                f"{self.unsettled} {searches} stopped before reaching an equilibrium and were "
                "not used; raise max_iterations or the tolerance."
            )
        covered = np.unique(np.concatenate([[-1], *(one.members for one in self.found)]))
        left = self.game.n - len(covered) + 1
        if left:
            yield f"{left} {'item is' if left == 1 else 'items are'} in no set."
        if without_membership:
            yield f"Memberships in {len(self.found)} sets need too much memory and were not stored."


class _Together(_Search):
    """All populations evolve at the same time; those that end alike are one, and settle alone."""

    def run(self) -> None:
        """Evolve one batch of starts after another."""
        n, starts = self.game.n, self._starts()
        total = min(n, self.params.starts) + self.params.random_starts
        while batch := list(islice(starts, BATCH)):
            ends = begun = np.column_stack(batch)
            for population in side_by_side(self.game, begun, rounds=ROUNDS):
                self.context.check()
                ends = population
            for end in _distinct(ends):
                self.context.progress(min(self.searches, total), total, "settling")
                if len(self.found) >= self.params.max_sets:
                    self.full = True
                    return
                self._keep(self._settle(end))


class _Published(_Search):
    """Each search is in the game with a strategy for each set found, which is then unstable."""

    def run(self) -> None:
        """Search until several searches in a row find no further set."""
        params, extended, fruitless = self.params, ExtendedGame(self.game), 0
        while fruitless < FRUITLESS and not self.full:
            self.context.progress(len(self.found), params.max_sets, f"set {len(self.found) + 1}")
            start = self._next(fruitless)
            steps = min(params.max_iterations, STEPS * extended.n)
            for state in evolve_extended(
                extended, start, tolerance=params.tolerance, max_iterations=steps
            ):
                if state.iteration % 64 == 0:
                    self.context.check()
            self.searches += 1
            self.unsettled += not state.converged
            if state.converged and state.x.sum() > 1 - params.tolerance:
                candidate = self._settle(state.x / state.x.sum())
                self.searches -= 1  # it only looks at where the first one ended
                known = len(self.found)
                self._keep(candidate)
                if len(self.found) > known:
                    extended.add(candidate.members)
                    fruitless = 0
                    self.full = len(self.found) >= params.max_sets
                    continue
            fruitless += 1

    def _next(self, fruitless: int) -> Floats:
        """Near all items alike; after that fails, items in no set yet, or any."""
        n, rng = self.game.n, self.context.rng
        if not fruitless:
            return perturbed_barycentre(n, rng)
        covered = np.zeros(n, dtype=bool)
        for one in self.found:
            covered[one.members] = True
        lonely = np.flatnonzero(~covered)
        among = lonely if len(lonely) and fruitless % 2 else np.arange(n)
        return simplex.vertex(n, int(rng.choice(among)))


def _distinct(ends: Floats) -> Iterator[Floats]:
    """The columns that differ, as far as their shares say."""
    kept: list[Floats] = []
    for end in ends.T:
        if not any(np.minimum(end, other).sum() > 1 - SAME for other in kept):
            kept.append(end)
            yield end


def same_set(one: FoundSet, other: FoundSet) -> bool:
    """Whether two equilibria are one: their shares agree, or one support holds the other.

    The support of a stable equilibrium never holds that of another equilibrium, so nested supports
    differ by members whose share is next to nothing.
    """
    common, places, others = np.intersect1d(
        one.members, other.members, assume_unique=True, return_indices=True
    )
    if len(common) == min(len(one.members), len(other.members)):
        return True
    agreed = np.minimum(one.shares[places], other.shares[others]).sum()
    return bool(1 - agreed <= SAME)
