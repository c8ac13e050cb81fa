"""How far apart two correct computations of one number may be."""

import numpy as np


def rounding(operations: int, scale: float = 1.0) -> float:
    """Return a bound on the difference of two results that should be equal.

    Each rounded operation errs by at most half the machine epsilon, relative to its result. Two
    computations of `operations` each, one upon the other, with results of at most `scale` in
    between, therefore differ by at most this much, whichever BLAS kernel adds in whichever order.
    A scalar product of length n has 2 n operations.

    >>> 0.1 + 0.2 - 0.3 <= rounding(2)
    True
    """
    return operations * float(np.finfo(float).eps) * scale
