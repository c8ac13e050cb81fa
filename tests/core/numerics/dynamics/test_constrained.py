"""The game of constrained dominant sets: its price, found and raised."""

import numpy as np
import pytest

from coterie.core import Affinity, Floats
from coterie.core.numerics.dynamics.constrained import MARGIN, SeededGame, largest_eigenvalue
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation


def ring_and_clique(n: int, clique: int) -> Floats:
    """A ring of 10 neighbours, whose largest eigenvalue is 10, and a clique tied to its item 0."""
    A = np.zeros((n + clique, n + clique))
    for step in range(1, 6):
        here = np.arange(n)
        A[here, (here + step) % n] = A[(here + step) % n, here] = 1.0
    A[n:, n:] = 1.0 - np.eye(clique)
    A[0, n:] = A[n:, 0] = 1.0
    return A


@pytest.mark.parametrize("n", [150, 400])
@pytest.mark.parametrize("signed", [False, True])
def test_the_largest_eigenvalue_of_few_and_many_items(n: int, signed: bool) -> None:
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n)) if signed else rng.random((n, n))
    A = np.triu(A, 1) + np.triu(A, 1).T
    game = Game.of(Affinity(values=A, nonnegative=not signed))
    items = np.arange(1, n)
    exact = float(np.linalg.eigvalsh(A[1:, 1:])[-1])
    assert exact / MARGIN < largest_eigenvalue(game, items) <= exact * (1 + 1e-12)


def test_a_group_without_a_seed_shows_that_the_price_is_too_low() -> None:
    A = ring_and_clique(300, 14)
    seeds = np.array([0])
    game = SeededGame.seeded(Affinity(values=A), seeds, alpha=2.0)
    start = np.zeros(len(A))
    start[-14:] = 1 / 14
    *_, state = infection_immunisation(game, start)
    members = np.flatnonzero(state.x)
    raised = game.raised(members, state.x[members])
    others = np.arange(1, len(A))
    assert raised.price.max() * raised.scale > np.linalg.eigvalsh(A[np.ix_(others, others)])[-1]
    assert raised.price[0] == 0.0
    *_, state = infection_immunisation(raised, raised.start(seeds))
    assert state.converged
    assert state.x[0] > 0
