"""Infection and immunisation near one item of a sparse graph, at the price of its neighbours.

All who do better than the average are similar to a member, so the rest of the graph need not
be looked at: a complete peel-off costs what the sets and their neighbours do, not sets × items.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.infection import infection_immunisation
from coterie.core.numerics.dynamics.simplex import Mask
from coterie.core.numerics.dynamics.state import State

MOST_LOOKED_AT = 1024  # neighbours to begin with, the most similar ones: A among them is dense
MOST_JOINING = 256  # of those outside that do better, how many are looked at next, the best first


class Neighbourhood:
    """Finds equilibria of a sparse symmetric game, each from a single item.

    It holds two numbers for each item of the graph, whatever is asked of it.

    >>> from scipy.sparse import csr_array
    >>> A = csr_array(np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]]))
    >>> near = Neighbourhood(Game.of(Affinity(sparse=A)))
    >>> *_, state = near.evolve(2, np.ones(3, dtype=bool))
    >>> state.converged, state.x.round(4).tolist()
    (True, [0.5, 0.5, 0.0])
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._place = np.full(game.n, -1, dtype=np.int64)
        self._x = np.zeros(game.n)
        self._written = np.empty(0, dtype=np.int64)

    def evolve(
        self,
        item: int,
        players: Mask,
        *,
        tolerance: float = 1e-8,
        max_iterations: int = 1_000_000,
    ) -> Iterator[State]:
        """Evolve from `item` alone, first among its neighbours, then with all who do better.

        Yields
        ------
        State after each step, as `infection_immunisation`. Its `x` has an entry for every item;
        its `payoffs` are those of the items looked at, and so is its gap. The last state is
        judged against all players
        """
        looked_at = self._nearest(item, players)
        shares = (looked_at == item).astype(np.float64)
        first = 0
        while True:
            game = self._among(looked_at)
            for state in infection_immunisation(
                game, shares, tolerance=tolerance, max_iterations=max_iterations - first
            ):
                if state.converged:
                    break
                yield self._of_all(looked_at, state, first)
            else:
                return
            used = state.x.nonzero()[0]
            members, shares = looked_at[used], state.x[used]
            others, earned = self.rivals(members, shares, players)
            better = earned > state.objective + tolerance * abs(state.objective)
            if better.any():
                better &= ~np.isin(others, looked_at)
            if not better.any():
                yield self._of_all(looked_at, state, first)
                return
            others, earned = others[better], earned[better]
            joining = others[np.argsort(-earned, kind="stable")[:MOST_JOINING]]
            looked_at = np.concatenate([members, joining])
            shares = np.concatenate([shares, np.zeros(len(joining))])
            first += state.iteration

    def rivals(self, members: Ints, shares: Floats, players: Mask) -> tuple[Ints, Floats]:
        """Return the players outside that are similar to a member, and what they earn."""
        rows, values, counts = self._game.links(members)
        places = self._place
        places[rows] = -2
        places[members] = -1
        outside = (places[rows] == -2) & players[rows]
        places[rows] = -1
        rows = rows[outside]
        near, where = np.unique(rows, return_inverse=True)
        earned = np.bincount(where, (values * np.repeat(shares, counts))[outside], len(near))
        return near, earned / self._game.scale

    def _nearest(self, item: int, players: Mask) -> Ints:
        rows, values, _ = self._game.links(np.array([item]))
        playing = players[rows] & (rows != item)
        rows, values = rows[playing], values[playing]
        best = np.argsort(-values, kind="stable")[:MOST_LOOKED_AT]
        return np.concatenate([[item], rows[best]])

    def _among(self, items: Ints) -> Game:
        """The game of `items` alone, dense; as `Game.among`, for few items of many."""
        m = len(items)
        self._place[items] = np.arange(m)
        rows, values, counts = self._game.links(items)
        places = self._place[rows]
        self._place[items] = -1
        inside = places >= 0
        A = np.zeros((m, m))
        A[places[inside], np.repeat(np.arange(m), counts)[inside]] = values[inside]
        A /= self._game.scale
        np.fill_diagonal(A, 0.0)
        return _FewPlayers(
            Affinity(values=A, nonnegative=self._game.least >= 0),
            1.0,
            least=self._game.least,
            diagonal=np.zeros(m),
            noise=self._game.noise,
            own=self._game.own,
        )

    def _of_all(self, looked_at: Ints, state: State, first: int) -> State:
        """The same state with a share for every item, in one array for all of them."""
        self._x[self._written] = 0.0
        self._x[looked_at] = state.x
        self._written = looked_at
        members = looked_at if state.members is None else looked_at[state.members]
        return State(
            first + state.iteration,
            self._x,
            state.payoffs,
            state.objective,
            state.gap,
            state.deviation,
            state.converged,
            members,
        )


class _FewPlayers(Game):
    """A dense game whose diagonal is zero: thousands are played, most of them by a dozen items."""

    def payoffs(self, x: Floats) -> Floats:
        """Return A x."""
        values: Any = self.affinity.values
        product: Floats = values @ x
        if self.own:
            product += self.own * x
        return product
