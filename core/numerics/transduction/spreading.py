"""Graph transduction: labels spread from the items that have one to those that have none.

Every unlabelled item is a player who chooses a class; the payoff of a class is the similarity to
the others that chose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.transduction.affinity_rows import (
    Rows,
    affinity_rows,
    degree_importance,
    gaussian_rows,
)
from coterie.core.numerics.transduction.class_payoffs import ClassPayoffs

__all__ = [
    "Rows",
    "TransductionState",
    "affinity_rows",
    "degree_importance",
    "gaussian_rows",
    "transduce",
]

# A row that differs from uniform by less than this, relative, differs by rounding: the sums of two
# equal columns may be formed in another order. Left alone it would grow into a label from nowhere.
UNIFORM = 1e-12
# No share of an unlabelled item falls below this. A share of zero could never grow again, and the
# item would stay with a class that no longer pays best.
FLOOR = 1e-12
NEGLIGIBLE = 1e-16  # a change of a share, out of one, that no sum of shares would notice
# A row whose best class stayed the same for so many rounds doubles its step, and again each round:
# with 1% more payoff a class would need 2,800 single steps from the floor to the top.
PATIENCE = 8
MOST_DOUBLINGS = 30


@dataclass(frozen=True, slots=True)
class TransductionState:
    """What transduction shows after each iteration. The arrays change with the next one.

    Attributes
    ----------
    iteration : number of steps taken, 0 for the start
    P : (n, k) how far each item has decided for each class; rows sum to one, up to k times the
        floor of 1e-12
    undecided : (n,) items whose row is still exactly uniform
    movement : largest change of a row by a further step, relative to its distance from uniform
    converged : whether P is an equilibrium up to the tolerance, tested on newly computed payoffs
    agreement : the payoff of an unlabelled item, on average: which share of its similarity is to
        items that chose as it did; from 1 / k or so at the start towards 1. Not a number with a
        single class, or where no item gets any support
    gap : the most that an item could gain by choosing differently, as a share of its best payoff:
        (max_h u_h − p·u) / max_h u_h. At an equilibrium it is zero: every class with a share then
        pays the same, and none pays more
    chosen : (n,) the class in which the share of each item is largest
    lead : (n,) that share
    """

    iteration: int
    P: Floats
    undecided: Mask
    movement: float
    converged: bool
    agreement: float
    gap: float
    chosen: Ints
    lead: Floats

    def labels(self, certainty: float = 0.0) -> Ints:
        """Return the class of each item, −1 for the undecided.

        `certainty` between 0 (any preference counts) and 1 asks for a lead over uniform.
        """
        k = self.P.shape[1]
        unsure = self.undecided
        if certainty > 0:
            unsure = unsure | (self.lead < 1 / k + certainty * (1 - 1 / k))
        return np.where(unsure, -1, self.chosen)

    def shares(self) -> Floats:
        """Return P without the shares at the floor, and without the rows of the undecided."""
        shares = np.where(self.P > 2 * FLOOR, self.P, 0.0)
        shares[self.undecided] = 0.0
        return shares


def transduce(
    rows: Rows,
    labels: Ints,
    k: int,
    *,
    tolerance: float = 1e-6,
    max_iterations: int = 10_000,
    compatibility: Floats | None = None,
    priors: Floats | None = None,
) -> Iterator[TransductionState]:
    """Iterate P ← P∘(A P), rows renormalised, for the items whose label is −1, to an equilibrium.

    Labelled items keep their class. A row without support stays as it is; a row that gets the
    same support for every class stays uniform: both end undecided. A gap in the data can stall the
    front, so an equilibrium does not mean "all labelled".

    A row rests while it is in equilibrium, and on a sparse graph costs nothing until a neighbour
    moves. A row whose best class stays the same takes 2, 4, 8, … steps at once, as if its payoffs
    stood still: P∘(A P)^s has the same equilibria. It goes back to single steps when its best class
    changes.

    Parameters
    ----------
    rows : (u, n) similarities of the u unlabelled items, in their order, to all n; zero to
        themselves. Only the ratios within a row matter. See `affinity_rows`, `gaussian_rows`
    labels : (n,) class of each item, −1 for unlabelled
    k : number of classes
    tolerance : stop when no item could gain more by choosing differently, as a share of its best
        payoff, nor moves more, relative to its distance from uniform (without that the slow start
        of a far item would be taken for the end)
    compatibility : (k, k) what an item that chooses the row's class earns from a neighbour of the
        column's class, times their similarity; 1 for the same class and 0 for others unless given
    priors : (k,) positive shares that unlabelled items begin with, summing to 1; alike unless given

    Yields
    ------
    Spread after each iteration, the start first

    References
    ----------
    Erdem, Pelillo (2012). Graph transduction as a noncooperative game. Neural Computation 24(3).

    Examples
    --------
    >>> X = np.array([0.0, 1.0, 2.0, 9.0])
    >>> A = np.exp(-((X[:, None] - X) ** 2))
    >>> *_, spread = transduce(A[[1, 2]], np.array([0, -1, -1, 1]), 2)
    >>> spread.labels().tolist()
    [0, 0, 0, 1]
    """
    game = _Game(rows, labels, k, tolerance, compatibility, priors)
    if not len(game.items):
        yield game.show(0, converged=True)
    elif k == 1:
        yield from _reach(rows, game, max_iterations)
    else:
        yield from _play(game, max_iterations)


def _play(game: _Game, most: int) -> Iterator[TransductionState]:
    yield game.show(0)
    for iteration in range(1, most + 1):
        game.step()
        converged = game.at_rest() and game.confirm()
        yield game.show(iteration, converged)
        if converged:
            return


class _Game:
    """The unlabelled items as players: their shares, their payoffs, and who still moves.

    `P` and what the spread shows are indexed by item, all else by the place among the unlabelled.
    """

    def __init__(
        self,
        rows: Rows,
        labels: Ints,
        k: int,
        tolerance: float,
        compatibility: Floats | None = None,
        priors: Floats | None = None,
    ) -> None:
        n, self.k, self.tolerance = len(labels), k, tolerance
        self.start = np.full((k, 1), 1 / k) if priors is None else np.reshape(priors, (k, 1))
        self.items = np.flatnonzero(labels < 0)
        self.P = np.zeros((n, k))
        self.P[self.items] = self.start.T
        known = np.flatnonzero(labels >= 0)
        self.P[known, labels[known]] = 1.0
        self.undecided: Mask = labels < 0
        # With priors, one class is ahead before anybody has played.
        self.decisive = int((self.start == self.start.max()).sum()) == 1 < k
        self.chosen: Ints = np.where(labels >= 0, labels, int(self.start.argmax())).astype(np.int64)
        self.lead = np.where(self.undecided, float(self.start.max()), 1.0)
        u = len(self.items)
        # The shares by class, as in P by item; those after one more step, and how far these are.
        self.shares = np.repeat(self.start, u, axis=1)
        self.following, self.changes = np.empty((k, u)), np.zeros(u)
        self.alike = bool((self.start == self.start[0]).all())
        self.best_class = np.full(u, -1, dtype=np.int64)
        self.rounds = np.zeros(u, dtype=np.int64)  # that the best class has stayed the same
        self.gap, self.moving = np.zeros(u), np.zeros(u)
        self.agreement = np.full(u, np.nan)
        self.restless: Ints = np.zeros(0, dtype=np.int64)
        self.payoffs = ClassPayoffs(rows, self.P, compatibility)
        if k > 1:
            self._judge(np.arange(u))

    def show(self, iteration: int, converged: bool = False) -> TransductionState:
        """What there is to see now."""
        agreement = float(self.agreement.mean()) if len(self.items) else float("nan")
        if agreement != agreement:
            supported = self.agreement[~np.isnan(self.agreement)]
            agreement = float(supported.mean()) if len(supported) else float("nan")
        return TransductionState(
            iteration,
            self.P,
            self.undecided,
            float(self.moving.max(initial=0.0)),
            converged,
            agreement,
            float(self.gap.max(initial=0.0)),
            self.chosen,
            self.lead,
        )

    def at_rest(self) -> bool:
        """Whether no item would gain or move more than the tolerance."""
        return not len(self.restless)

    def confirm(self) -> bool:
        """Whether that is still so on newly computed payoffs of all items."""
        self.payoffs.renew(self.P)
        self._judge(np.arange(len(self.items)))
        return self.at_rest()

    def step(self) -> None:
        """Move the items that are not at rest."""
        players = self.restless
        if not len(players):
            return
        moved_to, change = self._of(self.following, players), self.changes[players]
        hasty = np.flatnonzero(self.rounds[players] >= PATIENCE)
        if len(hasty):
            moved_to = moved_to.copy() if moved_to is self.following else moved_to
            moved_to[:, hasty], change[hasty] = self._several_steps(players[hasty])
        self.rounds[players] += 1
        items = self.items[players]
        moved = change > NEGLIGIBLE
        shares = np.ascontiguousarray(moved_to.T)
        difference = None if self.payoffs.looks_up else (shares - self.P[items])[moved]
        self.P[items] = shares
        self._put(self.shares, players, moved_to)
        self.lead[items] = lead = moved_to.max(axis=0)
        self.chosen[items] = _largest(moved_to, lead, self.chosen[items])
        self.undecided[items] = self._stays(moved_to)
        touched = self.payoffs.follow(self.P, items[moved], difference)
        if touched is None:
            self._judge(np.arange(len(self.items)))
            return
        judged = np.zeros(len(self.items), dtype=np.bool_)
        judged[touched] = judged[players] = True
        self._judge(np.flatnonzero(judged))

    def _of(self, values: Floats, players: Ints) -> Floats:
        """The columns of the players; the array itself where these are all."""
        return values if len(players) == len(self.items) else values.take(players, axis=1)

    def _put(self, values: Floats, players: Ints, new: Floats) -> None:
        if len(players) == len(self.items):
            values[...] = new
        else:
            values[:, players] = new

    def _stays(self, shares: Floats) -> Mask:
        """Who has not decided: those at the start, unless the start itself prefers a class."""
        if self.decisive:
            return np.zeros(shares.shape[1], dtype=np.bool_)  # whoever moves has support
        return np.asarray((shares == self.start).all(axis=0))

    def _several_steps(self, players: Ints) -> tuple[Floats, Floats]:
        """The shares after 2, 4, 8, … steps with the payoffs of now, and how far these are."""
        doublings = np.minimum(1 + self.rounds[players] - PATIENCE, MOST_DOUBLINGS)
        _, payoffs, best = self._payoffs_of(players)
        shares = self._of(self.shares, players)
        with np.errstate(under="ignore"):
            grown = shares * (payoffs / best) ** 2.0**doublings
        grown /= grown.sum(axis=0)
        _lift(grown)
        return grown, np.abs(grown - shares).max(axis=0)

    def _payoffs_of(self, players: Ints) -> tuple[Floats, Floats, Floats]:
        """The payoffs (k, m) as they are, lifted above zero, and the best of the latter."""
        given = np.ascontiguousarray(self.payoffs.values.take(players, axis=0).T)
        lowest = given.min(axis=0)
        # A constant added to all payoffs of one player changes nothing but the step length.
        lifted = given + 2 * np.maximum(-lowest, 0.0) if (lowest < 0).any() else given
        best = lifted.max(axis=0)
        return given, lifted, np.where(best > 0, best, 1.0)

    def _judge(self, players: Ints) -> None:
        """Find where a step would lead `players`, and what each could gain at most."""
        shares = self._of(self.shares, players)
        given, payoffs, best = self._payoffs_of(players)
        grown = shares * payoffs
        mean = grown.sum(axis=0)
        earned = mean if given is payoffs else (shares * given).sum(axis=0)
        supported = mean > 0
        if supported.all():
            grown /= mean
        else:
            grown = np.where(supported, grown / np.where(supported, mean, 1.0), shares)
        _lift(grown)
        # The largest difference; where all begin alike, that of the largest share.
        distance = grown.max(axis=0) - self.start[0] if self.alike else None
        distance = (grown - self.start).max(axis=0) if distance is None else distance
        uniform = distance <= UNIFORM / self.k
        if uniform.any():
            grown[:, uniform] = self.start
        self._put(self.following, players, grown)
        grown -= shares
        change = np.abs(grown, out=grown).max(axis=0)
        self.changes[players] = change
        self.moving[players] = np.divide(
            change, distance, out=np.zeros_like(change), where=~uniform
        )
        self.gap[players] = np.where(supported, (best - mean) / best, 0.0)
        at_most = given.sum(axis=0)
        self.agreement[players] = np.divide(
            earned, at_most, out=np.full(len(players), np.nan), where=at_most > 0
        )
        if self.decisive:
            self.undecided[self.items[players[supported]]] = False
        self._watch(players, payoffs, best, uniform)
        self.restless = np.flatnonzero((self.gap > self.tolerance) | (self.moving > self.tolerance))

    def _watch(self, players: Ints, payoffs: Floats, best: Floats, uniform: Mask) -> None:
        """Count from zero for those whose best class is another than before."""
        before = self.best_class[players]
        other = np.flatnonzero(
            (payoffs[before, np.arange(len(players))] < best) | uniform | (before < 0)
        )
        if not len(other):
            return
        largest = payoffs[:, other].max(axis=0)
        self.best_class[players[other]] = _largest(payoffs[:, other], largest)
        self.rounds[players[other]] = 0


def _lift(shares: Floats) -> None:
    """Put the floor under them: numpy's maximum with one number takes ten times as long."""
    np.copyto(shares, FLOOR, where=shares < FLOOR)


def _largest(values: Floats, largest: Floats, guess: Ints | None = None) -> Ints:
    """The row that has the largest of each column: `guess` where that is one, else the first."""
    where = np.zeros(values.shape[1], dtype=np.int64) if guess is None else guess.copy()
    other = np.flatnonzero(values[where, np.arange(len(where))] < largest)
    if len(other):
        where[other] = values[:, other].argmax(axis=0)
    return where


def _reach(rows: Rows, game: _Game, most: int) -> Iterator[TransductionState]:
    """With a single class there is nothing to choose: it goes to all that it can reach."""
    P, items = game.P, game.items
    yield game.show(0)
    P[items] = 0.0
    for iteration in range(1, most + 1):
        before = int(game.undecided.sum())
        P[items] = np.maximum(P[items], np.asarray(rows @ P) > 0)
        game.undecided = P[:, 0] == 0
        reached = before - int(game.undecided.sum())
        game.moving[:] = reached
        yield game.show(iteration, not reached)
        if not reached:
            return
