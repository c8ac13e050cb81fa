"""k-means of many starts at once: spread first centres, then Lloyd's iteration for all together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.mixtures.em_pass import sweep
from coterie.core.numerics.similarity.tiles import Check

_BLOCK = 1 << 20  # distances from candidates to items held at once: 8 MB


@dataclass(frozen=True)
class Partitions:
    """k-means partitions of the same items, as coefficients of the features (1, x)."""

    coefficients: Floats
    """(g, fits, 1 + d): −‖c‖²/2 and c of each centre."""
    iterations: Ints
    """(fits,) how many each took."""
    unfinished: int
    """How many were still moving at the limit."""
    empty: int
    """How many groups ended without items: there were fewer different items than groups."""


def linear_features(X: Floats) -> Floats:
    """Return (1, x − mean) of each item: distances near the origin lose no digits."""
    return np.column_stack([np.ones(len(X)), X - X.mean(axis=0)])


def partition(
    features: Floats,
    groups: int,
    starts: int,
    rng: np.random.Generator,
    *,
    max_iterations: int = 300,
    tolerance: float = 1e-4,
    check: Check | None = None,
) -> Partitions:
    """Return `starts` k-means partitions into `groups` groups, each from its own first centres.

    Parameters
    ----------
    features : (n, 1 + d) from `linear_features`
    tolerance : a fit stops when its centres moved, in squares and together, no more than this
        share of the mean variance of a column; the rule of scikit-learn's `KMeans`

    Examples
    --------
    >>> items = linear_features(np.array([[0.0], [1.0], [9.0], [10.0]]))
    >>> found = partition(items, 2, 3, np.random.default_rng(0))
    >>> np.sort(found.coefficients[:, :, 1], axis=0).T.tolist()
    [[-4.5, 4.5], [-4.5, 4.5], [-4.5, 4.5]]
    """
    theta = _as_coefficients(spread_centres(features, groups, starts, rng, check=check))
    final, taken = np.empty_like(theta), np.zeros(starts, dtype=np.int64)
    active, limit = np.arange(starts), tolerance * float(features[:, 1:].var(axis=0).mean())
    empty = 0
    for iteration in range(1, max_iterations + 1):
        moments, _ = sweep(theta, features, features, soft=False, check=check)
        count = moments[:, :, 0]
        lost = count == 0.0
        centres = moments[:, :, 1:] / np.where(lost, 1.0, count)[:, :, None]
        if lost.any():
            _refill(centres, theta, lost, features)
        moved = np.square(centres - theta[:, :, 1:]).sum(axis=(0, 2))
        theta = _as_coefficients(centres)
        done = moved <= limit
        taken[active] = iteration
        final[:, active] = theta
        if done.any():
            empty += int(lost[:, done].sum())
            active, theta = active[~done], theta[:, ~done]
            if not len(active):
                break
    return Partitions(final, taken, len(active), empty)


def spread_centres(
    features: Floats,
    groups: int,
    starts: int,
    rng: np.random.Generator,
    *,
    check: Check | None = None,
) -> Floats:
    """Return (groups, starts, d) items as first centres, far from each other: greedy k-means++.

    Each next centre is the best of 2 + ln(groups) candidates drawn with chances proportional to
    the squared distance from the centres there are. The first k starts are the same however many
    are asked for.
    """
    n, d = len(features), features.shape[1] - 1
    trials = 2 + int(np.log(groups))
    draws = rng.random((starts, 1 + (groups - 1) * trials))
    centres = np.empty((groups, starts, d))
    many = max(1, _BLOCK // (n * trials))
    for start in range(0, starts, many):
        some = slice(start, min(start + many, starts))
        centres[:, some] = _spread(features[:, 1:], groups, trials, draws[some], check)
    return centres


def _spread(X: Floats, groups: int, trials: int, draws: Floats, check: Check | None) -> Floats:
    n, d = X.shape
    starts = len(draws)
    norms = np.einsum("ij,ij->i", X, X)
    fit = np.arange(starts)
    centres = np.empty((groups, starts, d))
    chosen = np.minimum((draws[:, 0] * n).astype(np.int64), n - 1)
    centres[0] = X[chosen]
    closest = _squares(X, norms, chosen)
    for group in range(1, groups):
        if check is not None:
            check()
        column = 1 + (group - 1) * trials
        heaps = np.cumsum(closest, axis=1)
        aims = draws[:, column : column + trials] * heaps[:, -1:]
        picks = np.count_nonzero(heaps[:, None] <= aims[:, :, None], axis=2)
        np.minimum(picks, n - 1, out=picks)
        nearer = _squares(X, norms, picks.ravel()).reshape(starts, trials, n)
        np.minimum(nearer, closest[:, None], out=nearer)
        best = nearer.sum(axis=2).argmin(axis=1)
        closest = nearer[fit, best]
        centres[group] = X[picks[fit, best]]
    return centres


def _squares(X: Floats, norms: Floats, chosen: Ints) -> Floats:
    """Squared distances from chosen items to all, (chosen, n)."""
    squares = np.matmul(-2.0 * X[chosen], X.T)
    squares += norms[chosen, None]
    squares += norms
    return np.asarray(np.maximum(squares, 0.0, out=squares))


def _as_coefficients(centres: Floats) -> Floats:
    halves = -0.5 * np.square(centres).sum(axis=2, keepdims=True)
    return np.concatenate([halves, centres], axis=2)


def _refill(centres: Floats, theta: Floats, lost: Floats, features: Floats) -> None:
    """Move centres without items to the items farthest from theirs, as far as there are any."""
    X = features[:, 1:]
    norms = np.einsum("ij,ij->i", X, X)
    for fit in np.flatnonzero(lost.any(axis=0)):
        gap = norms - 2.0 * (theta[:, fit] @ features.T).max(axis=0)
        groups = np.flatnonzero(lost[:, fit])
        farthest = np.argsort(-gap, kind="stable")[: len(groups)]
        apart = gap[farthest] > 1e-12 * norms.max(initial=0.0)
        kept = theta[groups, fit, 1:]
        centres[groups, fit] = np.where(apart[:, None], X[farthest], kept)
