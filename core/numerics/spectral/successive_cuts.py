"""Isoperimetric cuts one after the other: each adds a part, so one run gives every number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.numerics.similarity.affinity_ops import with_entries
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.isoperimetric import Cut, Rule, isoperimetric_cut
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.stationary import stationary

TELEPORT = 1e-4  # of the stationary prior, which a directed graph need not have otherwise


@dataclass(frozen=True, eq=False)
class Division:
    """A graph after a cut.

    Attributes
    ----------
    parts : items of each part
    cut : the cut that was made last
    within : the items that it cut
    """

    parts: tuple[Ints, ...]
    cut: Cut
    within: Ints

    def labels(self, n: int) -> Ints:
        """Return the number of the part of each item, −1 for items in none."""
        labels = np.full(n, -1, dtype=np.int64)
        for number, part in enumerate(self.parts):
            labels[part] = number
        return labels


def stationary_flows(graph: Affinity, check: Check | None = None) -> Affinity:
    """Return the directed graph whose edges are the flows π_i p_ij of the walk on it.

    Its degrees are how often the walk is at each item, the prior of a cut.

    >>> A = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> stationary_flows(Affinity(values=A, symmetric=False)).to_dense().tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    walk = random_walk(graph, teleport=TELEPORT)
    keep = stationary(walk, check=check) / walk.degrees
    if graph.sparse is not None:
        flows: Any = graph.sparse.copy()
        flows.data = flows.data * np.repeat(keep, np.diff(flows.indptr))
        return with_entries(graph, flows, symmetric=False)
    return with_entries(graph, graph.to_dense() * keep[:, None], symmetric=False)


def successive_cuts(
    graph: Affinity,
    items: Ints,
    k: int,
    *,
    rule: Rule = "criterion",
    ground: int | None = None,
    check: Check | None = None,
) -> Iterator[Division]:
    """Cut the part whose best cut has the smallest ratio, again and again, until there are k.

    Parameters
    ----------
    graph : symmetric, or the flows of a walk
    items : those to be divided
    ground : the item that is the ground of the part it is in; the heaviest of a part unless given

    Yields
    ------
    Division : after each cut; fewer than k − 1 where no part can be cut further

    Examples
    --------
    >>> A = np.kron(np.eye(3), np.ones((3, 3))) + 0.01
    >>> [len(d.parts) for d in successive_cuts(Affinity(values=A), np.arange(9), 3)]
    [2, 3]
    """
    parts = [items]
    best = [_best_cut(graph, items, rule, ground, check)]
    while len(parts) < k:
        possible = [(cut.ratio, at, cut) for at, cut in enumerate(best) if cut is not None]
        if not possible:
            return
        _, at, cut = min(possible, key=lambda entry: entry[:2])
        within = parts[at]
        near, far = within[cut.near], within[cut.far]
        parts[at] = near
        parts.append(far)
        yield Division(tuple(parts), cut, within)
        if len(parts) < k:
            best[at] = _best_cut(graph, near, rule, ground, check)
            best.append(_best_cut(graph, far, rule, ground, check))


def _best_cut(
    graph: Affinity, part: Ints, rule: Rule, ground: int | None, check: Check | None
) -> Cut | None:
    inside = graph if len(part) == graph.n else graph.submatrix(part)
    at = None if ground is None else next(iter(np.flatnonzero(part == ground).tolist()), None)
    return isoperimetric_cut(inside, weights=inside.degrees(), rule=rule, ground=at, check=check)
