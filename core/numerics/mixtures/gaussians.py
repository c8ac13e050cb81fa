"""Gaussian mixtures as linear functions of quadratic features, in coordinates where that is safe.

ln w N(x; μ, C) is linear in φ(x) = (1, x, x xᵀ), the upper triangle of x xᵀ being enough. Expanded
so, large terms cancel unless the origin and the units are those of the data: items are centred and
whitened first, which changes every log-likelihood by the same constant and no share at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check

Covariance = Literal["full", "diagonal"]

# As scikit-learn has it: keeps the mean of a component without items a number.
_LEAST_COUNT = 10 * np.finfo(np.float64).eps
# Numbers in the covariances that are worked on at once, 4 MB: with fewer, threads wait for one
# another between the steps, each of which takes only microseconds.
_AT_ONCE = 1 << 19
# Largest block of a triangular matrix that is inverted row by row.
_BLOCK = 7


@dataclass(frozen=True)
class Whitening:
    """Coordinates z = (x − centre) · axes in which the items have about unit variance.

    `ridge` is what the regularisation amounts to along each coordinate; adding `log_volume` to a
    log-density of z makes it one of x.
    """

    centre: Floats
    axes: Floats
    ridge: Floats
    log_volume: float

    @staticmethod
    def of(X: Floats, regularisation: float, covariance: Covariance = "full") -> Whitening:
        """Return the principal axes, or for diagonal covariances the columns, to unit variance.

        `regularisation` is a variance in the units of X. It keeps directions without variance,
        such as constant columns, from being blown up: they stay below unit variance.

        >>> space = Whitening.of(np.array([[0.0, 5.0], [2.0, 5.0]]), 1e-6)
        >>> space.apply(np.array([[2.0, 5.0]])).round(4).tolist()
        [[0.0, 1.0]]
        """
        centre = X.mean(axis=0)
        if covariance == "full":
            apart = X - centre
            values, axes = np.linalg.eigh(apart.T @ apart / len(X))
        else:
            values, axes = X.var(axis=0), np.eye(X.shape[1])
        scales = 1.0 / np.sqrt(np.maximum(values, 0.0) + regularisation)
        return Whitening(
            centre, axes * scales, regularisation * scales**2, float(np.log(scales).sum())
        )

    def apply(self, X: Floats) -> Floats:
        """Return items in these coordinates."""
        return np.asarray((X - self.centre) @ self.axes)


def quadratic_features(Z: Floats, covariance: Covariance = "full") -> Floats:
    """Return φ(z) = (1, z, products of coordinates), upper triangle or squares only.

    >>> quadratic_features(np.array([[2.0, 3.0]])).tolist()
    [[1.0, 2.0, 3.0, 4.0, 6.0, 9.0]]
    >>> quadratic_features(np.array([[2.0, 3.0]]), "diagonal").tolist()
    [[1.0, 2.0, 3.0, 4.0, 9.0]]
    """
    n, d = Z.shape
    features = np.empty((n, feature_count(d, covariance)))
    features[:, 0] = 1.0
    features[:, 1 : 1 + d] = Z
    if covariance == "diagonal":
        np.square(Z, out=features[:, 1 + d :])
        return features
    for i, columns in enumerate(_triangle(d)):
        np.multiply(Z[:, i : i + 1], Z[:, i:], out=features[:, 1 + d :][:, columns])
    return features


def feature_count(d: int, covariance: Covariance = "full") -> int:
    """Return the length of φ for d columns."""
    return 1 + d + (d * (d + 1) // 2 if covariance == "full" else d)


def _triangle(d: int) -> list[slice]:
    """The position of each row of an upper triangle when the rows are stored end to end."""
    ends = np.cumsum(np.arange(d, 0, -1)).tolist()
    return [slice(end - d + i, end) for i, end in enumerate(ends)]


def coefficients_from(
    moments: Floats,
    n: int,
    ridge: Floats,
    covariance: Covariance = "full",
    *,
    check: Check | None = None,
) -> Floats:
    """Return the θ of the likeliest Gaussians with these moments: one M-step.

    Parameters
    ----------
    moments : (…, p) Σ shares · φ of each component
    n : number of items
    ridge : (d,) added to the variances
    check : called every few milliseconds, to let a run be cancelled

    Returns
    -------
    (…, p) with θᵀφ(z) = ln w N(z; μ, C + ridge)
    """
    flat = moments.reshape(-1, moments.shape[-1])
    theta = np.empty_like(flat)
    many = max(32, _AT_ONCE // len(ridge) ** 2)
    for start in range(0, len(flat), many):
        if check is not None:
            check()
        some = slice(start, start + many)
        theta[some] = _gaussians(flat[some], n, ridge, covariance)
    return theta.reshape(moments.shape)


def _gaussians(flat: Floats, n: int, ridge: Floats, covariance: Covariance) -> Floats:
    d = len(ridge)
    count = flat[:, 0] + _LEAST_COUNT
    means = flat[:, 1 : 1 + d] / count[:, None]
    squares = flat[:, 1 + d :] / count[:, None]
    if covariance == "full":
        theta = _full(means, squares, ridge)
    else:
        theta = _diagonal(means, squares, ridge)
    theta[:, 0] += np.log(count / n) - 0.5 * d * np.log(2 * np.pi)
    return theta


def _diagonal(means: Floats, squares: Floats, ridge: Floats) -> Floats:
    d = len(ridge)
    # Rounding may leave a variance of zero a hair below it.
    precision = 1.0 / (np.maximum(squares - means**2, 0.0) + ridge)
    theta = np.empty((len(means), 1 + 2 * d))
    theta[:, 0] = 0.5 * (np.log(precision) - means**2 * precision).sum(axis=1)
    theta[:, 1 : 1 + d] = precision * means
    theta[:, 1 + d :] = -0.5 * precision
    return theta


def _full(means: Floats, squares: Floats, ridge: Floats) -> Floats:
    """Few operations, each on the whole stack: other threads wait while Python is between two."""
    d = len(ridge)
    diagonal = np.arange(d)
    first, second = np.triu_indices(d)
    apart = squares - means[:, first] * means[:, second]
    covariances = apart[:, _unpacked(d)].reshape(-1, d, d)
    covariances[:, diagonal, diagonal] += ridge
    inverse = inverse_lower(_cholesky(covariances, ridge))
    # Of a copy: numpy takes a matrix times its own transpose another way, three times as slow.
    precision = np.matmul(inverse.transpose(0, 2, 1), inverse.copy())
    linear = np.matmul(precision, means[:, :, None])[:, :, 0]
    theta = np.empty((len(means), feature_count(d)))
    theta[:, 0] = np.log(inverse[:, diagonal, diagonal]).sum(axis=1)
    theta[:, 0] -= 0.5 * (linear * means).sum(axis=1)
    theta[:, 1 : 1 + d] = linear
    precision[:, diagonal, diagonal] *= 0.5
    upper = precision.reshape(len(means), d * d)[:, first * d + second]
    np.negative(upper, out=theta[:, 1 + d :])
    return theta


def _unpacked(d: int) -> Ints:
    """Where each entry of a symmetric matrix stands in its upper triangle laid row by row.

    >>> _unpacked(3).tolist()
    [0, 1, 2, 1, 3, 4, 2, 4, 5]
    """
    places = np.zeros((d, d), dtype=np.int64)
    places[np.triu_indices(d)] = np.arange(d * (d + 1) // 2)
    return np.asarray(np.maximum(places, places.T).ravel())


def _cholesky(covariances: Floats, ridge: Floats) -> Floats:
    """Lower roots; a covariance that rounding left without one is replaced by its diagonal."""
    try:
        return np.asarray(np.linalg.cholesky(covariances))
    except np.linalg.LinAlgError:
        roots = np.zeros_like(covariances)
        diagonal = np.arange(len(ridge))
        for root, one in zip(roots, covariances, strict=True):
            try:
                root[:] = np.linalg.cholesky(one)
            except np.linalg.LinAlgError:
                root[diagonal, diagonal] = np.sqrt(np.maximum(one[diagonal, diagonal], ridge))
        return roots


def inverse_lower(roots: Floats) -> Floats:
    """Return the inverses of a stack of lower triangular matrices.

    Blocks along the diagonal are inverted all together, what is below them by products of small
    matrices: seven times as fast as numpy's inverse for 20 columns.

    >>> inverse_lower(np.array([[[2.0, 0.0], [1.0, 4.0]]])).tolist()
    [[[0.5, 0.0], [-0.125, 0.25]]]
    """
    d = roots.shape[-1]
    blocks = -(-d // _BLOCK)
    width = -(-d // blocks)
    out = np.zeros_like(roots)
    _invert_diagonal(roots, width, out)
    _join(roots, width, out)
    return out


def _invert_diagonal(roots: Floats, width: int, out: Floats) -> None:
    """Row after row of all blocks at once, (row, column, blocks × matrices)."""
    many, d, _ = roots.shape
    places = [slice(start, min(start + width, d)) for start in range(0, d, width)]
    lower = np.zeros((width, width, len(places), many))
    lower[np.arange(width), np.arange(width), -1] = 1.0  # the last block may be smaller
    for block, place in enumerate(places):
        size = place.stop - place.start
        lower[:size, :size, block] = roots[:, place, place].transpose(1, 2, 0)
    rows = lower.reshape(width, width, -1)
    inverse = np.zeros_like(rows)
    for i in range(width):
        np.reciprocal(rows[i, i], out=inverse[i, i])
        rows[i, :i] *= -inverse[i, i]
        np.einsum("kb,kjb->jb", rows[i, :i], inverse[:i, :i], out=inverse[i, :i])
    stacked = inverse.reshape(lower.shape)
    for block, place in enumerate(places):
        size = place.stop - place.start
        out[:, place, place] = stacked[:size, :size, block].transpose(2, 0, 1)


def _join(roots: Floats, width: int, out: Floats) -> None:
    """Fill in `out` below the blocks, by halves."""
    d = roots.shape[-1]
    if d <= width:
        return
    half = width * (-(-d // width) // 2)
    first, last = slice(0, half), slice(half, d)
    _join(roots[:, first, first], width, out[:, first, first])
    _join(roots[:, last, last], width, out[:, last, last])
    corner = np.matmul(roots[:, last, first], out[:, first, first])
    np.negative(corner, out=corner)
    np.matmul(out[:, last, last], corner, out=out[:, last, first])
