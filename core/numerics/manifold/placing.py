"""New items in a picture, each placed by those it is nearest to."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints, Matrix
from coterie.core.numerics.similarity.neighbours import nearest_neighbours
from coterie.core.numerics.similarity.tiles import Check

NEAREST = 5  # so few that an item at a border stays there


def placed_beside(
    X: Matrix,
    known: Matrix,
    places: Floats,
    *,
    recall: float = 1.0,
    check: Check | None = None,
) -> Floats:
    """Return a place for each row of X: the mean of those of its nearest known items.

    Nearer ones count more, by a Gaussian whose width is the mean distance of these. An item that
    equals a known one is placed at it.

    Parameters
    ----------
    X : (n, d) new items
    known : (m, d) items that have a place
    places : (m, c)
    recall : share of the true neighbours to be content with

    Examples
    --------
    >>> known, places = np.array([[0.0], [1.0]]), np.array([[0.0, 0.0], [2.0, 0.0]])
    >>> placed_beside(np.array([[0.5], [1.0]]), known, places).tolist()
    [[1.0, 0.0], [2.0, 0.0]]
    """
    k = min(NEAREST, known.shape[0])
    nearest, away = nearest_neighbours(X, k, among=known, recall=recall, check=check)
    return mean_place(nearest, away, places)


def mean_place(nearest: Ints, away: Floats, places: Floats) -> Floats:
    """Return for each row the mean place of its nearest known items, which are `away`."""
    width = away.mean(axis=1, keepdims=True)
    width[width == 0] = 1.0
    weights = np.exp(-((away / width) ** 2))
    weights /= weights.sum(axis=1, keepdims=True)
    found = np.einsum("ij,ijc->ic", weights, places[nearest])
    same = away[:, 0] == 0
    found[same] = places[nearest[same, 0]]
    return np.asarray(found)
