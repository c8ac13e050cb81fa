"""Personalised PageRank near its seed: what a query costs does not grow with the graph.

Chance waits at items as a residual. Wherever more waits than the item's share of the accuracy, a
part α stays there for good and the rest moves on along the edges; items that chance never reaches
cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.walks.markov import Walk


@dataclass(frozen=True, eq=False)
class Pushed:
    """What a search from one seed found.

    Attributes
    ----------
    scores : (n,) at most the true ones
    waiting : chance that is not given to any item yet: what the scores miss in all
    reached : items that chance has come to
    edges : how many edges it went along, counted each time
    rounds : how often what waited was moved on
    """

    scores: Floats
    waiting: float
    reached: int
    edges: int
    rounds: int


def push(
    walk: Walk, seed: Floats, restart: float, accuracy: float, *, check: Check | None = None
) -> Pushed:
    """Return scores that miss at most `accuracy` × d_i / mean degree at item i.

    So it is on undirected graphs; on directed ones `waiting` bounds what they miss. At most
    mean degree / (α accuracy) edges are gone along, however large the graph is; 1 / α times as many
    where seeds have no edge. From an item without an edge the walk goes back to the seed: such
    chance is left out, and all scores rise by its share in the end.

    Parameters
    ----------
    walk : on a sparse graph, without teleport
    seed : (n,) a distribution
    restart : α
    accuracy : above 0

    References
    ----------
    Andersen, Chung, Lang (2006). Local graph partitioning using PageRank vectors. FOCS.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> walk = random_walk(Affinity(sparse=csr_array([[0.0, 1.0], [1.0, 0.0]])))
    >>> push(walk, np.array([1.0, 0.0]), 0.5, 1e-9).scores.round(6).tolist()
    [0.666667, 0.333333]
    """
    graph: Any = walk.affinity.sparse
    alone = np.zeros(walk.n, dtype=np.bool_)
    alone[walk.dangling] = True
    rise = 1 - (1 - restart) * float(seed[alone].sum())
    enough = rise * accuracy * walk.degrees / float(walk.degrees.mean())
    enough[alone] = 0.0
    scores, waiting = np.zeros(walk.n), seed.astype(np.float64)
    candidates, edges, rounds, lost = np.flatnonzero(seed), 0, 0, 0.0
    while True:
        if check is not None:
            check()
        ready = candidates[waiting[candidates] > enough[candidates]]
        if not len(ready):
            break
        mass = waiting[ready]
        waiting[ready] = 0.0
        scores[ready] += restart * mass
        mass = (1 - restart) * mass
        lost += float(mass[alone[ready]].sum())
        where, arrived = _moved_on(graph, ready, np.where(alone[ready], 0.0, mass), walk.degrees)
        candidates, place = np.unique(where, return_inverse=True)
        waiting[candidates] += np.bincount(place, weights=arrived, minlength=len(candidates))
        edges += len(where)
        rounds += 1
    reached = int(((scores > 0) | (waiting > 0)).sum())
    scores /= 1 - lost
    return Pushed(scores, float(waiting.sum()) / (1 - lost), reached, edges, rounds)


def _moved_on(graph: Any, items: Ints, mass: Floats, degrees: Floats) -> tuple[Ints, Floats]:
    """The ends of all edges of `items`, and what comes along each."""
    first = graph.indptr[items]
    counts = graph.indptr[items + 1] - first
    ends = np.cumsum(counts)
    edges = np.arange(ends[-1]) + np.repeat(first - (ends - counts), counts)
    return graph.indices[edges], graph.data[edges] * np.repeat(mass / degrees[items], counts)
