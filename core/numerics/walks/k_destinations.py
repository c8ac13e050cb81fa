"""K-destinations: like k-means, with an item as the goal of each group, and steps for distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check

BATCH = 10  # restarts that are run side by side, as one matrix product


@dataclass(frozen=True, eq=False)
class Destinations:
    """One state of a run: where the items go, and what it costs them together.

    Attributes
    ----------
    items : (k,) the destinations
    labels : (n,) which of them each item goes to
    objective : J, the steps of all items to their destinations
    settled : whether another round would change nothing
    """

    items: Ints
    labels: Ints
    objective: float
    settled: bool


def k_destinations(
    H: Floats, start: Ints, *, max_iterations: int = 300, check: Check | None = None
) -> Iterator[Destinations]:
    """Yield each state from a start on: send the items to the nearest, then move each destination.

    J never rises. Empty groups cannot occur: each destination is nearest to itself.

    Parameters
    ----------
    H : (n, n) steps from i to j, zero on the diagonal only
    start : (k,) different items

    Examples
    --------
    >>> H = np.abs(np.subtract.outer([0.0, 1.0, 2.0, 10.0, 11.0], [0.0, 1.0, 2.0, 10.0, 11.0]))
    >>> *_, last = k_destinations(H, np.array([0, 2]))
    >>> last.items.tolist(), last.labels.tolist(), last.objective
    ([1, 3], [0, 0, 0, 1, 1], 3.0)
    """
    items = np.array(start, dtype=np.int64)
    rounds = 0
    while True:
        if check is not None:
            check()
        labels, objective = _assign(H, items[None])
        moved = _move(H, items[None], labels)[0]
        rounds += 1
        settled = bool((moved == items).all())
        yield Destinations(items, labels[0], float(objective[0]), settled)
        if settled or rounds >= max_iterations:
            return
        items = moved


def best_destinations(
    H: Floats, starts: Ints, *, max_iterations: int = 300, check: Check | None = None
) -> tuple[int, Floats]:
    """Run from each of several starts and return the best of them, and J of each at its end.

    Some runs go side by side, so the sums over groups are products of matrices. Equal
    objectives go to the earlier start.

    Parameters
    ----------
    starts : (r, k)

    Examples
    --------
    >>> H = np.abs(np.subtract.outer([0.0, 1.0, 2.0, 10.0, 11.0], [0.0, 1.0, 2.0, 10.0, 11.0]))
    >>> best_destinations(H, np.array([[0, 1], [0, 3]]))
    (0, array([3., 3.]))
    """
    results = np.empty(len(starts))
    for first in range(0, len(starts), BATCH):
        items = np.array(starts[first : first + BATCH], dtype=np.int64)
        open_ = np.arange(len(items))
        for _ in range(max_iterations):
            if check is not None:
                check()
            labels, objective = _assign(H, items[open_])
            results[first + open_] = objective
            moved = _move(H, items[open_], labels)
            going = (moved != items[open_]).any(axis=1)
            items[open_] = moved
            open_ = open_[going]
            if not len(open_):
                break
    return int(np.argmin(results)), results


def exchanged(H: Floats, items: Ints, *, check: Check | None = None) -> Ints:
    """Return destinations from which no exchange of one for another item lowers J.

    K-destinations moves within groups only and stops in many places; an exchange also reaches what
    is across their borders. Each round tries all k × n exchanges, O(k n²), and takes the best.

    Parameters
    ----------
    items : (k,) different items

    Examples
    --------
    >>> H = np.abs(np.subtract.outer([0.0, 1.0, 2.0, 10.0, 20.0], [0.0, 1.0, 2.0, 10.0, 20.0]))
    >>> exchanged(H, np.array([0, 1, 2])).tolist()
    [4, 1, 3]
    """
    items = np.array(items, dtype=np.int64)
    least = float(H[:, items].min(axis=1).sum())
    while True:
        costs = np.stack([_with_each(H, np.delete(items, c), check) for c in range(len(items))])
        costs[:, items] = np.inf
        place, item = divmod(int(costs.argmin()), len(H))
        # A gain by rounding only does not count.
        if not costs[place, item] < least * (1 - 1e-12):
            return items
        items[place], least = item, float(costs[place, item])


def _with_each(H: Floats, others: Ints, check: Check | None) -> Floats:
    """J of the other destinations together with each item in turn."""
    n = len(H)
    nearest = H[:, others].min(axis=1, initial=np.inf)
    result = np.zeros(n)
    for part in row_blocks(n, n):
        if check is not None:
            check()
        result += np.minimum(nearest[part, None], H[part]).sum(axis=0)
    return result


def spread_start(H: Floats, k: int, order: Ints, rng: np.random.Generator) -> Ints:
    """Return k items far from each other: each drawn by how long it takes from it to the others.

    Parameters
    ----------
    order : (n,) the items in the order in which they are drawn from

    Examples
    --------
    >>> H = np.abs(np.subtract.outer([0.0, 0.1, 9.0], [0.0, 0.1, 9.0]))
    >>> items = spread_start(H, 2, np.arange(3), np.random.default_rng(0))
    >>> len(set(items.tolist()))
    2
    """
    n = len(H)
    items = [int(order[rng.integers(n)])]
    nearest = np.array(H[:, items[0]])
    while len(items) < k:
        nearest[items] = 0.0
        total = float(nearest.sum())
        if total > 0:
            chosen = int(rng.choice(order, p=nearest[order] / total))
        else:
            chosen = int(rng.choice(order[~np.isin(order, items)]))
        items.append(chosen)
        np.minimum(nearest, H[:, chosen], out=nearest)
    return np.array(items, dtype=np.int64)


def _assign(H: Floats, items: Ints) -> tuple[Ints, Floats]:
    """Of r runs the (r, n) labels and (r,) objectives."""
    runs, k = items.shape
    steps = H[:, items.ravel()].reshape(len(H), runs, k)
    labels = steps.argmin(axis=2)
    # A destination belongs to itself, even where an equal item is beside it.
    labels[items.T, np.arange(runs)] = np.arange(k)[:, None]
    return labels.T, np.take_along_axis(steps, labels[:, :, None], axis=2).sum(axis=(0, 2))


def _move(H: Floats, items: Ints, labels: Ints) -> Ints:
    """Of r runs the member of each group that the group reaches soonest; stays when no better."""
    runs, k = items.shape
    n = len(H)
    member = (labels[:, None, :] == np.arange(k)[:, None]).reshape(runs * k, n)
    costs = member.astype(np.float64) @ H
    current = np.take_along_axis(costs, items.reshape(-1, 1), axis=1)
    costs[~member] = np.inf
    best = costs.argmin(axis=1)
    better = costs[np.arange(runs * k), best] < current[:, 0] * (1 - 1e-12)
    return np.asarray(np.where(better, best, items.ravel()).reshape(runs, k))
