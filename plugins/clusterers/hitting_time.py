"""Hitting-time clustering: each group walks to its destination in the fewest steps."""

from __future__ import annotations

from typing import Literal

import numpy as np

from coterie.core import (
    Affinity,
    Clusterer,
    Clustering,
    Context,
    Cost,
    Curve,
    Field,
    Floats,
    Ints,
)
from coterie.core.numerics.partitions.groups import require_groups, settled_order
from coterie.core.numerics.walks.closed_destinations import Search, closed_destinations
from coterie.core.numerics.walks.hitting import hitting_times
from coterie.core.numerics.walks.k_destinations import (
    Destinations,
    best_destinations,
    exchanged,
    k_destinations,
    spread_start,
)
from coterie.core.numerics.walks.markov import random_walk


class HittingTimeDestinations(Clusterer):
    """Choose k destinations so that a walk from each item to the nearest is short (HDC).

    The mean number of steps between all pairs of items follows from one inversion. K-destinations
    then sends each item to the destination it reaches soonest, and moves each destination to the
    member its group reaches soonest, from many starts; the smallest sum of steps J wins, and single
    destinations are exchanged for other items while that makes it smaller. Made for directed graphs
    that follow the data: local Gaussians, variable bandwidth. Graphs of many neighbours give times
    that no longer separate groups, which the notes say where a destination is left alone;
    variable bandwidth with 5 neighbours and jumps of 0.01 is worth a try. Memory n × n.
    """

    id, title = "hitting-time", "Hitting times"
    curves = (
        Curve(
            "objective",
            "mean time",
            "Steps that walks take from the items to their destinations; falls.",
        ),
        Curve(
            "residual",
            "share that moved",
            "Share of the items that changed their destination in this round; 0 at the end.",
            log=True,
        ),
        Curve("support", "", "Number of groups, as given."),
    )
    reference = (
        "Chen, Liu, Tang (2008). Clustering via random walk hitting time on directed graphs. AAAI."
    )

    class Params(Clusterer.Params):
        """How many groups, from how many starts."""

        k: int = Field(
            2, ge=1, description="Number of groups.", json_schema_extra={"slider": [1, 20]}
        )
        restarts: int = Field(
            50,
            ge=1,
            description="Number of starts of K-destinations; every second one begins with items "
            "far apart.",
            json_schema_extra={"slider": [1, 200], "advanced": True},
        )
        teleport: float = Field(
            1e-4,
            ge=0,
            lt=1,
            description="Probability of a jump to any item, because neighbour graphs often "
            "cannot be walked in all directions.",
            json_schema_extra={
                "slider": [1e-6, 1e-1],
                "log": True,
                "only_if": {"parts": ["jumps"]},
            },
        )
        parts: Literal["jumps", "closed"] = Field(
            "jumps",
            description="Graph that cannot be walked in all directions: let the walk jump, or, "
            "as published, treat each part that it cannot leave on its own.",
            json_schema_extra={"advanced": True},
        )
        max_iterations: int = Field(
            300,
            ge=1,
            description="Maximum number of rounds per start; the result reports when it was "
            "reached.",
            json_schema_extra={"advanced": True},
        )

    def compute(self, affinity: Affinity, *, params: Params, context: Context) -> Clustering:
        """Compute all times, then the best destinations."""
        context.check()
        require_groups(params.k, affinity.n)
        if params.parts == "closed":
            return _in_closed_parts(affinity, params, context)
        walk = random_walk(affinity, teleport=params.teleport)
        context.progress(0.05, 1, "times between all items")
        H, pi = hitting_times(walk, check=context.check)
        context.progress(0.5, 1, "destinations")
        starts = _starts(H, settled_order(pi), params, context)
        best, objectives = best_destinations(
            H, starts, max_iterations=params.max_iterations, check=context.check
        )
        state, rounds = _replayed(H, starts[best], params, context)
        from_starts = state.objective
        context.progress(0.9, 1, "exchanging destinations")
        better = exchanged(H, state.items, check=context.check)
        if (better != state.items).any():
            state, _ = _replayed(H, better, params, context, after=rounds)
        context.progress(1, 1, "done")
        notes = [f"The walk jumps to any item with probability {params.teleport:g}."]
        if len(walk.dangling):
            notes.append(
                f"Items without an edge, which the walk leaves by a jump: {len(walk.dangling)}."
            )
        if not state.settled:
            notes.append(
                f"Stopped after {params.max_iterations} rounds, while destinations still moved."
            )
        if params.k > 1 and int(np.bincount(state.labels, minlength=params.k).min()) == 1:
            notes.append(
                "A destination is alone in its group: the walk forgets where it began before it "
                "meets one, so times mostly show how often an item is visited. Use "
                "fewer neighbours, such as 5, and more jumps, such as 0.01."
            )
        least = float(objectives.min())
        return Clustering(
            title=f"Hitting times, {params.k} destinations",
            dataset=affinity.dataset,
            labels=state.labels,
            notes=tuple(notes),
            details={
                "objective": state.objective,
                "destinations": state.items.tolist(),
                "teleport": params.teleport,
                "restarts": params.restarts,
                "restarts_that_agree": int((objectives <= least * (1 + 1e-9)).sum()),
                "worst_objective": float(objectives.max()),
                "objective_before_exchanges": from_starts,
                "stationary": [float(pi[item]) for item in state.items],
                "settled": state.settled,
            },
        )

    def estimate(self, affinity: Affinity, *, params: Params) -> Cost:
        """Two dense n × n matrices, an inversion, and products for the destinations."""
        n = affinity.n
        rounds = 10 * params.restarts * params.k
        return Cost(
            bytes=16 * n * n + 100 * n * params.k + (4 << 20),
            seconds=1e-10 * n**3 + 3e-10 * rounds * n * n,
            alternatives=("use clusterer/isoperimetric, which needs no n × n matrix",),
        )


def _starts(
    H: Floats,
    order: Ints,
    params: HittingTimeDestinations.Params,
    context: Context,
    k: int | None = None,
) -> Ints:
    k = params.k if k is None else k
    starts = np.empty((params.restarts, k), dtype=np.int64)
    for number in range(params.restarts):
        context.check()
        starts[number] = (
            spread_start(H, k, order, context.rng)
            if number % 2
            else context.rng.choice(order, k, replace=False)
        )
    return starts


def _in_closed_parts(
    affinity: Affinity, params: HittingTimeDestinations.Params, context: Context
) -> Clustering:
    """Groups as published where the walk cannot go everywhere: each closed part on its own."""
    found = closed_destinations(
        random_walk(affinity), params.k, _search(params, context), check=context.check
    )
    context.progress(1, 1, "done")
    closed, loose = len(found.sizes), int((found.labels < 0).sum())
    notes = [
        f"The walk has {closed} closed {'part' if closed == 1 else 'parts'}; "
        f"{len(found.passing)} items are outside, in the group that their walk most likely ends in."
    ]
    if found.used < closed:
        notes.append(
            f"Only the {found.used} largest closed parts have a destination: {loose} items are in "
            f"no group. Raise k to {closed}, use more neighbours, or let the walk jump."
        )
    if not found.settled:
        notes.append(
            f"Stopped after {params.max_iterations} rounds, while destinations still moved."
        )
    return Clustering(
        title=f"Hitting times, {len(found.items)} destinations in closed parts",
        dataset=affinity.dataset,
        labels=found.labels,
        notes=tuple(notes),
        details={
            "objective": found.objective,
            "destinations": found.items.tolist(),
            "parts": list(found.sizes[:50]),
            "passing": len(found.passing),
            "unassigned": loose,
            "restarts": params.restarts,
            "settled": found.settled,
        },
    )


def _search(params: HittingTimeDestinations.Params, context: Context) -> Search:
    """The best of the starts in one part, improved by exchanges."""

    def search(H: Floats, pi: Floats, k: int) -> Destinations:
        starts = _starts(H, settled_order(pi), params, context, k)
        rounds = params.max_iterations
        best, _ = best_destinations(H, starts, max_iterations=rounds, check=context.check)
        *_, state = k_destinations(H, starts[best], max_iterations=rounds)
        better = exchanged(H, state.items, check=context.check)
        *_, state = k_destinations(H, better, max_iterations=rounds)
        return state

    return search


def _replayed(
    H: Floats,
    start: Ints,
    params: HittingTimeDestinations.Params,
    context: Context,
    *,
    after: int = 0,
) -> tuple[Destinations, int]:
    """The best run once more, shown round by round with its destinations; return the rounds too.

    `after` is the number of rounds that were shown before.
    """
    rounds = k_destinations(H, start, max_iterations=params.max_iterations)
    before: Ints | None = None
    for number, state in enumerate(rounds, 1):
        context.frame(
            after + number,
            objective=state.objective,
            residual=float("nan") if before is None else float((state.labels != before).mean()),
            support=params.k,
            phase="exchanged" if after else "destinations",
            labels=state.labels,
        )
        context.event("destinations", items=state.items, objective=state.objective)
        before = state.labels
    return state, after + number
