"""The game of constrained dominant sets: every strategy but the seeds pays for playing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from coterie.core.api.ranking_scope import item_positions
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.results import Clustering
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.similarity.distances import Check

MARGIN = 1.01  # the price is above the largest eigenvalue, not at it
# How far below it the eigenvalue may be found, as a share of it. The margin makes up for three
# times that: the bound is one of the second eigenvalue as it is known by then.
ACCURACY = 3e-3
MOST_WAYS = 100  # products; 3 for wide similarities, some 12 for narrow ones
FEW_ITEMS = 200  # of which all eigenvalues are computed
MOST_RAISES = 10  # of a price that was found too low


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
            alpha = MARGIN * largest_eigenvalue(game, others, check=check)
        price = np.zeros(game.n)
        price[others] = alpha / game.scale
        known: dict[str, Any] = {part.name: getattr(game, part.name) for part in fields(Game)}
        least = min(game.least, -float(price.max(initial=0.0)))
        return cls(**known | {"least": least}, price=price, plain=game)

    def raised(self, members: Ints, shares: Floats, check: Check | None = None) -> SeededGame:
        """Return the game with a price above what a group without a seed has shown to be too low.

        An equilibrium without a seed, where no similarity to a seed is negative, has a Rayleigh
        quotient xᵀA x / xᵀx of at least α: what the search for the largest eigenvalue had missed
        is in x.
        """
        others = np.flatnonzero(self.price)
        whole = np.zeros(self.n)
        whole[members] = shares
        found = largest_eigenvalue(self.plain, others, start=whole[others], check=check)
        return replace(self, price=np.where(self.price > 0, MARGIN * found / self.scale, 0.0))

    def start(self, seeds: Ints) -> Floats:
        """Return a population of seeds, all alike if that earns nothing below 0, else of one.

        From there xᵀA x can only rise, and without a seed it is below 0.
        """
        x = np.zeros(self.n)
        x[seeds] = 1.0 / len(seeds)
        payoffs = self.plain.payoffs(x)
        if float(payoffs @ x) < 0:
            similar = [float(self.plain.column(int(seed)).max()) for seed in seeds]
            x[:] = 0.0
            x[seeds[int(np.argmax(similar))]] = 1.0
        return x

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

    @property
    def least_to_others(self) -> float:
        """The smallest similarity of two items."""
        return float(self.plain.least)

    @property
    def steepness(self) -> Floats | None:
        """The price, and one for the seeds; None where similarities are negative.

        There only a climb that never loses ground is sure to keep a seed.
        """
        if self.least_to_others < 0:
            return None
        return np.where(self.price > 0, self.price, 1.0)

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


def largest_eigenvalue(
    game: Game, items: Ints, *, start: Floats | None = None, check: Check | None = None
) -> float:
    """Return the largest eigenvalue of the similarities among `items`, in their own unit.

    Of more than a few items it may be found a share of `ACCURACY` too small, which the margin
    makes up for. A group that hardly any other item is similar to may be missed (see
    `SeededGame.raised`); `start` is a vector that has a part of it.

    >>> A = np.array([[0, 2.0, 0], [2.0, 0, 0], [0, 0, 0]])
    >>> round(largest_eigenvalue(Game.of(Affinity(values=A)), np.arange(3)), 12)
    2.0
    """
    if len(items) < 2:
        return game.scale
    found = 0.0
    if len(items) <= FEW_ITEMS:
        found = float(np.linalg.eigvalsh(game.among(items))[-1])
        return found * game.scale if found > 0 else game.scale
    if start is None:
        # Positive numbers have a part of the vector sought where no similarity is negative.
        if game.least < 0:
            start = np.random.default_rng(0).normal(size=len(items))
        else:
            start = np.ones(len(items)) if game.tried is None else game.tried[items]
    for found, beyond, next_largest in _ritz_values(game, items, start):
        if check is not None:
            check()
        # The eigenvalue is within the residual, and within its square over the gap.
        apart = found - next_largest
        error = min(beyond, beyond**2 / apart) if apart > 0 else beyond
        if error <= ACCURACY * found:
            break
    return found * game.scale if found > 0 else game.scale


def _ritz_values(game: Game, items: Ints, start: Floats) -> Iterator[tuple[float, float, float]]:
    """The largest Ritz value, its residual and the second largest, after each product.

    All vectors are kept and kept orthogonal: there are few.
    """
    length = float(np.linalg.norm(start))
    ways = [start / length if length > 0 else np.full(len(items), len(items) ** -0.5)]
    own: list[float] = []
    coupled: list[float] = []
    for _ in range(min(MOST_WAYS, len(items))):
        whole = np.zeros(game.n)
        whole[items] = ways[-1]
        rest = game.payoffs(whole)[items]
        own.append(float(ways[-1] @ rest))
        for way in (*ways, *ways):  # twice is enough (Parlett)
            rest -= float(way @ rest) * way
        length = float(np.linalg.norm(rest))
        coupling = np.diag(coupled, 1)
        values, vectors = np.linalg.eigh(np.diag(own) + coupling + coupling.T)
        yield values[-1], length * abs(vectors[-1, -1]), values[max(-2, -len(values))]
        if length <= len(items) * np.finfo(np.float64).eps * max(abs(values)):
            return
        ways.append(rest / length)
        coupled.append(length)


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


def seeds_of(
    items: Sequence[int | str], clustering: Clustering | None, affinity: Affinity
) -> list[Ints]:
    """Return the seeds of each set: the items, by names or positions, or else each group's."""
    if items:
        return [np.unique(item_positions(items, affinity.n, affinity.dataset))]
    if clustering is None or clustering.labels.max(initial=-1) < 0:
        raise DataError(
            "There are no seeds. Select items and set 'items' to them, or give a clustering whose "
            "groups are seeds as second input.",
            code="groups-needed",
        )
    if clustering.n != affinity.n:
        raise DataError(
            f"The groups have {clustering.n} items, the similarities {affinity.n}. "
            "Choose groups of the same items.",
            code="items-mismatch",
        )
    groups = [np.flatnonzero(clustering.labels == group) for group in range(clustering.k)]
    return [seeds for seeds in groups if len(seeds)]
