"""Which items are left when sets are peeled off, and which of them is the best to start from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics import simplex
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.similarity.ties import drop_rounding

# Sums from which one term after another was taken away are added up again below this share of what
# they were: until then they keep the digits by which ties are recognised.
CANCELLED = 1e-3


class Remaining(ABC):
    """The items that are left.

    Attributes
    ----------
    left : (n,) which they are
    count : how many
    lonely : how many were similar to no other item from the beginning
    """

    left: Mask
    count: int
    lonely: int

    def __init__(self, game: Game, left: Mask) -> None:
        self._game = game
        self.left = left.copy()
        self.count = int(np.count_nonzero(left))
        self._degrees = self._added_up()
        self.lonely = int(np.count_nonzero(self._degrees[left] == 0)) if game.least == 0 else 0

    def remove(self, members: Ints) -> None:
        """Take a set away."""
        self.left[members] = False
        self.count -= len(members)
        self._taken_away(members)

    @property
    def most(self) -> float:
        """The largest sum of similarities between an item and all that are left."""
        return float(self._degrees[self.left].max())

    @abstractmethod
    def best(self) -> int | None:
        """Return the item with the largest sum of similarities, None when no two are similar.

        Of those with equal sums, up to rounding, it is the first.
        """

    @abstractmethod
    def _taken_away(self, members: Ints) -> None: ...

    def _added_up(self) -> Floats:
        ones = self.left.astype(np.float64)
        return self._game.payoffs(ones) - self._game.own * ones


def remaining(game: Game, left: Mask | None = None) -> Remaining:
    """Return the items that are `left`, by default all, in the form that is quickest for this game.

    >>> from coterie.core.model.affinity import Affinity
    >>> A = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    >>> rest = remaining(Game.of(Affinity(values=A)))
    >>> rest.best()
    0
    >>> rest.remove(np.array([0]))
    >>> print(rest.count, rest.best())
    2 None
    """
    local = game.affinity.sparse is not None and game.symmetric
    left = np.ones(game.n, dtype=np.bool_) if left is None else left
    return _NearbyRemaining(game, left) if local else _PlainRemaining(game, left)


class _PlainRemaining(Remaining):
    """In O(n) for each question, and O(members × n) for each set."""

    def __init__(self, game: Game, left: Mask) -> None:
        super().__init__(game, left)
        self._doubtful = CANCELLED * float(np.abs(self._degrees[left]).max())

    def best(self) -> int | None:
        if self.most <= self._doubtful:
            self._degrees = self._added_up()
            self._doubtful = CANCELLED * self.most
            if self._game.least == 0 and self.most <= self._game.n * self._game.noise:
                return None
        return simplex.best_reply(self._degrees, self.left)

    def _taken_away(self, members: Ints) -> None:
        self._degrees -= self._game.payoffs_of(members, np.ones(len(members)))


class _NearbyRemaining(Remaining):
    """In the time that the neighbours of each set take; for sparse symmetric games."""

    def __init__(self, game: Game, left: Mask) -> None:
        super().__init__(game, left)
        self._degrees = drop_rounding(self._degrees)
        self._queue = [(-degree, i) for i, degree in enumerate(self._degrees.tolist())]
        heapify(self._queue)

    def best(self) -> int | None:
        # An item in the queue may be gone, or have lost neighbours since it was put there.
        while self._queue:
            negative, i = self._queue[0]
            degree = float(self._degrees[i])
            if not self.left[i]:
                heappop(self._queue)
            elif degree != -negative:
                heapreplace(self._queue, (-degree, i))
            elif degree <= 0 and self._game.least == 0:
                return None
            else:
                return i
        return None

    def _taken_away(self, members: Ints) -> None:
        rows, _, _ = self._game.links(members)
        touched = np.unique(rows[self.left[rows]])
        # Summed again, so rounding does not accumulate.
        rows, values, counts = self._game.links(touched)
        values = np.where(self.left[rows], values, 0.0)
        owner = np.repeat(np.arange(len(touched)), counts)
        degrees = drop_rounding(np.bincount(owner, values, len(touched)) / self._game.scale)
        risen = degrees > self._degrees[touched]  # where a negative similarity went
        self._degrees[touched] = degrees
        for i, degree in zip(touched[risen].tolist(), degrees[risen].tolist(), strict=True):
            heappush(self._queue, (-degree, i))
