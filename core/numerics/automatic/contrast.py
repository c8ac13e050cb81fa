"""Whether two neighbouring groups are two: what joining them would cost, and what is between them.

Evidence on pairs of neighbours among the groups, for groups of any shape by the spanning tree, and
for overlapping ones by Gaussians and by what is seen along the line that separates them best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.surroundings import Surroundings

BINS: Final = 24  # along the line between two groups, from half before one to half behind the other
LEAST: Final = 1e-3  # share of the variance that every direction has at least
FAINT_GAP: Final = 0.02  # added to a valley before its logarithm is taken

NAMES: Final = (
    "fragments", "worst gap", "typical gap", "loosest group",
    "least worth of a group", "mean worth of a group", "shallowest saddle", "mean saddle",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class GroupMoments:
    """The size, the mean and the spread of a group.

    Attributes
    ----------
    count : number of items
    mean : (d,)
    covariance : (d, d), with at least some variance in every direction
    log_likelihood : of its items under its own Gaussian, less the constant
    """

    count: int
    mean: Floats
    covariance: Floats
    log_likelihood: float


def moments_of(around: Surroundings, items: Ints) -> GroupMoments:
    """Return the moments of a group."""
    X = around.X[items]
    mean = X.mean(axis=0)
    centred = X - mean
    covariance = floored(centred.T @ centred / len(X), around.variance)
    return GroupMoments(len(X), mean, covariance, _log_likelihood(len(X), covariance))


def floored(covariance: Floats, variance: float) -> Floats:
    """Return a covariance with some variance in every direction.

    Parameters
    ----------
    variance : of all items, summed over the columns
    """
    d = covariance.shape[-1]
    trace = np.trace(covariance, axis1=-2, axis2=-1)[..., None, None]
    floor = 1e-3 * trace / d + 1e-6 * variance / d
    return np.asarray(covariance + floor * np.eye(d))


def _log_likelihood(count: int, covariance: Floats) -> float:
    _, log_determinant = np.linalg.slogdet(covariance)
    return float(-0.5 * count * (float(log_determinant) + len(covariance)))


def contrasts(
    around: Surroundings,
    labels: Ints,
    members: Sequence[Ints],
    moments: Sequence[GroupMoments],
    partner: Ints,
    saddles: dict[frozenset[int], float] | None = None,
) -> Floats:
    """Return the numbers named in `NAMES`; 0 for a single group.

    Parameters
    ----------
    members, moments : of each group
    partner : (k,) the neighbouring group of each, −1 where there is none
    saddles : what is known already between groups, by the identities of their moments; added to
    """
    k = len(members)
    tree = _along_tree(around, labels, k)
    if k == 1:
        return np.array([*tree, 0.0, 0.0, 0.0, 0.0])
    pairs = np.flatnonzero(partner >= 0)
    if not len(pairs):
        return np.array([*tree, 3.0, 3.0, 3.0, 3.0])
    counts = np.array([one.count for one in moments], dtype=np.float64)
    worth = _worth(around, moments, pairs, partner[pairs])
    known = {} if saddles is None else saddles
    saddle = _saddles(around, members, moments, pairs, partner[pairs], known)
    # A group without a neighbour is as far apart as can be.
    every_worth, every_saddle = np.full(k, 3.0), np.full(k, -np.log(FAINT_GAP))
    every_worth[pairs], every_saddle[pairs] = worth, saddle
    return np.array([
        *tree, worth.min(), np.average(every_worth, weights=counts),
        saddle.min(), np.average(every_saddle, weights=counts),
    ])  # fmt: skip


def _along_tree(around: Surroundings, labels: Ints, k: int) -> tuple[float, float, float, float]:
    """How much longer the edges of the spanning tree are between groups than within them."""
    group = labels[around.tree[:, 0]]
    inside = group == labels[around.tree[:, 1]]
    own, length = group[inside], around.tree_lengths[inside]
    order = np.lexsort((length, own))
    number = np.bincount(own, minlength=k)
    starts = np.concatenate([[0], np.cumsum(number)])[:-1]
    typical = float(np.median(around.tree_lengths))
    long, middle, longest = np.full(k, typical), np.full(k, typical), np.full(k, typical)
    some = np.flatnonzero(number)
    ordered = length[order]
    long[some] = ordered[starts[some] + (0.9 * (number[some] - 1)).astype(np.int64)]
    middle[some] = ordered[starts[some] + (number[some] - 1) // 2]
    longest[some] = ordered[starts[some] + number[some] - 1]
    tiny = 1e-6 * typical + 1e-300
    loosest = float(np.log((longest + tiny) / (middle + tiny)).max())
    crossing = ~inside
    if not crossing.any():
        return 0.0, 0.0, 0.0, loosest
    ends = labels[around.tree[crossing]]
    beside = np.maximum(long[ends[:, 0]], long[ends[:, 1]])
    gap = np.log((around.tree_lengths[crossing] + tiny) / (beside + tiny))
    fragments = (len(gap) - (k - 1)) / k
    return fragments, float(gap.min()), float(np.median(gap)), loosest


def _worth(
    around: Surroundings, moments: Sequence[GroupMoments], first: Ints, second: Ints
) -> Floats:
    """What the likelihood of the items of two groups loses, for each item, if they are joined.

    It is 0 for the halves of an even strip and below for those of one Gaussian.
    """
    n, m = (np.array([moments[i].count for i in side], dtype=np.float64)
            for side in (first, second))  # fmt: skip
    means = np.stack([one.mean for one in moments])
    spread = np.stack([one.covariance for one in moments])
    apart = means[first] - means[second]
    share = (n / (n + m))[:, None, None]
    joined = share * spread[first] + (1 - share) * spread[second]
    joined = joined + share * (1 - share) * apart[:, :, None] * apart[:, None, :]
    _, log_determinant = np.linalg.slogdet(joined)
    d = around.X.shape[1]
    together = -0.5 * (n + m) * (log_determinant + d)
    own = np.array([one.log_likelihood for one in moments])
    alone = own[first] + own[second] + n * np.log(n / (n + m)) + m * np.log(m / (n + m))
    penalty = 0.5 * (1 + d + d * (d + 1) / 2) * np.log(n + m)
    return np.asarray(np.clip((alone - together - penalty) / (n + m), -3.0, 3.0))


def _saddles(
    around: Surroundings,
    members: Sequence[Ints],
    moments: Sequence[GroupMoments],
    first: Ints,
    second: Ints,
    known: dict[frozenset[int], float],
) -> Floats:
    """How far the density falls between two groups along the line that separates them best.

    As a logarithm: 0 or less where there is no valley.
    """
    found = np.zeros(len(first))
    for place, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        pair = frozenset((id(moments[i]), id(moments[j])))
        if pair not in known:
            known[pair] = _saddle(around, members[i], members[j], moments[i], moments[j])
        found[place] = known[pair]
    return found


def _saddle(
    around: Surroundings, a: Ints, b: Ints, one: GroupMoments, other: GroupMoments
) -> float:
    apart = other.mean - one.mean
    share = one.count / (one.count + other.count)
    pooled = share * one.covariance + (1 - share) * other.covariance
    d = len(pooled)
    # Few items say little about many directions: towards a round spread.
    towards = d / (d + one.count + other.count)
    pooled = (1 - towards) * pooled + towards * np.trace(pooled) / d * np.eye(d)
    line = np.linalg.solve(pooled + LEAST * np.trace(pooled) / d * np.eye(d), apart)
    length = float(apart @ line)
    if length <= 0:
        return 0.0
    where = (around.X[np.concatenate([a, b])] - one.mean) @ line / length
    place = np.floor((where + 0.5) * BINS / 2)
    place = place[(place >= 0) & (place < BINS)].astype(np.int64)
    bins = np.bincount(place, minlength=BINS).astype(np.float64)
    smooth = bins.copy()
    smooth[1:-1] = (bins[:-2] + 2 * bins[1:-1] + bins[2:]) / 4
    quarter = BINS // 4
    low = float(smooth[quarter : BINS - quarter + 1].min())
    middle = quarter + int(np.argmin(smooth[quarter : BINS - quarter + 1]))
    top = min(float(smooth[: middle + 1].max()), float(smooth[middle:].max()))
    return float(-np.log((low + 0.5) / (top + 0.5) + FAINT_GAP))
