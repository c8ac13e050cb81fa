"""The position of each item in a ranking: among all, or in its own group."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.model.results import Ranking


def places_of(ranking: Ranking, labels: Ints | None = None) -> Floats:
    """Return the place of each item, 1 for the first; NaN for those that are not listed.

    Where several groups were ranked each on its own, their scores do not compare: each has a first.

    >>> own = Ranking(scores=np.array([5.0, 1, 9, 7]), order=np.array([2, 3, 0, 1]),
    ...               scope="within-cluster")
    >>> places_of(own, np.array([1, 1, 0, 0])).tolist()
    [1.0, 2.0, 1.0, 2.0]
    """
    places = np.full(len(ranking.scores), np.nan)
    order = ranking.order
    if order is None:
        return places
    if labels is None or not is_each_on_its_own(ranking, labels):
        places[order] = np.arange(1, len(order) + 1)
        return places
    listed = labels[order]
    begins = np.flatnonzero(np.diff(listed, prepend=listed[0] - 1))
    lengths = np.diff(begins, append=len(order))
    places[order] = np.arange(len(order)) - np.repeat(begins, lengths) + 1
    return places


def standings_of(ranking: Ranking, labels: Ints | None = None) -> Floats:
    """Return how far in front each item is in its list: 1 for the first, 0 for those in none.

    Groups that were ranked each on its own have a list each, so the last of a small group is
    as far behind as the last of a large one.

    >>> own = Ranking(scores=np.array([5.0, 1, 9, 7, 2]), order=np.array([2, 3, 4, 0, 1]),
    ...               scope="within-cluster")
    >>> standings_of(own, np.array([1, 1, 0, 0, 0])).round(2).tolist()
    [1.0, 0.5, 1.0, 0.67, 0.33]
    """
    places = places_of(ranking, labels)
    known = np.isfinite(places)
    listed = np.full(len(places), max(1, int(known.sum())))
    if labels is not None and is_each_on_its_own(ranking, labels):
        # Of groups that were made again since they were ranked, one may have become clutter: -1.
        _, group, counts = np.unique(labels[known], return_inverse=True, return_counts=True)
        listed[known] = counts[group]
    return np.where(known, 1 - (np.where(known, places, 1.0) - 1) / listed, 0.0)


def is_each_on_its_own(ranking: Ranking, labels: Ints) -> bool:
    """Whether several groups were ranked separately, so their scores are not comparable.

    The labels of another clustering than was ranked are recognised by their groups not being listed
    one after another.
    """
    if ranking.scope != "within-cluster" or ranking.order is None:
        return False
    if len(labels) != len(ranking.scores):
        return False
    listed = labels[ranking.order]
    groups = int(np.count_nonzero(np.bincount(listed + 1)))
    return groups > 1 and int(np.count_nonzero(np.diff(listed))) == groups - 1
