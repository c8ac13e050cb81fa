"""Similarity by way of a few landmarks: a bipartite graph, and never an n × n matrix.

Each item is joined to the nearest of p landmarks, Z (n, p) with rows that sum to one. Two items are
as similar as a walk from one to the other by way of a landmark is likely: W = Z Λ⁻¹ Zᵀ, Λ the
column sums of Z. It is Φ Φᵀ with Φ = Z Λ^−½, is never negative, and every degree is exactly one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Matrix, is_sparse
from coterie.core.numerics.partitions.kmeans import lloyd
from coterie.core.numerics.similarity.distances import Check, require_squares, row_blocks
from coterie.core.numerics.similarity.neighbours import nearest_neighbours

NUMBERS = 100_000_000  # of a factor: 400 MB in single precision
FEWEST, MOST = 100, 500  # landmarks, where nobody says how many
LEARNED_ON = 50  # items for each landmark that is placed
ROUNDS = 10  # of k-means: landmarks are to cover the items, not to settle


@dataclass(frozen=True, eq=False)
class LandmarkFactor:
    """A factor of the similarities by way of landmarks.

    Attributes
    ----------
    factor : (n, p) Φ in single precision
    sigma : the width of the Gaussian between items and landmarks
    used : landmarks that are near to any item
    """

    factor: Array
    sigma: float
    used: int


def how_many(n: int) -> int:
    """Return how many landmarks do for n items: as many as a factor of 400 MB holds, 100 to 500.

    >>> how_many(1000), how_many(1_000_000), how_many(60)
    (500, 100, 30)
    """
    return max(1, min(n // 2, max(FEWEST, min(MOST, NUMBERS // max(n, 1)))))


def placed(X: Matrix, p: int, rng: np.random.Generator, *, means: bool = True) -> Any:
    """Return at most p different landmarks: items drawn at random, then moved by k-means.

    >>> X = np.array([[0.0], [0.0], [9.0], [9.0]])
    >>> sorted(placed(X, 2, np.random.default_rng(0)).ravel().tolist())
    [0.0, 9.0]
    """
    n = X.shape[0]
    require_squares(X.data if is_sparse(X) else X)  # type: ignore[arg-type]
    some: Any = X[np.sort(rng.permutation(n)[: LEARNED_ON * p])]
    different = some if is_sparse(some) else np.unique(some, axis=0)
    if different.shape[0] <= p:
        return different
    start = different[np.sort(rng.permutation(different.shape[0])[:p])]
    if not means or is_sparse(some):
        return start
    for round_ in lloyd(some, start, max_iterations=ROUNDS):
        start = round_.centres
    return np.unique(start, axis=0)


def bridge(
    X: Matrix, landmarks: Any, near: int, sigma: float = 0.0, *, check: Check | None = None
) -> LandmarkFactor:
    """Return the factor Φ of the walk from item to item by way of landmarks.

    Parameters
    ----------
    X : (n, d) features, dense or sparse
    landmarks : (p, d)
    near : how many of the landmarks an item is joined to
    sigma : width of the Gaussian between them; 0: the median distance to the last of these

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [9.0]])
    >>> factor = bridge(X, np.array([[0.5], [9.0]]), 1).factor
    >>> (factor @ factor.T).round(6).tolist()
    [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """
    n, p = X.shape[0], landmarks.shape[0]
    near = min(near, p)
    found = nearest_neighbours(X, near, among=landmarks, check=check)
    positive = found.distances[:, -1][found.distances[:, -1] > 0]
    width = sigma or (float(np.median(positive)) if len(positive) else 1.0)
    # Less the nearest: only ratios count, and an item far from all landmarks keeps its share.
    weights = _shares(found.distances, width)
    load = np.bincount(found.indices.ravel(), weights=weights.ravel(), minlength=p)
    weights /= np.sqrt(load)[found.indices]
    used = np.flatnonzero(load > 0)
    place = np.cumsum(load > 0) - 1
    factor = np.zeros((n, len(used)), dtype=np.float32)
    for rows in row_blocks(n, near):
        if check is not None:
            check()
        np.put_along_axis(factor[rows], place[found.indices[rows]], weights[rows], axis=1)
    return LandmarkFactor(factor, width, len(used))


def _shares(distances: Floats, width: float) -> Floats:
    nearest = distances[:, :1]
    weights: Floats = np.exp(-(distances - nearest) * (distances + nearest) / (2 * width * width))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights
