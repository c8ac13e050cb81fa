"""Ties: numbers that are equal in theory and differ by rounding in practice."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats

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
