"""How many places of each class of a map to look at, for accuracies and areas of a wanted error.

Formulas of a stratified random sample: Cochran (1977), Sampling techniques, chapter 5, as in
Olofsson and others (2014), Remote Sensing of Environment 148.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coterie.core.errors import ParameterError
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.partitions.accuracy import Z95

EXPECTED = 0.85  # share of each map class that is right, before anything is known
LEAST = 20  # of each class: fewer say next to nothing of it


def spread_of(
    mapped: Sequence[float] | Array, expected: Sequence[float] | float, of: int
) -> Floats:
    """Return the standard deviation, within each map class, of what is to be estimated.

    Parameters
    ----------
    mapped : (k,) area of each class on the map
    expected : share of each map class that is expected to be right
    of : the class whose true area is wanted; −1: the overall accuracy

    What is wrong in a class is expected to belong to the others by their areas.

    >>> spread_of([0.5, 0.5], 0.9, -1).round(3).tolist()
    [0.3, 0.3]
    """
    W = np.asarray(mapped, dtype=np.float64) / float(np.sum(mapped))
    right = np.broadcast_to(np.asarray(expected, dtype=np.float64), W.shape)
    if not ((right > 0) & (right < 1)).all():
        raise ParameterError(
            f"The expected accuracy must be between 0 and 1. Got {np.ravel(expected).tolist()}.",
            code="invalid-parameters",
        )
    if of < 0:
        p = right
    else:
        others = np.where(W < 1, 1 - W, 1.0)
        p = (1 - right) * W[of] / others
        p[of] = right[of]
    return np.asarray(np.sqrt(p * (1 - p)))


def planned(
    mapped: Sequence[float] | Array,
    *,
    error: float,
    of: int = -1,
    expected: Sequence[float] | float = EXPECTED,
    least: int = LEAST,
) -> Ints:
    """Return how many places of each class bring a 95% interval to ± `error`.

    Parameters
    ----------
    error : half the width of the interval, as a share of the whole map
    mapped, expected, of : as for `spread_of`
    least : at least so many of each class that there is

    Examples
    --------
    >>> planned([0.2, 0.8], error=0.05).tolist()
    [39, 157]
    """
    if not 0 < error < 1:
        raise ParameterError(
            f"The error must be a share between 0 and 1, such as 0.02. Got {error:g}.",
            code="invalid-parameters",
        )
    W = np.asarray(mapped, dtype=np.float64) / float(np.sum(mapped))
    spread = spread_of(W, expected, of)
    total = np.ceil((float(W @ spread) / (error / Z95)) ** 2)
    weights = W * spread
    found = np.rint(total * weights / weights.sum()).astype(np.int64)
    # As few of a small class would do for the whole map, but say nothing of the class.
    return np.where(W > 0, np.maximum(found, max(1, least)), 0)


def shared_out(
    mapped: Sequence[float] | Array,
    total: int,
    *,
    least: int = LEAST,
    most: Sequence[int] | Array | None = None,
) -> Ints:
    """Return a number for each class, `total` in all: by area, but at least `least` of each.

    Parameters
    ----------
    least : of each class; if the total is too small for that, all get an equal share of it
    most : (k,) how many there are of each class; what one lacks goes to the others

    >>> shared_out([0.98, 0.02], 100, least=20).tolist()
    [80, 20]
    """
    W = np.asarray(mapped, dtype=np.float64)
    there = W > 0
    if total < 1 or not there.any():
        raise ParameterError(
            f"A sample needs at least one place and one class. Got {total} places.",
            code="invalid-parameters",
        )
    limit = np.full(W.shape, float(total)) if most is None else np.asarray(most, dtype=np.float64)
    limit = np.where(there, limit, 0.0)
    total = min(total, int(limit.sum()))
    floor = np.minimum(limit, min(least, total // int(there.sum())))
    # Places per area, such that the bounds of the classes leave as many as asked.
    low, high = 0.0, total / float(W[there].min())
    for _ in range(200):
        rate = (low + high) / 2
        short = np.clip(rate * W, floor, limit).sum() < total
        low, high = (rate, high) if short else (low, rate)
    exact = np.clip(high * W, floor, limit)
    found = np.floor(exact + 1e-9).astype(np.int64)
    # Whole numbers: the largest remainders are rounded up.
    order = np.argsort(found - exact, kind="stable")
    room = order[found[order] < limit[order]]
    found[room[: total - int(found.sum())]] += 1
    return found
