"""How cohesive each group is: silhouette, stability, and how certain its items are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.results import Clustering

MOST_MEASURED = 1500  # items whose silhouettes are taken


SPLITS = 8  # random halves of which one predicts the other
VOTERS = 5  # nearest items that say in which group an item is
_HALVES = 50  # random halves that are asked about one item
_NEIGHBOURHOOD = 64  # nearest items among which half of the voters are found


@dataclass(frozen=True)
class GroupQuality:
    """How well a group holds together.

    Attributes
    ----------
    silhouette : mean of its items, from −1 to 1
    stability : share of its items that their neighbours in a random half of the items give to it;
        missing (NaN) for a single item
    """

    silhouette: float
    stability: float | None


def group_quality(X: Floats, groups: Clustering) -> dict[int, GroupQuality]:
    """Return how well each group holds together, on columns of equal spread.

    Of more than 1,500 items evenly spread ones are taken. A missing value counts as the mean: it is
    as near to one group as to another. Nothing where there is one group.

    >>> groups = Clustering(labels=np.repeat([0, 1], 12))
    >>> found = group_quality(np.repeat([[0.0], [1.0]], 12, axis=0), groups)
    >>> [(one.silhouette, one.stability) for one in found.values()]
    [(1.0, 1.0), (1.0, 1.0)]
    """
    from coterie.core.api.context import Context
    from coterie.core.numerics.partitions.silhouettes import silhouettes

    inside = np.flatnonzero(groups.labels >= 0)
    some = inside[:: max(1, -(-len(inside) // MOST_MEASURED))]
    present, codes = np.unique(groups.labels[some], return_inverse=True)
    if len(present) < 2 or not X.shape[1]:
        return {}
    rows = _of_equal_spread(X[some])
    if not rows.shape[1]:
        return {}
    each = silhouettes(rows, codes, Context())
    stable = _stability(rows, codes)
    return {
        int(group): GroupQuality(
            float(each[codes == at].mean()),
            float(stable[at]) if np.isfinite(stable[at]) else None,
        )
        for at, group in enumerate(present)
    }


class ItemQuality:
    """How well items are in their groups, one at a time, on columns of equal spread.

    Each item is compared with all others: time and memory grow with their number times that of
    the columns.

    >>> quality = ItemQuality(np.repeat([[0.0], [1.0]], 12, axis=0), np.repeat([0, 1], 12))
    >>> quality.of(3)
    GroupQuality(silhouette=1.0, stability=0.96)
    """

    def __init__(self, X: Floats, labels: Ints) -> None:
        self._items = np.flatnonzero(labels >= 0)
        self._present, self._codes = np.unique(labels[self._items], return_inverse=True)
        self._sizes = np.bincount(self._codes)
        self._rows = _of_equal_spread(X[self._items])

    def of(self, item: int) -> GroupQuality | None:
        """Return the silhouette of an item, and how often its neighbours give it to its group.

        Nothing for an item in no group, alone in its group, or where there is only one group.
        """
        at = int(np.searchsorted(self._items, item))
        if at == len(self._items) or self._items[at] != item:
            return None
        own = int(self._codes[at])
        if len(self._present) < 2 or self._sizes[own] < 2 or not self._rows.shape[1]:
            return None
        distances = np.sqrt(((self._rows - self._rows[at]) ** 2).sum(axis=1))
        sums = np.bincount(self._codes, weights=distances)
        within = float(sums[own] / (self._sizes[own] - 1))
        means = sums / self._sizes
        means[own] = np.inf
        larger = max(within, float(means.min()))
        silhouette = (float(means.min()) - within) / larger if larger > 0 else 0.0
        return GroupQuality(silhouette, self._stability(at, own, distances))

    def _stability(self, at: int, own: int, distances: Floats) -> float:
        """The share of random halves of the others whose nearest items say the item's own group."""
        distances[at] = np.inf
        n = len(distances)
        near = np.argpartition(distances, min(_NEIGHBOURHOOD, n - 1) - 1)[:_NEIGHBOURHOOD]
        codes = self._codes[near[np.argsort(distances[near], kind="stable")]]
        codes = codes[: n - 1]
        rng = np.random.default_rng(0)  # the same words each time
        right = 0
        for _ in range(_HALVES):
            voters = codes[rng.random(len(codes)) < 0.5][:VOTERS]
            votes = np.bincount(voters, minlength=len(self._present))
            right += bool(len(voters) and votes[own] > 0 and votes[own] == votes.max())
        return right / _HALVES


def _of_equal_spread(X: Floats) -> Floats:
    """The columns that vary, with mean 0 and deviation 1."""
    known = np.isfinite(X)
    largest = np.where(known, np.abs(X), 0.0).max(axis=0)
    rows = np.where(known, X, 0.0) / np.where(largest > 0, largest, 1.0)
    mean = rows.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    rows = np.where(known, rows - mean, 0.0)
    spread = rows.std(axis=0)
    varied = spread > 0
    return np.asarray(rows[:, varied] / spread[varied])


def _stability(rows: Floats, codes: Ints) -> Floats:
    """The share of each group's items that one random half gives to it, by its neighbours."""
    from coterie.core.numerics.similarity.nearest import vote_of_nearest

    k, n = int(codes.max()) + 1, len(rows)
    rng = np.random.default_rng(0)  # the same words each time
    right, asked = np.zeros(k), np.zeros(k)
    for _ in range(SPLITS):
        order = rng.permutation(n)
        first, second = order[: n // 2], order[n // 2 :]
        given = vote_of_nearest(rows[second], rows[first], codes[first], k, VOTERS)
        asked += np.bincount(codes[second], minlength=k)
        right += np.bincount(codes[second][given == codes[second]], minlength=k)
    sizes = np.bincount(codes, minlength=k)
    return np.asarray(np.where((asked > 0) & (sizes > 1), right / np.maximum(asked, 1), np.nan))


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
