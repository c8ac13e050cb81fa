"""Whether groups are of one piece: along the spanning tree, in density, and along their axes."""

from __future__ import annotations

from typing import Final

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.surroundings import Surroundings

FEWEST: Final = 20  # items of a group that is searched for a valley
AXES: Final = 2  # main directions along which it is searched
LONG: Final = 0.97  # share of the edges within a group that are no longer than its long ones
PIECES: Final = 3  # beyond which more pieces of a group count no more
NO_EDGE: Final = 4.0  # the separation of a group that no edge leaves, in longest edges

NAMES: Final = (
    "tree validity", "least tree validity", "density explained", "dimension explained",
    "spread of density", "deepest valley within", "mean valley within", "gap at k",
    "pieces", "share in pieces", "small groups", "items in small groups", "spacing explained",
)  # fmt: skip


def coherence(around: Surroundings, labels: Ints, valleys: Floats) -> Floats:
    """Return the numbers named in `NAMES` for groups 0 … k − 1, none empty.

    Parameters
    ----------
    valleys : (k,) of `valley_within` of each group
    """
    n, k = around.n, int(labels.max()) + 1
    counts = np.bincount(labels, minlength=k).astype(np.float64)
    validity, pieces = _along_tree(around, labels, counts)
    density = around.log_density
    within = density - (np.bincount(labels, density, k) / counts)[labels]
    large, small = counts >= FEWEST, counts < np.sqrt(n)
    searched = np.where(large, valleys, 0.0)
    return np.array([
        float((validity * counts).sum() / n), float(validity.min()),
        _explained(density, labels, counts), _explained(around.dimension, labels, counts),
        float(within.std()), float(searched.max()),
        float((searched * counts).sum() / max(float(counts[large].sum()), 1.0)),
        _gap(around.tree_lengths, k), float(pieces.mean()), float((pieces > 1).mean()),
        float(small.mean()), float(counts[small].sum() / n),
        _explained(around.spacing, labels, counts),
    ])  # fmt: skip


def valley_within(X: Floats, covariance: Floats) -> float:
    """Return how deep the deepest valley of a group is along its main directions.

    In standard deviations of what is missing from it, by counts in bins: about 1 for a group with
    one peak.

    Parameters
    ----------
    X : (m, d) the items of the group

    Examples
    --------
    >>> one = np.random.default_rng(0).normal(size=(300, 1))
    >>> two = np.concatenate([one, one + 6])
    >>> valley_within(one, np.eye(1)) < 2 < 5 < valley_within(two, np.eye(1))
    True
    """
    if len(X) < FEWEST:
        return 0.0
    _, axes = np.linalg.eigh(covariance)
    bins = int(np.clip(1.2 * np.sqrt(len(X)), 6, 24))
    deepest = 0.0
    for place in (X @ axes[:, ::-1][:, :AXES]).T:
        low, high = _between(np.sort(place), (0.02, 0.98))
        if high <= low:
            continue
        number = np.clip((place - low) / (high - low) * bins, 0, bins - 1).astype(np.int64)
        count = np.bincount(number, minlength=bins).astype(np.float64)
        smooth = count.copy()
        smooth[1:-1] = (count[:-2] + 2 * count[1:-1] + count[2:]) / 4
        left = np.maximum.accumulate(smooth)
        right = np.maximum.accumulate(smooth[::-1])[::-1]
        top = np.minimum(left, right)
        deepest = max(deepest, float(((top - smooth) / np.sqrt(top + smooth + 1)).max()))
    return deepest


def _between(ordered: Floats, shares: tuple[float, ...]) -> Floats:
    """The quantiles of ordered values, which numpy's function takes much longer for."""
    places = np.array(shares) * (len(ordered) - 1)
    return np.asarray(np.interp(places, np.arange(len(ordered)), ordered))


def _along_tree(around: Surroundings, labels: Ints, counts: Floats) -> tuple[Floats, Floats]:
    """How much longer the edges that leave a group are than those within it, and its pieces.

    The first is the density-based validity of each group, 1 at most; a group in several pieces has
    less.
    """
    k, lengths = len(counts), around.tree_lengths
    first, second = labels[around.tree].T
    same = first == second
    own, inner = first[same], lengths[same]
    inside = np.bincount(own, minlength=k)
    order = np.lexsort((inner, own))
    starts = np.concatenate([[0], np.cumsum(inside)])[:-1]
    long, some = np.zeros(k), inside > 0
    place = starts[some] + (LONG * (inside[some] - 1)).astype(np.int64)
    long[some] = inner[order][place]
    pieces = counts - inside
    if k == 1:
        return np.zeros(1), pieces
    away = np.full(k, np.inf)
    for ends in (first[~same], second[~same]):
        np.minimum.at(away, ends, lengths[~same])
    away = np.where(np.isfinite(away), away, NO_EDGE * lengths.max())
    ratio = (away - long) / np.maximum(np.maximum(away, long), 1e-300)
    return ratio - 0.5 * np.minimum(pieces - 1, PIECES), pieces


def _explained(values: Floats, labels: Ints, counts: Floats) -> float:
    """The share of the variance of the values that is between the groups."""
    total = float(values.var())
    if total <= 0:
        return 0.0
    means = np.bincount(labels, values, len(counts)) / counts
    return float((counts * (means - values.mean()) ** 2).sum() / len(values) / total)


def _gap(lengths: Floats, k: int) -> float:
    """How much longer the shortest edge is that is cut for k groups than the next, as logarithm."""
    m = len(lengths)
    if not 1 < k <= m:
        return 0.0
    ordered = np.partition(lengths, (m - k, m - k + 1, m // 2))
    tiny = 1e-9 * float(ordered[m // 2]) + 1e-300
    return float(np.log(ordered[m - k + 1] + tiny) - np.log(ordered[m - k] + tiny))
