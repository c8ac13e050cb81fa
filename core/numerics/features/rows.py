"""Rows brought to one length or one sum, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Matrix, is_sparse


def unit_rows(X: Matrix) -> tuple[Matrix, int]:
    """Return the rows divided by their Euclidean length, and how many were zero and stay so.

    >>> unit_rows(np.array([[0.0, 4.0], [0.0, 0.0]]))[0].tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    # By the largest value first: squares of very large or very small numbers leave the range.
    largest = _row_maxima(X)
    scaled: Any = scale_rows(X, _inverse(largest))
    squares = scaled.multiply(scaled) if is_sparse(scaled) else np.square(scaled)
    lengths = np.sqrt(np.asarray(squares.sum(axis=1)).ravel())
    return scale_rows(scaled, _inverse(lengths)), int((lengths == 0).sum())


def unit_sum_rows(X: Matrix) -> tuple[Matrix, int]:
    """Return the rows divided by their sum, and how many were zero and stay so.

    >>> unit_sum_rows(np.array([[3.0, 1.0], [0.0, 0.0]]))[0].tolist()
    [[0.75, 0.25], [0.0, 0.0]]
    """
    scaled = scale_rows(X, _inverse(_row_maxima(X)))
    sums = np.asarray(scaled.sum(axis=1)).ravel()
    return scale_rows(scaled, _inverse(sums)), int((sums == 0).sum())


def scale_rows(X: Matrix, factors: Floats) -> Matrix:
    """Return each row times its factor, dense as dense and CSR as CSR."""
    if not is_sparse(X):
        return np.asarray(X, dtype=np.float64) * factors[:, None]
    from scipy.sparse import csr_array

    rows: Any = X
    data = rows.data * np.repeat(factors, np.diff(rows.indptr))
    return csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def require_nonnegative(X: Array, what: str) -> None:
    """Raise a clear error when a value is negative; `what` are the values called."""
    least = float(X.min(initial=0.0))
    if least < 0:
        raise DataError(
            f"{what} cannot hold negative values. Got {least:.4g}. "
            "Scale the columns to [0, 1] first, or choose another method.",
            offer=(well_known.TRANSFORM_MINMAX,),
            code="negative-values",
        )


def _row_maxima(X: Matrix) -> Floats:
    sizes: Any = abs(X)
    most = sizes.max(axis=1)
    return np.asarray(most.toarray() if is_sparse(most) else most).ravel()


def _inverse(values: Floats) -> Floats:
    """1 / value, 0 where the value is 0."""
    with np.errstate(over="ignore", divide="ignore"):
        inverse = 1.0 / values
    return np.where(np.isfinite(inverse), inverse, 0.0)
