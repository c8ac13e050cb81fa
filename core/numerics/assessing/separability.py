"""How separate groups are: Jeffries–Matusita distances."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints

MOST_COLUMNS = 20  # of more, the directions of most variance count
OVERLAPPING, SEPARATE = (
    1.0,
    1.9,
)  # the usual limits (Richards, Remote sensing digital image analysis)


def separability(X: Floats, labels: Ints, k: int) -> Floats:
    """Return (k, k) distances from 0, the same, to 2, fully separate; NaN for groups of one item.

    Groups are taken for Gaussians. The covariance of a group of few items leans on that of all
    groups together: by itself it would be singular, and everything far from everything. Items with
    missing values do not count.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [0.2], [1.2], [50.0], [51.0]])
    >>> found = separability(X, np.array([0, 0, 1, 1, 2, 2]), 3)
    >>> bool(found[0, 1] < 0.5), bool(found[0, 2] > 1.99)
    (True, True)
    """
    known = (labels >= 0) & np.isfinite(X).all(axis=1)
    X, labels = _few_columns(X[known]), labels[known]
    d = X.shape[1]
    counts = np.bincount(labels, minlength=k)
    means, spreads = np.zeros((k, d)), np.zeros((k, d, d))
    pooled = np.zeros((d, d))
    for group in np.flatnonzero(counts):
        own = X[labels == group]
        means[group] = own.mean(axis=0)
        spreads[group] = (own - means[group]).T @ (own - means[group])
        pooled += spreads[group]
    freedom = max(1, len(X) - int((counts > 0).sum()))
    pooled = pooled / freedom
    pooled += 1e-6 * (np.trace(pooled) / d + 1e-300) * np.eye(d)
    spreads = (spreads + d * pooled) / (np.maximum(counts - 1, 0) + d)[:, None, None]
    logs = np.linalg.slogdet(spreads)[1]
    found = np.full((k, k), np.nan)
    some = np.flatnonzero(counts > 1)
    for group in some:
        both = (spreads[group] + spreads[some]) / 2
        apart = means[some] - means[group]
        squares = np.einsum("ij,ij->i", apart, np.linalg.solve(both, apart[..., None])[..., 0])
        by_shape = np.linalg.slogdet(both)[1] - (logs[group] + logs[some]) / 2
        found[group, some] = 2 * (1 - np.exp(-(squares / 8 + by_shape / 2)))
    clipped: Floats = np.clip(found, 0.0, 2.0)
    return clipped


def nearest_of(distances: Floats, group: int) -> tuple[int, float] | None:
    """Return the group that is least separate from another, and how far; None if none is known."""
    row = distances[group].copy()
    row[group] = np.nan
    if np.isnan(row).all():
        return None
    at = int(np.nanargmin(row))
    return at, float(row[at])


def _few_columns(X: Floats) -> Floats:
    X = np.asarray(X, dtype=np.float64)
    if X.shape[1] <= MOST_COLUMNS or len(X) < 2:
        return X
    centred = X - X.mean(axis=0)
    vectors = np.linalg.eigh(centred.T @ centred)[1][:, -MOST_COLUMNS:]
    return np.asarray(centred @ vectors)
