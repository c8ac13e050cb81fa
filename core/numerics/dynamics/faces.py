"""Equilibria of large support: solved on a face of the simplex, which is then corrected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.state import State

MOST_FACES = 40  # as a rule five to seven; of more, the faces go in circles
MOST_PRODUCTS = 50  # on one face
# How much closer each face is solved than it was found: .3 to .03 take more products altogether,
# in faces that have to be corrected again.
CLOSER = 0.01
LARGE = 0.01  # share, of the largest


def by_faces(
    game: Game, x: Floats, steepness: Floats, tolerance: float, max_iterations: int
) -> Iterator[State]:
    """Climb towards an equilibrium of many members, where xᵀA x falls steeply in most shares.

    On the face of the members and all who would gain by joining, the best population is sought
    by conjugate gradients in the metric of `steepness`, whatever the sign of the shares. All whose
    share has become negative leave at once. That needs some 10 to 20 products where an ascent that
    stays within the simplex needs hundreds, as one member after another reaches its border. On a
    way on which xᵀA x rises throughout, as between two seeds, it goes on until a large share is
    gone. It may end without having converged, as when the faces go in circles. Go on from the last
    state with another dynamics then.

    Parameters
    ----------
    game : symmetric payoffs
    x : (n,) population; written into
    steepness : (n,) how fast xᵀA x falls in each share, above 0
    tolerance, max_iterations : as of the dynamics; every product but the last of a face counts

    Yields
    ------
    State of each face, the start first, and again after each product on the way to the next.

    References
    ----------
    Hintermüller, Ito, Kunisch (2002). The primal-dual active set strategy as a semismooth Newton
    method. SIAM Journal on Optimization 13(3).
    """
    iteration = corrected = 0
    payoffs, known = game.payoffs(x), True
    while True:
        members = x.nonzero()[0]
        objective = float(x[members] @ payoffs[members])
        excess = payoffs - objective
        gap = max(0.0, float(excess.max()))
        deviation = float(np.abs(excess[members]).max())
        converged = max(gap, deviation) <= tolerance * abs(objective)
        last = converged or iteration >= max_iterations or corrected == MOST_FACES
        if last and not known:  # updated payoffs have drifted by rounding: judge the true ones
            payoffs, known = game.payoffs(x), True
            continue
        yield (state := State(iteration, x, payoffs, objective, gap, deviation, converged, members))
        if last:
            return  # the state is that of the last x, from which another dynamics may go on
        face = _Face(game, x, excess, steepness)
        for products in face.solved(tolerance * abs(objective) / 2):
            yield state.later(products)
        if face.products:
            iteration += face.products
            corrected += 1
            payoffs, known = face.moved(payoffs), False
        elif known:
            return
        else:
            payoffs, known = game.payoffs(x), True


class _Face:
    """The members and all who would gain by joining, and how their shares are to change.

    Attributes
    ----------
    products : how many were taken
    """

    def __init__(self, game: Game, x: Floats, excess: Floats, steepness: Floats) -> None:
        self._game, self._x = game, x
        self._items = ((x > 0) | (excess > 0)).nonzero()[0]
        self._uphill = excess[self._items]
        self._weights = 1.0 / steepness[self._items]
        self._change = np.zeros(len(self._items))
        self._gained = np.zeros(game.n)
        self.products = 0

    def solved(self, enough: float) -> Iterator[int]:
        """Bring the change closer to the best population of the face, by each product."""
        weights = self._weights
        total = float(weights.sum())
        uphill = self._uphill - float(weights @ self._uphill) / total
        found = weights * uphill
        way, squared = found, float(uphill @ found)
        enough = max(enough, CLOSER * float(np.abs(uphill).max()))
        while self.products < MOST_PRODUCTS and float(np.abs(uphill).max()) > enough:
            whole = np.zeros(self._game.n)
            whole[self._items] = way
            more = self._game.payoffs(whole)
            curvature = -float(way @ more[self._items])
            length = squared / curvature if curvature > 0 else self._to_the_border(way)
            if not length:
                return
            self._change += length * way
            self._gained += length * more
            self.products += 1
            yield self.products
            if curvature <= 0:
                return
            uphill = uphill + length * more[self._items]
            uphill -= float(weights @ uphill) / total
            found = weights * uphill
            before, squared = squared, float(uphill @ found)
            way = found + squared / before * way

    def moved(self, payoffs: Floats) -> Floats:
        """Change the shares, without those that fall below 0, and return the payoffs."""
        x = self._x
        x[self._items] += self._change
        gained = self._gained
        gained += payoffs
        if (x < 0).any():
            gained -= self._game.payoffs(np.minimum(x, 0.0))
            np.maximum(x, 0.0, out=x)
        total = float(x.sum())
        x /= total
        gained /= total
        return gained

    def _to_the_border(self, way: Floats) -> float:
        """How far a way on which xᵀA x rises throughout leads until a large share is gone.

        Where only small ones fall, until they are gone on average. 0 when the way does not start
        from where the population is, or takes nothing from anybody.
        """
        shares, falling = self._x[self._items], way < 0
        if self.products or not shares[falling].any():
            return 0.0
        large = falling & (shares >= LARGE * float(shares.max()))
        if large.any():
            return float((shares[large] / -way[large]).min())
        return float(shares[falling].sum() / -way[falling].sum())
