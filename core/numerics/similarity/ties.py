"""Ties: numbers that are equal in theory and differ by rounding in practice."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints

BITS = 30  # of 53: sums of millions of terms are known to more than 9 digits


def drop_rounding(values: Floats) -> Floats:
    """Return the values to 9 significant digits, so rounding alone breaks no tie.

    The order in which a sum is added up, and with it the last digits, differs from one processor
    and linear algebra library to another. What is chosen among equals must not.

    >>> np.argmax([0.3, 0.1 + 0.2]), np.argmax(drop_rounding(np.array([0.3, 0.1 + 0.2])))
    (np.int64(1), np.int64(0))
    """
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissa, BITS)), exponent - BITS))


def smallest(values: Floats, count: int) -> Ints:
    """Return the places of the smallest numbers of each row, rising; of equals the first.

    Which of several equals numpy's argpartition takes depends on the processor.

    >>> smallest(np.array([[3.0, 1.0, 1.0, 0.0, 1.0]]), 3).tolist()
    [[1, 2, 3]]
    """
    rows = np.atleast_2d(values)
    if np.isnan(rows).any():
        rows = np.where(np.isnan(rows), np.inf, rows)
    limit = np.partition(rows, count - 1, axis=1)[:, count - 1 : count]
    chosen = rows <= limit
    tied = np.flatnonzero(chosen.sum(axis=1) > count)
    if len(tied):
        below, equal = rows[tied] < limit[tied], rows[tied] == limit[tied]
        room = count - below.sum(axis=1, keepdims=True)
        chosen[tied] = below | (equal & (np.cumsum(equal, axis=1) <= room))
    places: Ints = np.nonzero(chosen)[1].reshape(*values.shape[:-1], count)
    return places
