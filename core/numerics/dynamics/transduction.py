"""Graph transduction: labels spread from the items that have one to those that have none.

Every unlabelled item is a player who chooses a class; the payoff of a class is the similarity to
the others that chose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.similarity.distances import (
    Check,
    gaussian_in_place,
    row_blocks,
    squared_distances,
)

# A row that differs from uniform by less than this, relative, differs by rounding: the sums of two
# equal columns may be formed in another order. Left alone it would grow into a label from nowhere.
UNIFORM = 1e-12
NEGLIGIBLE = 1e-16  # a change of a share, out of one, that no sum of shares would notice
RENEWAL = 100  # updates of A P after which it is recomputed
FEW = 8  # with fewer than one row in so many moving, an update is cheaper than a new product


class Rows(Protocol):
    """The rows of an affinity for some items: an array, a sparse matrix, or a factor."""

    def __matmul__(self, P: Any, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Spread:
    """What transduction shows after each iteration. The arrays change with the next one.

    Attributes
    ----------
    iteration : number of steps taken, 0 for the start
    P : (n, k) how far each item has decided for each class; rows sum to one
    undecided : (n,) items whose row is still exactly uniform
    movement : largest change of a row, relative to its distance from uniform
    converged : whether nothing moves more than the tolerance
    agreement : the payoff of an unlabelled item, on average: which share of its similarity is to
        items that chose as it did; from 1 / k or so at the start towards 1. Not a number with a
        single class, or where no item gets any support
    """

    iteration: int
    P: Floats
    undecided: Mask
    movement: float
    converged: bool = False
    agreement: float = float("nan")

    def labels(self, certainty: float = 0.0) -> Ints:
        """Return the class of each item, −1 for the undecided.

        `certainty` between 0 (any preference counts) and 1 asks for a lead over uniform.
        """
        k = self.P.shape[1]
        labels: Ints = self.P.argmax(axis=1).astype(np.int64)
        labels[self.undecided] = -1
        if certainty > 0:
            labels[self.P.max(axis=1) < 1 / k + certainty * (1 - 1 / k)] = -1
        return labels


def transduce(
    rows: Rows,
    labels: Ints,
    k: int,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 10_000,
) -> Iterator[Spread]:
    """Iterate P ← P∘(A P), rows renormalised, for the items whose label is −1.

    Labelled items keep their class. A row without support stays as it is; a row that gets the
    same support for every class stays uniform: both end undecided. A gap in the data can stall the
    front, so "nothing moves" does not mean "all labelled".

    Parameters
    ----------
    rows : (u, n) similarities of the u unlabelled items, in their order, to all n; zero to
        themselves. Only the ratios within a row matter. See `affinity_rows`, `gaussian_rows`
    labels : (n,) class of each item, −1 for unlabelled
    k : number of classes
    tolerance : stop when no row changes more, relative to its distance from uniform (without that
        the slow start of a far item would be taken for the end)

    Yields
    ------
    Spread after each iteration, the start first

    References
    ----------
    Erdem, Pelillo (2012). Graph transduction as a noncooperative game. Neural Computation 24(3).

    Examples
    --------
    >>> A = np.exp(-squared_distances(np.array([[0.0], [1.0], [2.0], [9.0]])))
    >>> *_, spread = transduce(A[[1, 2]], np.array([0, -1, -1, 1]), 2)
    >>> spread.labels().tolist()
    [0, 0, 0, 1]
    """
    unlabelled = np.flatnonzero(labels < 0)
    P = np.zeros((len(labels), k))
    P[unlabelled] = 1 / k
    known = np.flatnonzero(labels >= 0)
    P[known, labels[known]] = 1.0
    undecided = labels < 0
    free: Floats = P[unlabelled]
    if k == 1 or not len(free):
        yield Spread(0, P, undecided, float("inf") if len(free) else 0.0, not len(free))
        if len(free):
            yield from _reach(rows, P, unlabelled, max_iterations)
        return
    support = _Support.of(rows, P)
    yield Spread(0, P, undecided, float("inf"), agreement=support.agreement(free))
    for iteration in range(1, max_iterations + 1):
        grown, uniform = _grown(free, support.values)
        difference = grown - free
        change = np.abs(difference).max(axis=1)
        distance = grown.max(axis=1) - 1 / k
        moving = np.divide(change, distance, out=np.zeros_like(change), where=~uniform)
        movement = float(moving.max())
        free = grown
        P[unlabelled] = free
        undecided[unlabelled] = uniform
        moved = np.flatnonzero(change > NEGLIGIBLE)
        support.follow(P, unlabelled[moved], difference[moved])
        converged = movement <= tolerance
        yield Spread(iteration, P, undecided, movement, converged, support.agreement(free))
        if converged:
            return


def _grown(free: Floats, support: Floats) -> tuple[Floats, Mask]:
    """Return the next rows of the unlabelled items, and which of them are uniform."""
    k = free.shape[1]
    lowest = support.min(axis=1, keepdims=True)
    if (lowest < 0).any():
        # A constant added to all payoffs of one player changes nothing but the step length.
        support = support + 2 * np.maximum(-lowest, 0.0)
    grown = free * support
    totals = grown.sum(axis=1)
    supported = totals > 0
    grown[supported] /= totals[supported, None]
    grown[~supported] = free[~supported]
    uniform: Mask = np.ptp(grown, axis=1) <= UNIFORM / k
    grown[uniform] = 1 / k
    return grown, uniform


@dataclass(eq=False)
class _Support:
    """A P, (u, k): what each unlabelled item gets for each class, kept up as P changes."""

    rows: Rows
    values: Floats
    updates: int = 0

    @classmethod
    def of(cls, rows: Rows, P: Floats) -> _Support:
        return cls(rows, np.asarray(rows @ P))

    def follow(self, P: Floats, moved: Ints, difference: Floats) -> None:
        """Take in that the rows `moved` of P have changed by `difference`."""
        self.updates += 1
        few = FEW * len(moved) < len(P) and self.updates < RENEWAL
        if few and isinstance(self.rows, np.ndarray):
            # Towards the end a handful of rows still moves: only their columns are needed.
            self.values += self.rows[:, moved] @ difference
        else:
            self.values, self.updates = np.asarray(self.rows @ P), 0

    def agreement(self, free: Floats) -> float:
        """The mean over the unlabelled items of what they get, of what they could get at most.

        As the rows of P sum to one, a row of A P sums to all that the item is similar to.
        """
        gained, at_most = np.einsum("ij,ij->i", free, self.values), self.values.sum(axis=1)
        supported = at_most > 0
        if not supported.any():
            return float("nan")
        return float((gained[supported] / at_most[supported]).mean())


def _reach(rows: Rows, P: Floats, unlabelled: Ints, most: int) -> Iterator[Spread]:
    """With a single class there is nothing to choose: it goes to all that it can reach."""
    P[unlabelled] = 0.0
    undecided = P[:, 0] == 0
    for iteration in range(1, most + 1):
        before = int(undecided.sum())
        P[unlabelled] = np.maximum(P[unlabelled], np.asarray(rows @ P) > 0)
        undecided = P[:, 0] == 0
        reached = before - int(undecided.sum())
        yield Spread(iteration, P, undecided, float(reached), not reached)
        if not reached:
            return


def affinity_rows(affinity: Affinity, items: Ints, *, importance: Floats | None = None) -> Rows:
    """Return the similarities of `items` to all, zero to themselves, each row's largest being 1.

    A row of zeros stays one. `importance` (n,) multiplies the columns before the rows are scaled:
    as only ratios within a row matter, D^−½ A D^−½ is the importance d_j^−½. Memory: a dense or
    sparse copy of those rows; a factor stays a factor and takes O(n m).

    >>> A = np.array([[1.0, 4.0, 2.0], [4.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
    >>> affinity_rows(Affinity(values=A), np.array([0, 2])).tolist()
    [[0.0, 1.0, 0.5], [1.0, 0.0, 0.0]]
    """
    if affinity.factor is not None:
        return _FactorRows(affinity.factor, items, affinity.nonnegative, importance)
    stored: Any = affinity.stored
    rows = stored[items]
    if affinity.sparse is not None:
        owner = np.repeat(np.arange(len(items)), np.diff(rows.indptr))
        data = np.where(rows.indices == items[owner], 0.0, rows.data)
        if importance is not None:
            data *= importance[rows.indices]
        largest = np.zeros(len(items))
        np.maximum.at(largest, owner, data)
        rows.data = data / _divisor(largest)[owner]
        scaled: Rows = rows
        return scaled
    rows = np.array(rows, dtype=np.float64)
    rows[np.arange(len(items)), items] = 0.0
    if importance is not None:
        rows *= importance
    rows /= _divisor(rows.max(axis=1, initial=0.0))[:, None]
    return rows


def gaussian_rows(
    features: Floats, items: Ints, sigma: float, *, check: Check | None = None
) -> Floats:
    """Return exp(−(d²_ij − min_j d²_ij) / 2σ²) for i in `items` and all j, zero for j = i.

    A Gaussian whose rows each have the largest entry 1, so it cannot underflow however small
    σ is. Memory: the (u, n) result; worked out in place, by blocks.

    >>> gaussian_rows(np.array([[0.0], [3.0], [4.0]]), np.array([0]), 1e-3).tolist()
    [[0.0, 1.0, 0.0]]
    """
    result = np.empty((len(items), len(features)))
    for block in row_blocks(len(items), len(features)):
        part, own = result[block], items[block]
        squared_distances(features[own], features, out=part, check=check)
        part[np.arange(len(own)), own] = np.inf
        nearest = part.min(axis=1)
        nearest[~np.isfinite(nearest)] = 0.0  # a single item has no neighbour
        part -= nearest[:, None]
        gaussian_in_place(part, sigma)
    return result


@dataclass(frozen=True, eq=False)
class _FactorRows:
    """Rows of ΦΦᵀ without its diagonal, never formed."""

    factor: Floats
    items: Ints
    nonnegative: bool
    importance: Floats | None = None

    def __matmul__(self, P: Floats, /) -> Floats:
        if self.importance is not None:
            P = self.importance[:, None] * P
        own = self.factor[self.items]
        whole = own @ (self.factor.T @ P)
        product: Floats = whole - np.einsum("ij,ij->i", own, own)[:, None] * P[self.items]
        if self.nonnegative:
            # The diagonal was added and taken away again; what that leaves is not support.
            product[product < len(P) * np.finfo(np.float64).eps * whole] = 0.0
        return product


def _divisor(largest: Floats) -> Floats:
    return np.where(largest > 0, largest, 1.0)
