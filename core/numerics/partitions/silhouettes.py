"""Silhouettes: whether items are nearer to their own group than to the next one."""

from __future__ import annotations

import numpy as np

from coterie.core.api.context import Context
from coterie.core.model.arrays import Floats, Ints

BLOCK_BYTES = 1 << 23  # distances held at once


def silhouettes(features: Floats, group: Ints, context: Context) -> Floats:
    """Return the silhouette of each item, from all distances, block by block.

    Parameters
    ----------
    features : (n, d)
    group : (n,) group of each item, 0 to k − 1, none empty
    """
    # Silhouettes do not change with the scale; their squares must not overflow.
    scale = float(np.abs(features).max()) or 1.0
    X = features / scale
    X = X - X.mean(axis=0)
    squares = np.einsum("ij,ij->i", X, X)
    sizes = np.bincount(group).astype(np.float64)
    member = (group[:, None] == np.arange(len(sizes))).astype(np.float64)
    n = len(X)
    each = np.zeros(n)
    height = max(1, BLOCK_BYTES // (8 * n))
    for start in range(0, n, height):
        context.progress(start, n, "distances")
        rows = slice(start, min(start + height, n))
        distances = squares[rows, None] + squares - 2 * (X[rows] @ X.T)
        np.sqrt(np.maximum(distances, 0.0, out=distances), out=distances)
        here = np.arange(rows.stop - rows.start)
        distances[here, here + start] = 0.0
        sums = distances @ member
        own = group[rows]
        within = sums[here, own] / np.maximum(sizes[own] - 1, 1)
        means = sums / sizes
        means[here, own] = np.inf
        nearest = means.min(axis=1)
        larger = np.maximum(within, nearest)
        with np.errstate(invalid="ignore"):
            score = np.where(larger > 0, (nearest - within) / larger, 0.0)
        each[rows] = np.where(sizes[own] > 1, score, 0.0)
    return each
