"""Groups by several similarities at once: what is best by some weighing of them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
    Ints,
)
from coterie.core.numerics.dynamics import fields, simplex
from coterie.core.numerics.dynamics.equilibria import (
    GAME_CURVES,
    FoundSet,
    Watch,
    labels_of,
    limit_note,
    listed,
    memberships,
)
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.pareto import non_dominated, weight_grid, weighted_sum
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.similarity.affinity_ops import require_items


class MultiAffinity(Clusterer):
    """Dominant sets of several affinities of the same items that no other set beats in all of them.

    Each affinity, in units of its largest entry, is a payoff of its own. They are added up by every
    combination of weights on a grid, and the dominant sets of the sums are compared by all their
    payoffs xᵀA_m x: a set stays when none is at least as good in all and better in one. What stays
    is peeled off before the next round; sets of one round may overlap. Memory: one n × n matrix,
    unless all affinities are sparse or all are factors.
    """

    id, title = "multi-affinity", "Several affinities"
    version = "2"  # says in which round sets were found, for their certificates
    curves = GAME_CURVES
    reference = (
        "Zemene, Rota Bulò, Pelillo (2015). Dominant-set clustering using multiple affinity "
        "matrices. SIMBAD."
    )
    needs = ("affinity+",)

    class Params(Clusterer.Params):
        """How finely the affinities are weighed, and how many groups to find."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: until no cohesive set is left.",
            json_schema_extra={"slider": [0, 20]},
        )
        steps: int = Field(
            4,
            ge=1,
            description="Steps from weight 0 to weight 1 on the grid of weights.",
            json_schema_extra={"slider": [1, 20]},
        )
        min_cohesiveness: float = Field(
            0.0,
            ge=0,
            description="Sets whose weighted payoff does not exceed this are left as clutter; the "
            "largest similarity of each affinity counts as 1.",
            json_schema_extra={"slider": [0.0, 1.0], "advanced": True},
        )
        min_size: int = fields.min_size(2)
        tolerance: float = fields.tolerance()
        max_iterations: int = fields.max_iterations(10_000)
        support: float = fields.support()

    def compute(self, *affinities: Affinity, params: Params, context: Context) -> Clustering:
        """Search with all weights, keep what is not dominated, peel it off, and again."""
        context.check()
        n = _same_items(affinities)
        games = [Game.of(affinity, check=context.check) for affinity in affinities]
        weights = weight_grid(len(games), params.steps)
        run = _Run(games, weights, params, context)
        found = run.rounds()
        sets = [candidate.found for candidate in found]
        items, starts = listed([one.members for one in sets])
        labels = labels_of(n, sets)
        membership = memberships(n, sets, context.memory)
        context.progress(1, 1, "done")
        notes = [*_notes(found, params, run), *limit_note(sets, params.tolerance)]
        if left := int((labels < 0).sum()):
            notes.append(f"{left} {'item belongs' if left == 1 else 'items belong'} to no group.")
        if membership is None:
            notes.append(
                f"Memberships in {len(sets)} sets need too much memory and were not stored."
            )
        return Clustering(
            title="Groups by several affinities",
            dataset=affinities[0].dataset,
            labels=labels,
            membership=membership,
            cohesiveness=np.array([one.cohesiveness for one in sets], dtype=np.float64),
            group_items=items,
            group_starts=starts,
            notes=tuple(notes),
            details={
                "affinities": [affinity.title for affinity in affinities],
                "weightings": len(weights),
                "searches": run.searches,
                "dominated": run.dominated,
                "unsettled": run.unsettled,
                "sets": [candidate.summary() for candidate in found],
            },
        )

    def estimate(self, *affinities: Affinity, params: Params) -> Cost:
        """The weighted sum, and a search for each combination of weights in each round."""
        n = affinities[0].n
        forms = {affinity.form for affinity in affinities}
        if forms == {"dense"} or len(forms) > 1:
            needed = 16 * n * n
        else:
            stored = [affinity.stored for affinity in affinities]
            needed = 48 * sum(int(getattr(one, "nnz", np.size(one))) for one in stored)
        searches = len(affinities) * params.steps * (params.k or 20)
        return Cost(
            bytes=needed + 8 * n * (30 + 2 * (params.k or 20)) + (1 << 20),
            seconds=searches * (0.5e-9 * needed + 2e-3),
            alternatives=("use k-nearest-neighbour graphs",),
        )


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A dominant set of one weighted sum, with its payoff in every affinity.

    `set_aside` are items in sets that are too small, of the rounds since the last that kept any.
    """

    found: FoundSet
    weights: Floats
    payoffs: Floats
    round: int = 0
    set_aside: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def summary(self) -> dict[str, Any]:
        return self.found.summary() | {
            "weights": self.weights.tolist(),
            "payoffs": self.payoffs.tolist(),
            "round": self.round,
            "set_aside": self.set_aside.tolist(),
        }


class _Run:
    """Round after round, among the items that are left."""

    def __init__(
        self,
        games: list[Game],
        weights: Floats,
        params: MultiAffinity.Params,
        context: Context,
    ) -> None:
        self.games, self.weights, self.params, self.context = games, weights, params, context
        self.watch = Watch(context, support=params.support)
        self.noise = max(game.noise for game in games)
        self.searches = self.dominated = 0
        self.unsettled = 0  # searches that ended in no equilibrium, and in nothing to keep

    def rounds(self) -> list[_Candidate]:
        """Return the sets that stay, in the order of the rounds."""
        n, k = self.games[0].n, self.params.k
        left = np.ones(n, dtype=np.bool_)
        kept: list[_Candidate] = []
        number, aside = 0, np.zeros(0, dtype=np.int64)
        while left.any() and (k == 0 or len(kept) < k):
            number += 1
            candidates = self._search(left, len(kept))
            if not candidates:
                break
            payoffs = np.array([candidate.payoffs for candidate in candidates])
            best = [candidates[i] for i in np.flatnonzero(non_dominated(payoffs))]
            self.dominated += len(candidates) - len(best)
            best.sort(key=lambda candidate: -float(candidate.payoffs.mean()))
            for candidate in best:
                left[candidate.found.members] = False
            large = [one for one in best if len(one.found.members) >= self.params.min_size]
            if k:
                large = large[: k - len(kept)]
            for candidate in large:
                self.watch.announce(candidate.found)
            kept += [replace(one, round=number, set_aside=aside) for one in large]
            small = [one.found.members for one in best if one not in large]
            if large:
                aside = aside[:0]
            aside = np.unique(np.concatenate([aside, *small]))
        return kept

    def _search(self, left: Mask, number: int) -> list[_Candidate]:
        """One dominant set for each weighting; of those with the same members the first."""
        n, params = self.games[0].n, self.params
        found: dict[bytes, _Candidate] = {}
        least = max(params.min_cohesiveness, self.noise)
        for step, weights in enumerate(self.weights):
            goal = params.k or n
            gone = number if params.k else n - int(left.sum())
            done = (gone + step / len(self.weights)) / goal
            self.context.progress(min(done, 1.0), 1, f"weights {_shown(weights)}")
            game = self._weighted(weights)
            degrees = game.payoffs(left.astype(np.float64))
            if game.least == 0 and degrees[left].max() <= n * game.noise:
                continue  # no similarity is left between any two items
            self.searches += 1
            states = infection_immunisation(
                game,
                simplex.vertex(n, simplex.best_reply(degrees, left)),
                players=left,
                tolerance=params.tolerance,
                max_iterations=params.max_iterations,
            )
            self.watch.scale = game.scale
            one = self.watch.follow(states, f"weights {_shown(weights)}")
            if one.cohesiveness > least:
                candidate = _Candidate(one, weights, self._payoffs(one))
                found.setdefault(one.members.tobytes(), candidate)
            else:
                self.unsettled += not one.converged
        return list(found.values())

    def _weighted(self, weights: Floats) -> Game:
        return Game.of(weighted_sum(self.games, weights), check=self.context.check)

    def _payoffs(self, found: FoundSet) -> Floats:
        return np.array(
            [
                found.shares @ game.payoffs_of(found.members, found.shares)[found.members]
                for game in self.games
            ]
        )


def _same_items(affinities: Sequence[Affinity]) -> int:
    for affinity in affinities:
        require_items(affinity)
    sizes = [affinity.n for affinity in affinities]
    if len(set(sizes)) > 1:
        given = ", ".join(str(size) for size in sizes[:-1])
        raise DataError(
            f"The affinities must be of the same items. Got {given} and {sizes[-1]} items; "
            "give similarities of the same data.",
            code="items-mismatch",
        )
    return sizes[0]


def _shown(weights: Floats) -> str:
    return " : ".join(f"{weight:.2g}" for weight in weights)


def _notes(found: list[_Candidate], params: MultiAffinity.Params, run: _Run) -> Iterator[str]:
    if run.unsettled:
        runs = "1 search" if run.unsettled == 1 else f"{run.unsettled} searches"
        yield (
            f"{runs} stopped before reaching an equilibrium and found no cohesive set; make the "
            "similarities symmetric, or raise max_iterations."
        )
    if not found:
        yield (
            "No group was found."
            if run.unsettled
            else "No group was found: no two items are similar enough."
        )
        return
    tried = len(run.weights)
    sets = (
        "1 set that no other beats was"
        if len(found) == 1
        else (f"{len(found)} sets that no other beats were")
    )
    weightings = "weighting" if tried == 1 else "weightings"
    yield f"{sets} found with {tried} {weightings} of the affinities."
    if len(found) < params.k:
        yield (
            f"Only {len(found)} of {params.k} groups were found: no other set of items is "
            "cohesive enough."
        )
