"""K-destinations in each closed part of a walk on its own, and where all other items end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.walks.hitting import hitting_times
from coterie.core.numerics.walks.k_destinations import Destinations
from coterie.core.numerics.walks.markov import Walk, random_walk
from coterie.core.numerics.walks.stationary import closed_components

Search = Callable[[Floats, Floats, int], Destinations]
"""Of the times between the items of a part, π and a number of groups: the best destinations."""


@dataclass(frozen=True, eq=False)
class ClosedParts:
    """Destinations in closed parts.

    Attributes
    ----------
    items : (k,) the destinations, those of the largest part first
    labels : (n,) which of them each item goes to, −1 where none can be
    objective : the steps of the items of closed parts to their destinations
    sizes : of the closed parts, the largest first
    used : how many of them have a destination
    passing : (t,) items outside all closed parts, labelled by where their walk most likely ends
    settled : whether all searches settled
    """

    items: Ints
    labels: Ints
    objective: float
    sizes: tuple[int, ...]
    used: int
    passing: Ints
    settled: bool


def closed_destinations(
    walk: Walk, k: int, search: Search, *, check: Check | None = None
) -> ClosedParts:
    """Apply K-destinations to each closed part independently, k destinations in all.

    A closed part is one that the walk does not leave, and in which it gets from everywhere to
    everywhere. The largest ones have a destination each; each further destination goes to the part
    in which it saves most steps. Items outside the closed parts pass into one of them for good, and
    join the group in which their walk most likely enters.

    Memory: 2 n² numbers.

    References
    ----------
    Kemeny, Snell (1960). Finite Markov chains, chapter 3: absorption.
    """
    parts = sorted(closed_components(walk), key=lambda part: (-len(part), int(part[0])))
    if not parts:
        raise DataError(
            "The walk has no closed part: every item leads to one without an edge. Give a "
            "teleport probability instead.",
            code="not-connected",
        )
    used = parts[:k]
    moves = walk.to_dense()
    times = [_times(moves, part, check) for part in used]
    found = [search(H, pi, 1) for H, pi in times]
    more = [_one_more(times, found, place, search) for place in range(len(used))]
    for _ in range(k - len(used)):
        saved = [
            one.objective - other.objective if other is not None else -np.inf
            for one, other in zip(found, more, strict=True)
        ]
        place = int(np.argmax(saved))
        chosen = more[place]
        if chosen is None:
            break  # every item is a destination
        found[place] = chosen
        more[place] = _one_more(times, found, place, search)
    labels = np.full(walk.n, -1, dtype=np.int64)
    items, count = [], 0
    for part, one in zip(used, found, strict=True):
        labels[part] = one.labels + count
        items.append(part[one.items])
        count += len(one.items)
    passing = np.setdiff1d(np.arange(walk.n), np.concatenate(parts))
    labels[passing] = _entered(moves, passing, labels, count)
    return ClosedParts(
        items=np.concatenate(items),
        labels=labels,
        objective=float(sum(one.objective for one in found)),
        sizes=tuple(len(part) for part in parts),
        used=len(used),
        passing=passing,
        settled=all(one.settled for one in found),
    )


def _times(moves: Floats, part: Ints, check: Check | None) -> tuple[Floats, Floats]:
    if len(part) == 1:
        return np.zeros((1, 1)), np.ones(1)
    inside = Affinity(values=moves[np.ix_(part, part)], symmetric=False)
    return hitting_times(random_walk(inside), check=check)


def _one_more(
    times: list[tuple[Floats, Floats]], found: list[Destinations], place: int, search: Search
) -> Destinations | None:
    H, pi = times[place]
    wanted = len(found[place].items) + 1
    return search(H, pi, wanted) if wanted <= len(H) else None


def _entered(moves: Floats, passing: Ints, labels: Ints, count: int) -> Ints:
    """The group in which a walk from each passing item most likely ends, −1 for none.

    (I − Q) B = R, with Q the moves among passing items and R those into each group.
    """
    if not len(passing):
        return np.zeros(0, dtype=np.int64)
    into = np.column_stack(
        [moves[passing][:, labels == group].sum(axis=1) for group in range(count)]
    )
    inside = np.eye(len(passing)) - moves[np.ix_(passing, passing)]
    chances = np.linalg.solve(inside, into)
    best = chances.argmax(axis=1)
    return np.where(chances.max(axis=1) > 1e-12, best, -1).astype(np.int64)
