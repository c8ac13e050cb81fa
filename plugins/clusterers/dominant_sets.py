"""Dominant sets: groups whose members are more alike than they are to anything outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

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
from coterie.core.numerics.dynamics import cliques, fields
from coterie.core.numerics.dynamics.equilibria import GAME_CURVES
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import Selection
from coterie.core.numerics.dynamics.peel_candidates import remaining
from coterie.core.numerics.dynamics.peeling import DominantSet, Dynamics, Evolution
from coterie.core.numerics.dynamics.state import State
from coterie.core.numerics.dynamics.stopping import Stop, early_notes
from coterie.core.numerics.similarity.distances import nearest_labelled, row_blocks
from coterie.core.numerics.transduction.second_scale import SecondScale
from coterie.core.numerics.transduction.spreading import transduce

MOST_LISTED = 2000  # members that an event lists; more would crowd the connection
MOST_FOLLOWED = 1000  # sets of which every iteration is shown; of later ones the last
MOST_NAMED = 5  # sets that the notes name one by one
MOST_BYTES = 256 << 20  # of memberships, where the similarities themselves take less
# Rounds of transduction: labels cross any data in fewer, and what a gap holds up drifts for ever.
MOST_ROUNDS = 10_000


class DominantSets(Clusterer):
    """Groups that hold together: found one by one by a game between the items, clutter left out.

    Each group is the support of an equilibrium x of the game with payoffs A, peeled off before
    the next is found. Its cohesiveness is xᵀA x, the membership of an item its share in x. The
    diagonal of A counts as zero. Other dynamics, or other starts, may end in other sets that are
    equally valid. Works on dense, sparse, factored, asymmetric and negative similarities; only
    `rest` = transduction takes memory beyond a few vectors.
    """

    id, title = "dominant-sets", "Dominant sets"
    version = "2"  # the transduction of the rest ends at an equilibrium
    curves = GAME_CURVES
    reference = "Pavan, Pelillo (2007). Dominant sets and pairwise clustering. IEEE PAMI 29(1)."

    class Params(Clusterer.Params):
        """How many sets, how they are found, and what becomes of the other items."""

        k: int = Field(
            0,
            ge=0,
            description="Number of groups; 0: until no cohesive set is left.",
            json_schema_extra={"slider": [0, 20]},
        )
        dynamics: Dynamics = Field(
            "infection-immunisation",
            description="Dynamics of the population; the first is by far the fastest.",
        )
        selection: Selection = fields.selection()
        stop: Stop = fields.stop()
        tolerance: float = fields.tolerance()
        max_iterations: int = fields.max_iterations(100_000)
        support: float = fields.support()
        min_cohesiveness: float = Field(
            0.0,
            ge=0,
            description="Sets whose cohesiveness xᵀAx does not exceed this are left as clutter.",
            json_schema_extra={"unit": "similarity", "advanced": True},
        )
        min_size: int = fields.min_size(1)
        start: Literal["auto", "barycentre", "best-reply", "random"] = Field(
            "auto",
            description="Start of the population; auto: the best reply to all items for "
            "infection-immunisation, equal shares for the others.",
            json_schema_extra={"advanced": True},
        )
        rate: float = Field(
            1.0,
            gt=0,
            description="Growth rate of the exponential dynamics, per largest similarity.",
            json_schema_extra={
                "slider": [0.01, 100.0],
                "log": True,
                "advanced": True,
                "only_if": {"dynamics": ["exponential"]},
            },
        )
        clique: bool = Field(
            False,
            description="For similarities of 0 and 1 only: each set is a maximal clique, whose "
            "members are all similar to one another (½ on the diagonal).",
            json_schema_extra={"advanced": True},
        )
        rest: Literal["none", "nearest", "transduction"] = Field(
            "none",
            description="What to do with items in no set: leave them as clutter, give them the "
            "group of the nearest member, or spread the labels through their neighbours.",
        )
        rest_sigma: Annotated[float, Field(ge=0)] | Literal["auto"] = fields.rest_sigma()
        rest_euler: float = fields.rest_euler()
        rest_normalise: bool = fields.rest_normalise()

        @property
        def second(self) -> SecondScale:
            """Along what the labels of the rest spread."""
            return SecondScale(self.rest_sigma, self.rest_euler, self.rest_normalise, "rest_sigma")

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Peel off the sets, then label the rest as asked."""
        if affinity.n == 0:
            raise DataError(
                "There are no items to group. Open a file with at least one item.",
                code="empty-data",
            )
        context.check()
        if params.clique:
            cliques.require_graph(affinity, check=context.check)
        own = cliques.OWN if params.clique else 0.0
        run = _Run(Game.of(affinity, own=own, check=context.check), params, context)
        found = run.peel()
        labels = np.full(affinity.n, -1, dtype=np.int64)
        for number, group in enumerate(found):
            labels[group.members] = number
        peeled = int((labels >= 0).sum())
        notes = [*_notes(found, params, run)]
        rest: dict[str, Any] = {"how": params.rest}
        if params.rest != "none" and found and peeled < affinity.n:
            labels = run.fill(labels, len(found), rest)
        if rest.get("sigma") and params.rest_sigma == "auto":
            notes.append(
                f"The rest was labelled along a second similarity of width {rest['sigma']:.4g}, "
                "a quarter of the median distance to the 7th neighbour."
            )
        if not rest.get("converged", True):
            notes.append("The transduction stopped at the iteration limit before it converged.")
        context.progress(1, 1, "done")
        left = int((labels < 0).sum())
        notes += _about_the_rest(left, found, params, run)
        membership = _membership(found, affinity, context)
        if membership is None:
            notes.append(
                f"Memberships in {len(found)} sets need too much memory and were not stored."
            )
        return Clustering(
            title=f"Dominant sets ({params.dynamics})",
            dataset=affinity.dataset,
            labels=labels,
            membership=membership,
            cohesiveness=np.array([group.cohesiveness for group in found], dtype=np.float64),
            notes=tuple(notes),
            details={
                "dynamics": params.dynamics,
                "start": run.evolution.start,
                "in_sets": peeled,
                "unassigned": left,
                "unsettled": run.unsettled,
                "rest": rest,
                "sets": [
                    {
                        "size": len(group.members),
                        "cohesiveness": group.cohesiveness,
                        "gap": group.gap,
                        "iterations": group.iterations,
                        "limit_hit": not group.converged,
                        "strict": group.strict,
                    }
                    for group in found
                ],
            },
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Vectors and memberships; transduction also copies the rows of the unlabelled items."""
        n = affinity.n
        needed = 8 * n * (20 + (params.k or 20))
        alternatives: tuple[str, ...] = ()
        if params.rest == "transduction":
            if params.second.forms(affinity) or affinity.form == "dense":
                needed += 8 * n * n
                alternatives = (
                    'use rest = "nearest"',
                    "use a k-nearest-neighbour graph and rest_sigma = 0",
                )
            elif affinity.sparse is not None:
                needed += 16 * int(affinity.sparse.nnz)
        seconds = 1e-3 * n  # a sparse graph in thousands of sets, each with its neighbours
        if affinity.form != "sparse":
            seconds = 2e-8 * n * n + 1e-4 * n
        return Cost(bytes=needed, seconds=seconds, alternatives=alternatives)


class _Run:
    """One run: peels sets off and fills in the rest, counting iterations through both."""

    def __init__(self, game: Game, params: DominantSets.Params, context: Context) -> None:
        self.game, self.params, self.context = game, params, context
        self.iterations = 0  # shown so far
        self.phase = ""
        self.set_aside = self.unsettled = 0  # the latter: of those set aside, no equilibrium
        self.lonely = self.sets = 0
        start = params.start
        if start == "auto":
            fast = params.dynamics == "infection-immunisation"
            start = "best-reply" if fast else "barycentre"
        self.evolution = Evolution(
            game,
            params.dynamics,
            start,
            tolerance=params.tolerance,
            max_iterations=params.max_iterations,
            support=params.support,
            rate=params.rate,
            selection=params.selection,
            stop=params.stop,
            rng=context.rng,
        )

    def peel(self) -> list[DominantSet]:
        """Find one set after another among the items that are left."""
        params, n = self.params, self.game.n
        rest = remaining(self.game)
        self.lonely = rest.lonely
        found: list[DominantSet] = []
        while rest.count and (params.k == 0 or len(found) < params.k):
            done = len(found) / params.k if params.k else 1 - rest.count / n
            self.sets = len(found) + 1
            self.phase = f"set {self.sets}"
            self.context.progress(done, 1, self.phase)
            best = rest.best()
            if best is None:
                break  # no similarity is left between any two items
            group = self.evolution.find(best, rest.left, self._show)
            rest.remove(group.members)
            if (
                group.cohesiveness > max(params.min_cohesiveness, self.game.noise * self.game.scale)
                and len(group.members) >= params.min_size
            ):
                found.append(group)
                self._announce(len(found), group)
            else:
                self.set_aside += 1
                self.unsettled += not group.converged
        return found

    def _show(self, state: State) -> None:
        if self.sets > MOST_FOLLOWED and not state.converged:
            self.context.check()
            self.iterations += 1
            return
        self.context.frame(
            self.iterations,
            objective=state.objective * self.game.scale,
            residual=state.relative_gap,
            support=state.support_size(self.params.support),
            phase=self.phase,
            shares=state.x,
        )
        self.iterations += 1

    def _announce(self, number: int, group: DominantSet) -> None:
        size = len(group.members)
        members = {"members": group.members.tolist()} if size <= MOST_LISTED else {}
        self.context.event(
            "peeled", set=number, size=size, cohesiveness=group.cohesiveness, **members
        )

    def fill(self, labels: Ints, k: int, report: dict[str, Any]) -> Ints:
        """Give the items in no set the label of a group, where possible."""
        if self.params.rest == "nearest":
            self.context.progress(1, 2, "nearest members")
            return _nearest(self.game.affinity, labels, self.context)
        unlabelled = np.flatnonzero(labels < 0)
        self.context.progress(1, 2, "transduction")
        rows, sigma = self.params.second.rows(
            self.game.affinity, unlabelled, check=self.context.check
        )
        most = min(self.params.max_iterations, MOST_ROUNDS)
        for spread in transduce(rows, labels, k, max_iterations=most):
            shown = spread.labels(certainty=0.5)
            self.context.frame(
                self.iterations + spread.iteration,
                residual=spread.gap,
                support=int((shown >= 0).sum()),
                phase="transduction",
                labels=shown,
            )
        self.context.event("rest")
        report |= {
            "iterations": spread.iteration,
            "converged": spread.converged,
            "payoff_gap": spread.gap,
            "sigma": sigma,
        }
        return spread.labels()


def _nearest(affinity: Affinity, labels: Ints, context: Context) -> Ints:
    """By distance where there are features, otherwise by the largest similarity above zero."""
    if affinity.dataset is not None and affinity.dataset.features is not None:
        return nearest_labelled(affinity.dataset.dense_features(), labels, check=context.check)
    filled = labels.copy()
    unlabelled, known = np.flatnonzero(labels < 0), np.flatnonzero(labels >= 0)
    for block in row_blocks(len(unlabelled), affinity.n):
        context.check()
        similar = affinity.rows(unlabelled[block])[:, known]
        best = similar.argmax(axis=1)
        any_at_all = similar.max(axis=1) > 0
        filled[unlabelled[block]] = np.where(any_at_all, labels[known[best]], -1)
    return filled


def _notes(found: list[DominantSet], params: DominantSets.Params, run: _Run) -> Iterator[str]:
    set_aside = run.set_aside
    if not found and not set_aside:
        yield (
            "No group was found: there is only one item."
            if run.game.n == 1
            else "No group was found: no two items are similar. Widen the kernel."
        )
    elif not found:
        yield "No group was found: no set of items is cohesive enough."
    elif len(found) < params.k:
        yield (
            f"Only {len(found)} of {params.k} groups were found: no other set of items is "
            "cohesive enough."
        )
    if run.unsettled:
        runs = "1 search" if run.unsettled == 1 else f"{run.unsettled} searches"
        yield (
            f"{runs} stopped before reaching an equilibrium and found no cohesive set; try other "
            "dynamics, or make the similarities symmetric."
        )
    unfinished = [(number, group) for number, group in enumerate(found, 1) if not group.converged]
    for number, group in unfinished[:MOST_NAMED]:
        where = (
            f"at the iteration limit of {params.max_iterations}"
            if group.iterations >= params.max_iterations
            else "where rounding allowed no further step"
        )
        yield f"Set {number} stopped {where}, with a relative gap of {group.gap:.2g}."
    if len(unfinished) > MOST_NAMED:
        yield f"So did {len(unfinished) - MOST_NAMED} more sets."
    yield from early_notes((group.gap for group in found if group.converged), params.tolerance)
    loose = [number for number, group in enumerate(found, 1) if group.strict is False]
    if loose:
        named = ", ".join(map(str, loose[:MOST_NAMED]))
        more = f" and {len(loose) - MOST_NAMED} more" if len(loose) > MOST_NAMED else ""
        yield (
            f"Not strict: set{'' if len(loose) == 1 else 's'} {named}{more}. Others outside, or "
            "other shares of the members, do exactly as well: an equilibrium, but not the only one."
        )
    if set_aside and (params.min_size > 1 or params.min_cohesiveness > 0):
        sets = "1 set was" if set_aside == 1 else f"{set_aside} sets were"
        yield f"{sets} too small or not cohesive enough, and left as clutter."


def _about_the_rest(
    left: int, found: list[DominantSet], params: DominantSets.Params, run: _Run
) -> Iterator[str]:
    if not left:
        return
    yield f"{left} {'item belongs' if left == 1 else 'items belong'} to no group."
    if found and (lonely := min(left, run.lonely)):
        yield (
            "1 item is similar to no other item: its row is all zero."
            if lonely == 1
            else f"{lonely} items are similar to no other item: their rows are all zero."
        )
    if params.rest == "transduction" and found:
        them = "it" if left == 1 else "them"
        yield f"No group's labels reached {them}, or several did so equally."


def _membership(found: list[DominantSet], affinity: Affinity, context: Context) -> Floats | None:
    """The share of each item in each set, or None where that takes too much memory."""
    # A table of all items and all sets must not dwarf the similarities it was made from.
    stored: Any = affinity.stored
    own = int(stored.data.nbytes)
    if 8 * affinity.n * len(found) > min(max(MOST_BYTES, own), context.memory // 4):
        return None
    membership = np.zeros((affinity.n, len(found)))
    for number, group in enumerate(found):
        membership[group.members, number] = group.shares
    return membership
