"""What can be known about a partition without labels: separation, divisibility, shape, agreement.

Each number is compared between partitions of the same items, so most are given twice: as they are,
and less the best among all candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.classes import class_criterion
from coterie.core.numerics.automatic.coherence import NAMES as COHERENCE
from coterie.core.numerics.automatic.coherence import coherence, valley_within
from coterie.core.numerics.automatic.contrast import NAMES as CONTRASTS
from coterie.core.numerics.automatic.contrast import GroupMoments, contrasts, moments_of
from coterie.core.numerics.automatic.splits import best_splits
from coterie.core.numerics.automatic.surroundings import Surroundings
from coterie.core.numerics.similarity.tiles import Check

NEVER: Final = -5.0  # the separation of groups without an edge between them, as a logarithm
FAINT: Final = 1e-3  # added to a conductance before its logarithm is taken
APART: Final = 6.0  # the depth of a valley without an edge across
MANY: Final = 16  # groups, from which partitions with …
STEP: Final = 0.1  # … a smaller share of groups more are not judged by themselves, …
FOLLOWED: Final = 0.8  # … unless another family agrees as far as this
VOTES: Final = 7  # neighbours that are asked for their group

OWN: Final = (
    "log groups", "balance", "log smallest", "smallest share",
    "cut share", "worst cut share", "modularity",
    "outvoted", "neighbours alike",
    "shallowest valley", "mean valley", "most border edges", "worst join", "mean join",
    "variance explained", "silhouette", "gaussian criterion",
    "least divisible", "mean divisible", "worst separation", "mean separation", "border",
    "margin", "mean margin", *CONTRASTS, *COHERENCE,
)  # fmt: skip
"""Of a partition alone, in the order of `Evidence.of`."""


Known = tuple[GroupMoments, float, float, float]
"""Of a group: its moments, the best conductance of a split, the local dimension, a valley."""


@dataclass(eq=False)
class Evidence:
    """Judges partitions of the same items, keeping what is known of each group it has seen."""

    around: Surroundings
    _seen: dict[tuple[int, bytes], Known] = field(default_factory=dict)
    _saddles: dict[frozenset[int], float] = field(default_factory=dict)

    def _criterion(self, labels: Ints, gaussian: float) -> float:
        """What the groups cost as Gaussians; as latent classes where there are categories."""
        if self.around.table is None:
            return gaussian
        return class_criterion(self.around.table, labels)

    def of(self, labels: Ints) -> Floats:
        """Return the numbers named in `OWN` for a partition with groups 0 … k − 1, none empty."""
        around, k = self.around, int(labels.max()) + 1
        counts = np.bincount(labels, minlength=k).astype(np.float64)
        shares = counts / around.n
        entropy = -float((shares * np.log(shares)).sum())
        sizes = (
            np.log(k), entropy / np.log(max(k, 2)),
            float(np.log(counts.min())), float(shares.min() * k),
        )  # fmt: skip
        members, known = self._groups(labels, k)
        moments = [one[0] for one in known]
        splits, dimension, valleys = (np.array([one[i] for one in known]) for i in (1, 2, 3))
        likelihood = sum(one.log_likelihood for one in moments)
        graph, inside, crossing = _graph(around, labels, k, shares)
        separation = _separation(counts, dimension, inside, crossing)
        divisible = np.log(splits + FAINT) + np.log(counts) / dimension
        large = divisible[counts >= 15]
        least = float((large if len(large) else divisible).min())
        mean = float(np.average(divisible, weights=counts))
        border, worst, typical = _summary(separation, counts, crossing, around.n)
        d = around.X.shape[1]
        free = k * (d + d * (d + 1) / 2) + k - 1
        log_likelihood = float(likelihood + (counts * np.log(shares)).sum())
        gaussian = (-2 * log_likelihood + free * np.log(around.n)) / around.n
        criterion = self._criterion(labels, gaussian)
        return np.array([
            *sizes, *graph, *_votes(around, labels), *_valleys(around, labels, k, counts, crossing),
            *_spread(around, labels, k, counts), criterion,
            least, mean, worst, typical, border, least - worst, mean - typical,
            *contrasts(
                around, labels, members, moments, _partners(crossing, k), self._saddles
            ),
            *coherence(around, labels, valleys),
        ])  # fmt: skip

    def _groups(self, labels: Ints, k: int) -> tuple[list[Ints], list[Known]]:
        """The members of each group and what is known of it; only new groups are looked at."""
        order = np.argsort(labels, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(labels, minlength=k))[:-1])
        keys = [(len(items), items.tobytes()) for items in members]
        new = [number for number, key in enumerate(keys) if key not in self._seen]
        if new:
            items = np.concatenate([members[number] for number in new])
            group = np.repeat(np.arange(len(new)), [len(members[number]) for number in new])
            splits = best_splits(self.around, items, group, len(new))
            for number, split in zip(new, splits, strict=True):
                own = members[number]
                dimension = float(np.median(self.around.dimension[own]))
                moments = moments_of(self.around, own)
                valley = valley_within(self.around.X[own], moments.covariance)
                self._seen[keys[number]] = (moments, float(split), dimension, valley)
        return members, [self._seen[key] for key in keys]


@dataclass(frozen=True, eq=False)
class _Crossing:
    """The pairs of groups that are joined by edges."""

    first: Ints
    second: Ints
    edges: Ints
    pair: Ints
    """Of each crossing edge, its pair."""
    ends: Ints
    """Of each crossing edge, its position among all edges."""


def _graph(
    around: Surroundings, labels: Ints, k: int, shares: Floats
) -> tuple[tuple[float, float, float], Floats, _Crossing]:
    a, b = labels[around.source], labels[around.target]
    same = a == b
    inside = np.bincount(a, same, k).astype(np.float64)
    volume = np.bincount(labels, around.degrees, k)
    total = float(volume.sum())
    cut = volume - inside
    ratio = cut / np.maximum(np.minimum(volume, total - volume), 1e-9) if k > 1 else np.zeros(1)
    modularity = float((inside / total - (volume / total) ** 2).sum())
    ends = np.flatnonzero(a < b)
    pairs, pair, edges = np.unique(a[ends] * k + b[ends], return_inverse=True, return_counts=True)
    crossing = _Crossing(pairs // k, pairs % k, edges, pair, ends)
    return (float((ratio * shares).sum()), float(ratio.max()), modularity), inside, crossing


def _partners(crossing: _Crossing, k: int) -> Ints:
    """The group that each shares most edges with; −1 where there are none."""
    found = np.full(k, -1, dtype=np.int64)
    for place in np.argsort(crossing.edges, kind="stable").tolist():
        i, j = crossing.first[place], crossing.second[place]
        found[i], found[j] = j, i
    return found


def _votes(around: Surroundings, labels: Ints) -> tuple[float, float]:
    alike = (labels[around.near[:, :VOTES]] == labels[:, None]).mean(axis=1)
    return float((alike < 0.5).mean()), float(alike.mean())


def _valleys(
    around: Surroundings, labels: Ints, k: int, counts: Floats, crossing: _Crossing
) -> tuple[float, float, float, float, float]:
    """How far the density falls between groups, and how strongly the worst pair is joined."""
    none = float(np.log(1e-4))
    if k == 1:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    if not len(crossing.edges):
        return APART, APART, 0.0, none, none
    starts = np.concatenate([[0], np.cumsum(counts).astype(np.int64)])[:-1]
    sorted_density = around.log_density[np.lexsort((around.log_density, labels))]
    median = sorted_density[starts + (0.5 * (counts - 1)).astype(np.int64)]
    ends = crossing.ends
    low = np.minimum(
        around.log_density[around.source[ends]], around.log_density[around.target[ends]]
    )
    first = np.concatenate([[0], np.cumsum(crossing.edges)])[:-1]
    pass_density = low[np.lexsort((low, crossing.pair))][
        first + (0.8 * (crossing.edges - 1)).astype(np.int64)
    ]
    i, j = crossing.first, crossing.second
    depth = np.minimum(median[i], median[j]) - pass_density
    share = crossing.edges / np.minimum(counts[i], counts[j])
    join = share * np.exp(-np.clip(depth, -3.0, 6.0))
    return (
        float(depth.min()),
        float(np.average(depth, weights=crossing.edges)),
        float(share.max()),
        float(np.log(1e-4 + join.max())),
        float(np.log(1e-4 + join.sum() / k)),
    )


def _separation(counts: Floats, dimension: Floats, inside: Floats, crossing: _Crossing) -> Floats:
    """Conductance between joined groups, as a logarithm, made comparable between sizes.

    The best split of a shapeless group of m items in d dimensions has a conductance that falls as
    m^(−1/d): what is well below that separates.
    """
    i, j = crossing.first, crossing.second
    together = counts[i] + counts[j]
    local = (dimension[i] * counts[i] + dimension[j] * counts[j]) / together
    ratio = crossing.edges / np.maximum(np.minimum(inside[i], inside[j]) + crossing.edges, 1.0)
    return np.asarray(np.log(ratio + FAINT) + np.log(together) / local)


def _summary(
    separation: Floats, counts: Floats, crossing: _Crossing, n: int
) -> tuple[float, float, float]:
    if not len(separation):
        return 0.0, NEVER, NEVER
    smaller = np.minimum(counts[crossing.first], counts[crossing.second])
    border = float((np.exp(separation) * smaller).sum() / n)
    return border, float(separation.max()), float(np.average(separation, weights=smaller))


def _spread(around: Surroundings, labels: Ints, k: int, counts: Floats) -> tuple[float, float]:
    """Share of the variance that the groups explain, and a silhouette by their means."""
    X = around.X
    means = np.column_stack([np.bincount(labels, column, k) for column in X.T]) / counts[:, None]
    own = ((X - means[labels]) ** 2).sum(axis=1)
    explained = 1 - float(own.sum()) / around.n / around.variance
    if k == 1:
        return explained, 0.0
    away = (X**2).sum(axis=1)[:, None] - 2 * (X @ means.T) + (means**2).sum(axis=1)
    away[np.arange(around.n), labels] = np.inf
    other = np.sqrt(np.maximum(away.min(axis=1), 0.0))
    own = np.sqrt(own)
    silhouette = (other - own) / np.maximum(np.maximum(other, own), 1e-12)
    return explained, float(silhouette.mean())


SHARED: Final = (
    "family", "noise", "log items", "columns", "dimension",
    "best agreement", "second agreement", "third agreement", "mean agreement",
    "agreement at k", "mean agreement at k", "followers", "agreement curve",
    "found again", "plateau", "one fewer", "one more",
)  # fmt: skip
RELATIVE: Final = (
    ("gaussian criterion", -1), ("silhouette", 1), ("margin", 1), ("mean margin", 1),
    ("best agreement", 1), ("mean agreement", 1), ("agreement at k", 1),
    ("mean agreement at k", 1), ("followers", 1), ("least divisible", 1),
    ("worst separation", -1), ("modularity", 1), ("worst join", -1), ("agreement curve", 1),
    ("found again", 1), ("plateau", 1), ("worst gap", 1), ("typical gap", 1),
    ("mean worth of a group", 1), ("least worth of a group", 1), ("mean saddle", 1),
)  # fmt: skip
NAMES: Final = (*OWN, *SHARED, *(f"{name} below the best" for name, _ in RELATIVE))
"""Of the columns of `evidence_table`."""


def evidence_table(
    around: Surroundings,
    partitions: Sequence[Ints],
    families: Sequence[int],
    noise: Sequence[float],
    agreement: Floats,
    again: Sequence[float],
    check: Check | None = None,
) -> Floats:
    """Return all evidence: a row for each partition, a column for each of `NAMES`.

    Equal partitions are judged once. Of many groups, a family's next partition with hardly more,
    which no other family is near to, is lent what is known of the one before.

    Parameters
    ----------
    partitions : each with groups 0 … k − 1, none empty
    families : number of the family of methods that each comes from; −1 for the whole as one group
    noise : share of items that the method left in no group, before they joined the nearest
    agreement : (m, m) adjusted Rand indices
    again : how far each was found again on a part of the items
    """
    judge = Evidence(around)
    family = np.asarray(families)
    k = np.array([int(labels.max()) + 1 for labels in partitions])
    known: dict[bytes, Floats] = {}
    rows: list[Floats] = []
    last = 0  # the partition that was judged last
    for place, labels in enumerate(partitions):
        if check is not None:
            check()
        same = labels.tobytes()
        if same not in known:
            others = agreement[place, (family != family[place]) & (family >= 0)]
            alone = k[last] >= MANY and others.max(initial=0.0) < FOLLOWED
            if alone and family[place] == family[last] and 0 < k[place] - k[last] < STEP * k[last]:
                rows.append(rows[last])
                continue
            known[same] = judge.of(labels)
        rows.append(known[same])
        last = place
    own = np.array(rows)
    m = len(partitions)
    about = np.column_stack([
        family, noise, np.full(m, np.log(around.n)), np.full(m, min(around.X.shape[1], 20)),
        np.full(m, float(np.median(around.dimension))),
    ])  # fmt: skip
    table = np.column_stack([
        own, about, _agreements(family, k, agreement), again, _plateaus(family, agreement),
    ])  # fmt: skip
    column = {name: number for number, name in enumerate((*OWN, *SHARED))}
    below = []
    for name, sign in RELATIVE:
        values = sign * table[:, column[name]]
        below.append(values - values.max())
    return np.column_stack([table, *below])


def _agreements(family: Ints, k: Ints, agreement: Floats) -> Floats:
    """How far other families come to the same partition, at their best and at the same k."""
    present = [number for number in np.unique(family) if number >= 0]
    m = len(family)
    best, level = np.zeros((m, len(present))), np.full((m, len(present)), np.nan)
    for place, number in enumerate(present):
        members = np.flatnonzero(family == number)
        best[:, place] = agreement[:, members].max(axis=1)
        same = np.where(k[:, None] == k[members], agreement[:, members], -np.inf).max(axis=1)
        level[:, place] = np.where(np.isfinite(same), same, np.nan)
    curve = _curve(family, k, agreement)
    found = []
    for row in range(m):
        others = [place for place, number in enumerate(present) if number != family[row]]
        ranked = np.sort(best[row, others])[::-1] if others else np.zeros(1)
        first, second, third = (ranked[min(i, len(ranked) - 1)] for i in range(3))
        here = level[row, others]
        here = np.sort(here[~np.isnan(here)])[::-1] if others else np.zeros(0)
        at_k = (float(here[:3].mean()), float(here.mean())) if len(here) else (0.0, 0.0)
        followers = float((agreement[row] > 0.85).mean())
        found.append([
            first, second, third, ranked.mean(), *at_k, followers, curve.get(int(k[row]), 0.0),
        ])  # fmt: skip
    return np.array(found, dtype=np.float64)


def _curve(family: Ints, k: Ints, agreement: Floats) -> dict[int, float]:
    """The mean agreement between families at each number of groups; density has its own sizes."""
    curve = {}
    for groups in np.unique(k):
        members = np.flatnonzero((k == groups) & (family > 0))
        between = family[members][:, None] != family[members]
        if between.any():
            curve[int(groups)] = float(agreement[np.ix_(members, members)][between].mean())
    return curve


def _plateaus(family: Ints, agreement: Floats) -> Floats:
    """How much a partition depends on the setting of its own family.

    The share of the family that agrees almost wholly, and the agreement with the partitions of the
    settings just below and just above.
    """
    found = np.zeros((len(family), 3))
    for number in np.unique(family):
        members = np.flatnonzero(family == number)
        within = agreement[np.ix_(members, members)]
        beside = np.diag(within, 1)
        found[members, 0] = (within > 0.95).mean(axis=1)
        found[members[1:], 1] = beside
        found[members[:-1], 2] = beside
    return found
