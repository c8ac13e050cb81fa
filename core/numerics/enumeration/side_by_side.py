"""Many populations of one game that evolve side by side: one product of matrices each round."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics.game import Game

LEAST = 1e-12  # of a share; what is less is nothing


def side_by_side(game: Game, starts: Floats, *, rounds: int) -> Iterator[Floats]:
    """Yield the populations after each round of the replicator, as columns (n, m).

    x_i ← x_i (Ax)_i / xᵀAx for every column at once. With negative payoffs one number is added to
    all of them, which leaves equilibria where they are.

    >>> from coterie.core.model.affinity import Affinity
    >>> A = np.kron(np.eye(2), np.ones((2, 2)))
    >>> starts = np.array([[0.4, 0.1], [0.4, 0.1], [0.1, 0.4], [0.1, 0.4]])
    >>> *_, ends = side_by_side(Game.of(Affinity(values=A)), starts, rounds=60)
    >>> ends.round(3).T.tolist()
    [[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]]
    """
    X = np.array(starts, dtype=np.float64)
    for _ in range(rounds):
        payoffs = together(game, X) - game.least
        X *= payoffs
        X[LEAST * X.max(axis=0) > X] = 0.0
        totals = X.sum(axis=0)
        # A population of items that are not alike at all stays where it is, all alike.
        X = np.where(totals > 0, X / np.where(totals > 0, totals, 1.0), 1.0 / len(X))
        yield X


def together(game: Game, X: Floats) -> Floats:
    """Return A X, a column of payoffs for each population, in the unit of the game."""
    product = np.asarray(game.affinity.matvec(X), dtype=np.float64)
    product -= game.diagonal[:, None] * X
    return np.asarray(product / game.scale)
