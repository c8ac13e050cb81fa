"""Groups of a graph made better by their own measure: items at the borders change sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints

MOST_ROUNDS = 50  # on graphs of neighbours fewer than ten suffice


def refined(
    affinity: Affinity, labels: Ints, *, max_rounds: int = MOST_ROUNDS
) -> Iterator[tuple[Ints, float]]:
    """Yield groups whose normalised cut falls from one to the next, until no single move helps.

    In each round every item says which group it would move to, and how much the cut would fall if
    it alone moved. All that gain are moved together; while that does not lower the cut, only the
    half that gains most. A group never loses its last item, and items in no group stay out.

    Parameters
    ----------
    affinity : symmetric, not negative
    labels : (n,) groups from 0; −1 for items in none

    Yields
    ------
    labels, cut : the given groups first

    Notes
    -----
    With a = W(group, group) and v = W(group, all), the cut is the mean of 1 − a/v. An item with
    degree d and weight w to a group changes that group's a by 2w and its v by d: one product with
    the indicators of the groups gives all moves at once, O(n k) numbers beside the graph.

    Examples
    --------
    >>> A = np.array([[0.0, 3, 3, 0, 0], [3, 0, 3, 0, 0], [3, 3, 0, 1, 0], [0, 0, 1, 0, 3],
    ...               [0, 0, 0, 3, 0]])
    >>> *_, (labels, cut) = refined(Affinity(values=A), np.array([0, 0, 1, 1, 1]))
    >>> labels.tolist(), round(cut, 4)
    ([0, 0, 0, 1, 1], 0.0977)
    """
    inside = np.flatnonzero(np.asarray(labels) >= 0)
    everywhere = len(inside) == affinity.n
    graph = affinity if everywhere else affinity.submatrix(inside)
    groups = np.asarray(labels)[inside].astype(np.int64)
    degrees, own = graph.degrees(), graph.diagonal()
    now = _Weights.of(graph, groups, degrees)
    yield np.array(labels, dtype=np.int64), now.cut()
    if len(np.unique(groups)) < 2:
        return
    for _ in range(max_rounds):
        gains, target = now.best_moves(groups, degrees, own)
        alone = np.bincount(groups)[groups] == 1
        movers = np.flatnonzero((gains > 1e-12) & ~alone)
        movers = movers[np.argsort(-gains[movers], kind="stable")]
        while len(movers):
            tried = _without_emptying(groups, movers, target)
            after = _Weights.of(graph, tried, degrees)
            if after.cut() < now.cut() - 1e-12:
                break
            movers = movers[: len(movers) // 2]
        if not len(movers):
            return
        groups, now = tried, after
        result = np.full(affinity.n, -1, dtype=np.int64)
        result[inside] = groups
        yield result, now.cut()


class _Weights:
    """What each item has in common with each group, and the groups with themselves and all."""

    def __init__(self, toward: Floats, within: Floats, volume: Floats) -> None:
        self._toward, self._within, self._volume = toward, within, volume

    @classmethod
    def of(cls, graph: Affinity, groups: Ints, degrees: Floats) -> _Weights:
        k = int(groups.max(initial=-1)) + 1
        member = (groups[:, None] == np.arange(k)).astype(np.float64)
        toward = graph.matvec(member)
        own_group = toward[np.arange(len(groups)), groups]
        return cls(toward, _sums(own_group, groups, k), _sums(degrees, groups, k))

    def cut(self) -> float:
        real = self._volume > 0
        if not real.any():
            return 0.0
        return float(np.clip(1 - self._within[real] / self._volume[real], 0.0, 1.0).mean())

    def best_moves(self, groups: Ints, degrees: Floats, own: Floats) -> tuple[Floats, Ints]:
        """By how much the mean share that stays rises when each item alone moves, and whereto."""
        items = np.arange(len(groups))
        shares = _share(self._within, self._volume)
        mine = self._toward[items, groups]
        left = _share(
            self._within[groups] - 2 * mine + own, self._volume[groups] - degrees
        )  # the group it leaves
        joined = _share(
            self._within + 2 * self._toward + own[:, None], self._volume + degrees[:, None]
        )  # every group it may join
        gains = joined - shares + (left - shares[groups])[:, None]
        gains[:, np.bincount(groups, minlength=len(shares)) == 0] = -np.inf  # no group is made
        gains[items, groups] = 0.0
        target = gains.argmax(axis=1)
        return gains[items, target] / max(1, len(shares)), target


def _sums(of_items: Floats, groups: Ints, k: int) -> Floats:
    return np.asarray(np.bincount(groups, weights=of_items, minlength=k), dtype=np.float64)


def _share(within: Array, volume: Array) -> Any:
    """Parts that stay inside; a group without volume keeps nothing."""
    return np.divide(within, volume, out=np.zeros_like(volume), where=volume > 0)


def _without_emptying(groups: Ints, movers: Ints, target: Ints) -> Ints:
    """Move all, but of a group that every item would leave keep the one that gains least.

    It stays even where others would join: they may be held back in turn.
    """
    tried = groups.copy()
    tried[movers] = target[movers]
    left = np.bincount(groups) - np.bincount(groups[movers], minlength=int(groups.max()) + 1)
    for group in np.unique(groups[movers]):
        if left[group] == 0:
            tried[movers[groups[movers] == group][-1]] = group
    return tried
