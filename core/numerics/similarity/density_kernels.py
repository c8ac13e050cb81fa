"""Similarities that are densities: how likely an item is under a model centred on another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check

LogDensity = Callable[[Floats], Floats]


def relative_densities(n: int, log_density: LogDensity, X: Floats, check: Check) -> Floats:
    """Return exp(L − its largest entry in each row), with L = log_density of blocks of rows.

    A walk along the rows does not change when a row is multiplied by a number, and densities of
    many columns would underflow without it.

    >>> relative_densities(1, lambda rows: rows, np.array([[-1000.0, -1001.0]]), lambda: None)[0, 0]
    np.float64(1.0)
    """
    values: Floats | None = None
    for rows in row_blocks(n, n):
        check()
        logs = log_density(X[rows])
        logs -= logs.max(axis=1, keepdims=True)
        if values is None:
            values = np.empty((n, logs.shape[1]))
        np.exp(logs, out=values[rows])
    return np.zeros((0, 0)) if values is None else values


def require_counts(X: Floats, what: str) -> None:
    """Raise a clear error for values that are not whole numbers of 0 or more."""
    least = float(X.min(initial=0.0))
    broken = X[np.floor(X) != X]
    if least < 0 or len(broken):
        got = least if least < 0 else float(broken[0])
        raise DataError(
            f"{what} need counts: whole numbers of 0 or more. Got {got:.4g}. Choose other columns, "
            f"or a kernel for measurements such as {well_known.KERNEL_GAUSSIAN}.",
            code="values-out-of-range",
        )
