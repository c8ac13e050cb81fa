"""How well each group holds together: its silhouette, and how sure its items are of it."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.model.results import Clustering

MOST_MEASURED = 1500  # items whose silhouettes are taken


def group_silhouettes(X: Floats, groups: Clustering) -> dict[int, float]:
    """Return the mean silhouette of each group on columns of equal spread.

    Of more than 1,500 items evenly spread ones are taken. A missing value counts as the mean: it is
    as near to one group as to another.

    >>> groups = Clustering(labels=np.array([0, 0, 1, 1]))
    >>> group_silhouettes(np.array([[0.0], [0.0], [1.0], [1.0]]), groups)
    {0: 1.0, 1: 1.0}
    """
    from coterie.core.api.context import Context
    from coterie.core.numerics.partitions.silhouettes import silhouettes

    inside = np.flatnonzero(groups.labels >= 0)
    some = inside[:: max(1, -(-len(inside) // MOST_MEASURED))]
    present, codes = np.unique(groups.labels[some], return_inverse=True)
    if len(present) < 2 or not X.shape[1]:
        return {}
    known = np.isfinite(X[some])
    largest = np.where(known, np.abs(X[some]), 0.0).max(axis=0)
    rows = np.where(known, X[some], 0.0) / np.where(largest > 0, largest, 1.0)
    mean = rows.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    rows = np.where(known, rows - mean, 0.0)
    spread = rows.std(axis=0)
    varied = spread > 0
    if not varied.any():
        return {}
    each = silhouettes(rows[:, varied] / spread[varied], codes, Context())
    return {int(group): float(each[codes == at].mean()) for at, group in enumerate(present)}


def group_certainty(groups: Clustering) -> dict[int, float]:
    """Return the mean share of each group's items in it; nothing where there are no shares."""
    shares = groups.membership
    if shares is None or groups.group_starts is not None:
        return {}
    sizes = np.bincount(groups.labels[groups.labels >= 0], minlength=groups.k)
    if groups.n > groups.k and np.allclose(shares.sum(axis=0), 1, atol=1e-6):
        return {}  # weights of the items of a group, as of dominant sets, are no shares in it
    return {
        group: float(shares[groups.labels == group, group].mean())
        for group in range(min(groups.k, shares.shape[1]))
        if sizes[group]
    }
