"""The game of constrained dominant sets: every strategy but the seeds pays for playing itself."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.similarity.distances import Check

MARGIN = 1.01  # the price is above the largest eigenvalue, not at it
# How far below it the eigenvalue may be found, as a share of it: no more than the margin makes up
# for. Six to twelve products with the similarities are enough for that.
ACCURACY, VECTORS = 9e-3, 5


@dataclass(frozen=True, eq=False)
class SeededGame(Game):
    """A game with −α on the diagonal of all items but the seeds.

    With α above the largest eigenvalue of the similarities among the others, no group without a
    seed can be an equilibrium, so the support of every one has a seed in it.

    Attributes
    ----------
    price : (n,) α of each item in the unit of the game, 0 for the seeds

    References
    ----------
    Zemene, Pelillo (2016). Interactive image segmentation using constrained dominant sets. ECCV.
    """

    price: Floats = field(default_factory=lambda: np.zeros(0))
    plain: Any = None
    """The game without prices."""

    @classmethod
    def seeded(
        cls,
        affinity: Affinity,
        seeds: Ints,
        alpha: float | None = None,
        *,
        base: Game | None = None,
        check: Check | None = None,
    ) -> SeededGame:
        """Return the game; without α, it is just above the largest eigenvalue.

        `base` is the game without seeds, where it is at hand: it is the same for all seeds.

        >>> A = np.array([[0, 9, 1.0], [9, 0, 1.0], [1, 1, 0]])
        >>> game = SeededGame.seeded(Affinity(values=A), np.array([2]))
        >>> bool(game.price[0] * game.scale > 9), game.price[2]
        (True, np.float64(0.0))
        """
        game = Game.of(affinity, check=check) if base is None else base
        others = np.setdiff1d(np.arange(game.n), seeds)
        if alpha is None:
            alpha = MARGIN * largest_eigenvalue(game, others)
        price = np.zeros(game.n)
        price[others] = alpha / game.scale
        known: dict[str, Any] = {part.name: getattr(game, part.name) for part in fields(Game)}
        least = min(game.least, -float(price.max(initial=0.0)))
        return cls(**known | {"least": least}, price=price, plain=game)

    def payoffs(self, x: Floats) -> Floats:
        """Return (A − diag α) x."""
        return np.asarray(self.plain.payoffs(x) - self.price * x)

    def payoffs_of(self, members: Ints, shares: Floats) -> Floats:
        """Return (A − diag α) x of a population of few members."""
        found: Floats = self.plain.payoffs_of(members, shares)
        found[members] -= self.price[members] * shares
        return found

    def subgame(self, items: Ints) -> SeededGame:
        """Return the game among `items` alone, with their prices."""
        plain = self.plain.subgame(items)
        return SeededGame(
            plain.affinity,
            plain.scale,
            self.least,
            plain.diagonal,
            own=plain.own,
            price=self.price[items],
            plain=plain,
        )

    def against_itself(self, members: Ints, shares: Floats) -> float:
        """Return what strategies earn, or pay, against themselves."""
        return -float(self.price[members] @ shares**2)

    def column(self, j: int) -> Floats:
        """Return (A − diag α) e_j."""
        column = super().column(j)
        column[j] -= self.price[j]
        return column

    def payoff_against(self, x: Floats, j: int) -> float:
        """Return what the population earns against strategy j."""
        return super().payoff_against(x, j) - float(self.price[j] * x[j])

    def mix_in(self, payoffs: Floats, j: int, share: float) -> None:
        """Take strategy j into the population, in place."""
        super().mix_in(payoffs, j, share)
        payoffs[j] -= share * self.price[j]

    def among(self, items: Ints) -> Floats:
        """Return the payoffs among `items` alone."""
        block = super().among(items)
        block[np.diag_indices(len(items))] -= self.price[items]
        return block


def largest_eigenvalue(game: Game, items: Ints) -> float:
    """Return the largest eigenvalue of the similarities among `items`, in their own unit.

    It may be found a share of `ACCURACY` too small, which the margin makes up for. A bound above
    it, the largest sum of a row, where the iteration does not end.
    """
    if len(items) < 2:
        return game.scale
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    def product(x: Floats) -> Floats:
        whole = np.zeros(game.n)
        whole[items] = np.asarray(x, dtype=np.float64).ravel()
        return game.payoffs(whole)[items]

    ones = np.ones(len(items))
    bound = float(np.abs(product(ones)).max())
    if len(items) < 3 or bound == 0:  # ARPACK refuses similarities that are all 0
        return bound * game.scale or game.scale
    operator = LinearOperator((len(items),) * 2, matvec=product, dtype=np.float64)
    try:
        vectors = min(VECTORS, len(items))
        found = float(
            eigsh(
                operator,
                1,
                which="LA",
                v0=ones,
                ncv=vectors,
                tol=ACCURACY,
                return_eigenvectors=False,
            )[0]
        )
    except ArpackError:
        found = bound
    return max(found, 0.0) * game.scale or game.scale


def require_seeds(affinity: Affinity, seeds: Ints) -> None:
    """Raise a clear error for seeds that are similar to no item at all."""
    rows = affinity.rows(seeds)
    rows = np.array(rows, dtype=np.float64)
    rows[np.arange(len(seeds)), seeds] = 0.0
    if not (rows > 0).any():
        raise DataError(
            "The seeds are similar to no other item, so no group can grow from them. Choose other "
            "seeds, or widen the kernel.",
            code="no-similarities",
        )
