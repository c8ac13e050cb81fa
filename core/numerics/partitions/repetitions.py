"""A number that was measured several times: its mean, how it scatters, and how sure the mean is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from coterie.core.model.arrays import Array


@dataclass(frozen=True)
class Spread:
    """Mean and scatter of a measured number. What is unknown is not a number.

    Attributes
    ----------
    n : how often it was measured
    deviation : standard deviation of one measurement (n − 1 below)
    low, high : 95% interval of the mean, by Student's distribution
    """

    n: int
    mean: float
    deviation: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference(Spread):
    """How much one way differs from another on the same draws.

    Attributes
    ----------
    p : how likely a mean as far from 0 is when the two ways are equally good (two-sided, paired)
    """

    p: float = float("nan")


def spread_of(values: Sequence[float] | Array) -> Spread:
    """Return mean, standard deviation and the 95% interval of the mean.

    Values that are not finite, such as the accuracy of a class that a map has not, are left out.

    >>> found = spread_of([0.8, 0.9, 1.0])
    >>> round(found.mean, 3), round(found.deviation, 3), round(found.low, 3), round(found.high, 3)
    (0.9, 0.1, 0.652, 1.148)
    """
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    n = len(known)
    nan = float("nan")
    if n == 0:
        return Spread(0, nan, nan, nan, nan)
    mean = float(known.mean())
    if n == 1:
        return Spread(1, mean, nan, nan, nan)
    deviation = float(known.std(ddof=1))
    half = float(stdtrit(n - 1, 0.975)) * deviation / n**0.5
    return Spread(n, mean, deviation, mean - half, mean + half)


def difference_of(one: Sequence[float] | Array, other: Sequence[float] | Array) -> Difference:
    """Return how much larger `one` is than `other`, entry by entry: a paired t-test.

    >>> found = difference_of([2.0, 4.0, 6.0], [1.0, 2.0, 3.0])
    >>> found.mean, round(found.p, 4)
    (2.0, 0.0742)
    """
    found = spread_of(np.asarray(one, dtype=np.float64) - np.asarray(other, dtype=np.float64))
    p = float("nan")
    if found.n > 1 and found.deviation > 0:
        t = abs(found.mean) / (found.deviation / found.n**0.5)
        p = 2 * float(stdtr(found.n - 1, -t))
    return Difference(found.n, found.mean, found.deviation, found.low, found.high, p)
