"""Equilibria of large support: solved on a face of the simplex, which is then corrected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.dynamics.game import Game
from coterie.core.numerics.dynamics.state import State

MOST_FACES = 40  # as a rule five to seven; of more, the faces go in circles
MOST_PRODUCTS = 50  # on one face
# How much closer each face is solved than it was found: .3 to .03 take more products altogether,
# in faces that have to be corrected again.
CLOSER = 0.01


def by_faces(
    game: Game, x: Floats, steepness: Floats, tolerance: float, max_iterations: int
) -> Iterator[State]:
    """Climb towards an equilibrium of many members, where xᵀA x falls steeply in most shares.

    On the face of the members and all who would gain by joining, the best population is sought
    by conjugate gradients in the metric of `steepness`, whatever the sign of the shares. All whose
    share has become negative leave at once. That needs some 15 to 25 products where an ascent that
    stays within the simplex needs hundreds, as one member after another reaches its border.
    It may end without having converged: xᵀA x rises on a way across the face, or the faces go in
    circles. Go on from the last state with another dynamics then.

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
    iteration = 0
    payoffs = game.payoffs(x)
    for corrected in range(MOST_FACES + 1):
        members = x.nonzero()[0]
        objective = float(x[members] @ payoffs[members])
        excess = payoffs - objective
        gap = max(0.0, float(excess.max()))
        deviation = float(np.abs(excess[members]).max())
        converged = max(gap, deviation) <= tolerance * abs(objective)
        yield (state := State(iteration, x, payoffs, objective, gap, deviation, converged, members))
        if converged or iteration >= max_iterations or corrected == MOST_FACES:
            return  # the state is that of the last x, from which another dynamics may go on
        face = ((x > 0) | (excess > 0)).nonzero()[0]
        enough = tolerance * abs(objective) / 2
        change = np.zeros(len(face))
        products = 0
        for products in _to_the_best(change, game, face, excess[face], steepness[face], enough):
            yield state.later(products)
        if not products:
            return
        x[face] += change
        np.maximum(x, 0.0, out=x)
        x /= x.sum()
        iteration += products
        payoffs = game.payoffs(x)


def _to_the_best(
    change: Floats, game: Game, face: Ints, excess: Floats, steepness: Floats, enough: float
) -> Iterator[int]:
    """Bring the change of shares, written into, closer to the best population of a face.

    Yields the number of products so far.
    """
    weights = 1.0 / steepness
    total = float(weights.sum())
    uphill = excess - float(weights @ excess) / total
    found = weights * uphill
    way, squared = found, float(uphill @ found)
    enough = max(enough, CLOSER * float(np.abs(uphill).max()))
    for products in range(1, MOST_PRODUCTS + 1):
        if float(np.abs(uphill).max()) <= enough:
            return
        whole = np.zeros(game.n)
        whole[face] = way
        gained = game.payoffs(whole)[face]
        curvature = -float(way @ gained)
        if curvature <= 0:
            return
        length = squared / curvature
        change += length * way
        yield products
        uphill = uphill + length * gained
        uphill -= float(weights @ uphill) / total
        found = weights * uphill
        before, squared = squared, float(uphill @ found)
        way = found + squared / before * way
