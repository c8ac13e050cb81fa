"""Euclidean distances and Gaussian similarities by tiles: matrix products in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check as Check
from coterie.core.numerics.similarity.tiles import products_by_tiles

BLOCK_BYTES = 1 << 23  # 8 MB: a few milliseconds of work, and it stays near the caches
LARGEST = 1e150  # the square of more, summed over columns, would not be a number


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
    check : called for every tile of the result, to let a run be cancelled

    Returns
    -------
    (n, m) squared distances, never negative. Memory: the result, two copies of the features and a
    tile.

    Examples
    --------
    >>> squared_distances(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    own, other = _centred(X, Y)
    require_squares(own)
    require_squares(other)

    def finish(rows: slice, columns: slice, tile: Floats) -> None:
        np.maximum(tile, 0.0, out=tile)  # rounding can leave a distance of zero below it
        if Y is None and rows == columns:
            np.fill_diagonal(tile, 0.0)

    left, right = _augmented(own, other, -1.0)
    return products_by_tiles(left, right, finish, symmetric=Y is None, out=out, check=check)


def gaussian_similarities(
    X: Floats,
    Y: Floats | None = None,
    *,
    sigma: float,
    dtype: Any = np.float64,
    check: Check | None = None,
) -> Floats:
    """Return exp(−‖x_i − y_j‖² / 2σ²) for all pairs; of X with itself, exactly symmetric.

    One matrix product gives the exponents, so a tile is touched three times while it is in
    the cache.

    Parameters
    ----------
    sigma : width σ > 0, however small or large
    dtype : float32 halves the memory; what is rounded is the result, not the way to it
    check : called for every tile of the result, to let a run be cancelled

    Examples
    --------
    >>> gaussian_similarities(np.array([[0.0], [2.0]]), sigma=1.0).round(4).tolist()
    [[1.0, 0.1353], [0.1353, 1.0]]
    """
    own, other = _centred(X, Y)
    largest = max(require_squares(own), require_squares(other))
    width = np.sqrt(2.0) * sigma
    if not largest / LARGEST < width < LARGEST:  # X / σ could not be squared
        squared = squared_distances(X, Y, check=check)
        return gaussian_in_place(squared, sigma).astype(dtype, copy=False)
    own = own / width
    other = own if Y is None else other / width

    def finish(rows: slice, columns: slice, tile: Floats) -> None:
        np.minimum(tile, 0.0, out=tile)
        if Y is None and rows == columns:
            np.fill_diagonal(tile, 0.0)
        np.exp(tile, out=tile)

    left, right = _augmented(own, other, 1.0)
    return products_by_tiles(left, right, finish, symmetric=Y is None, dtype=dtype, check=check)


def _centred(X: Floats, Y: Floats | None) -> tuple[Floats, Floats]:
    """The identity ‖x‖² + ‖y‖² − 2xᵀy cancels badly far from the origin: move it to the middle."""
    middle = X.mean(axis=0) if len(X) else 0.0
    own = X - middle
    return own, own if Y is None else Y - middle


def _augmented(own: Floats, other: Floats, sign: float) -> tuple[Floats, Floats]:
    """Return L, R with LRᵀ = −sign · squared distances: the norms are two columns more."""
    n, d = own.shape
    left, right = np.empty((n, d + 2)), np.empty((len(other), d + 2))
    np.multiply(own, 2.0 * sign, out=left[:, :d])
    left[:, d] = -sign * np.einsum("ij,ij->i", own, own)
    left[:, d + 1] = -sign
    right[:, :d] = other
    right[:, d] = 1.0
    right[:, d + 1] = np.einsum("ij,ij->i", other, other)
    return left, right


def require_squares(X: Floats) -> float:
    """Return the largest absolute value; raise a clear error when it is too large to be squared."""
    largest = max(abs(float(X.max(initial=0.0))), abs(float(X.min(initial=0.0))))
    if largest > LARGEST:
        raise DataError(
            f"Values as large as {largest:.3g} are too large to measure distances. "
            "Scale the columns first, for instance to [0, 1].",
            code="values-too-large",
        )
    return largest


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


def gaussian_width(
    X: Floats, sigma: float | Literal["auto"], fraction: float
) -> tuple[float, tuple[str, ...]]:
    """Return the width of a Gaussian and what to say about it.

    "auto" is a fraction of the median distance of two items.

    >>> gaussian_width(np.array([[0.0], [2.0]]), "auto", 0.5)
    (1.0, ('Width σ = 1, 0.5 of the median distance 2.',))
    """
    if sigma != "auto":
        return sigma, ()
    median = median_distance(X)
    if median == 0.0:
        return 1.0, ("All items coincide, so every width gives the same result; σ = 1 was used.",)
    width = fraction * median
    return width, (f"Width σ = {width:.4g}, {fraction:g} of the median distance {median:.4g}.",)


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
