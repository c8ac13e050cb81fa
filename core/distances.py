"""Euclidean distances by blocks: matrix products instead of loops, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from coterie.core.arrays import Floats, Ints
from coterie.core.errors import DataError

BLOCK_BYTES = 1 << 23  # 8 MB: a few milliseconds of work, and it stays near the caches
LARGEST = 1e150  # the square of more, summed over columns, would not be a number

Check = Callable[[], None]


def row_blocks(rows: int, row_length: int, block_bytes: int = BLOCK_BYTES) -> Iterator[slice]:
    """Cut `rows` rows of `row_length` floats into consecutive blocks of about `block_bytes`.

    >>> list(row_blocks(5, 1, block_bytes=16))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    height = max(1, block_bytes // (8 * max(1, row_length)))
    for start in range(0, rows, height):
        yield slice(start, min(start + height, rows))


def squared_distances(
    X: Floats, Y: Floats | None = None, *, out: Floats | None = None, check: Check | None = None
) -> Floats:
    """Return ‖x_i − y_j‖² for all pairs; of X with itself, exactly symmetric, without Y.

    Parameters
    ----------
    X : (n, d) features
    Y : (m, d) features, or None for X itself
    out : (n, m) array to write into
    check : called for every block, about every 8 MB of result, to let a run be cancelled

    Returns
    -------
    (n, m) squared distances, never negative. Memory: the result and one block.

    Examples
    --------
    >>> squared_distances(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    # The identity ‖x‖² + ‖y‖² − 2xᵀy cancels badly far from the origin: move it to the middle.
    middle = X.mean(axis=0) if len(X) else 0.0
    left = X - middle
    right = left if Y is None else Y - middle
    require_squares(left)
    require_squares(right)
    left_norms = np.einsum("ij,ij->i", left, left)
    right_norms = left_norms if Y is None else np.einsum("ij,ij->i", right, right)
    result = np.empty((len(left), len(right))) if out is None else out
    for rows in row_blocks(len(left), len(right)):
        if check is not None:
            check()
        # Of a symmetric matrix only what is right of the diagonal is computed.
        columns = slice(rows.start, None) if Y is None else slice(None)
        block = result[rows, columns]
        np.matmul(left[rows], right[columns].T, out=block)
        block *= -2.0
        block += left_norms[rows, None]
        block += right_norms[None, columns]
        np.maximum(block, 0.0, out=block)  # rounding can leave a distance of zero below it
        if Y is None:
            square = result[rows, rows]
            upper = np.triu(square, 1)
            square[...] = upper + upper.T
            result[rows.stop :, rows] = result[rows, rows.stop :].T
    return result


def require_squares(X: Floats) -> None:
    """Raise a clear error when the numbers are too large to be squared."""
    largest = max(abs(float(X.max(initial=0.0))), abs(float(X.min(initial=0.0))))
    if largest > LARGEST:
        raise DataError(
            f"Values as large as {largest:.3g} cannot be squared to measure distances. "
            "Scale the columns first, for instance to [0, 1]."
        )


def gaussian_in_place(squared: Floats, sigma: float) -> Floats:
    """Turn squared distances into exp(−d² / 2σ²), in place, for any σ > 0 however small.

    >>> gaussian_in_place(np.array([[0.0, 2.0]]), 1e-300).tolist()
    [[1.0, 0.0]]
    """
    # σ² could underflow, so the division is done twice; what overflows becomes a similarity of 0.
    with np.errstate(over="ignore"):
        squared /= -2.0 * sigma
        squared /= sigma
    return np.asarray(np.exp(squared, out=squared))


def median_distance(X: Floats, most_items: int = 1000) -> float:
    """Return the median distance between two different items, 0.0 when there is no such pair.

    Above `most_items` items it is taken over a sample of that many, the same one every time. When
    more than half of the pairs coincide the median is over the others.

    >>> median_distance(np.array([[0.0], [1.0], [3.0]]))
    2.0
    """
    n = len(X)
    if n > most_items:
        chosen = np.random.default_rng(0).choice(n, most_items, replace=False)
        X, n = X[np.sort(chosen)], most_items
    if n < 2:
        return 0.0
    squared = squared_distances(X)[np.triu_indices(n, 1)]
    distances = np.sqrt(squared)
    middle = float(np.median(distances))
    if middle == 0.0 and (distances > 0).any():
        middle = float(np.median(distances[distances > 0]))
    return middle


def nearest_labelled(X: Floats, labels: Ints, *, check: Check | None = None) -> Ints:
    """Return the labels, each −1 replaced by the label of the nearest item that has one.

    Memory: one block. Nothing changes when no item has a label.

    >>> nearest_labelled(np.array([[0.0], [1.0], [5.0], [4.0]]), np.array([0, -1, 1, -1])).tolist()
    [0, 0, 1, 1]
    """
    filled = np.array(labels)
    known, unknown = np.flatnonzero(filled >= 0), np.flatnonzero(filled < 0)
    if not len(known):
        return filled
    for rows in row_blocks(len(unknown), len(known)):
        squared = squared_distances(X[unknown[rows]], X[known], check=check)
        filled[unknown[rows]] = filled[known[squared.argmin(axis=1)]]
    return filled
