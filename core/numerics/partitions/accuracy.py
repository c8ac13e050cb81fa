"""How well a map agrees with what is known: error matrix, accuracies, and area with intervals.

Rows are what the map says, columns what is true. With the share of each map class in the whole
map, accuracies and areas are those of the map rather than of the pixels that were looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints

# Two-sided 95% of a normal distribution.
Z95 = 1.959963984540054


@dataclass(frozen=True, eq=False)
class Accuracy:
    """An error matrix and what follows from it. What is unknown is not a number.

    Attributes
    ----------
    counts : (k, k) pixels by class on the map (rows) and in truth (columns)
    overall : share of the map that is right
    overall_range : its 95% interval
    kappa : agreement beyond chance, of the map
    mapped : (k,) share of the map that each class covers; none for classes nobody looked at
    unseen : share of the map in classes nobody looked at, which the other numbers leave out
    users : (k,) share of each map class that is right (1 − commission)
    producers : (k,) share of each true class that the map finds (1 − omission)
    areas : (k,) share of the whole that each class truly covers
    users_range, producers_range, areas_range : (k, 2) their 95% intervals
    """

    names: tuple[str, ...]
    counts: Ints
    overall: float
    overall_range: tuple[float, float]
    kappa: float
    mapped: Floats
    unseen: float
    users: Floats
    users_range: Floats
    producers: Floats
    producers_range: Floats
    areas: Floats
    areas_range: Floats

    def intersection_over_union(self) -> Floats:
        """Return for each class the area where map and truth have it, by that where either has."""
        hits = self.mapped * np.nan_to_num(self.users)
        return _ratio(hits, self.mapped + self.areas - hits)


def accuracy_of(
    counts: Array, names: Sequence[str] = (), mapped: Sequence[float] | Array | None = None
) -> Accuracy:
    """Return the accuracies of an error matrix, weighted by the area of the map classes.

    Parameters
    ----------
    counts : (k, k) pixels by class on the map (rows) and in truth (columns)
    mapped : (k,) area, or pixels, of each class on the whole map; by default the sums of the rows,
        which is right when the pixels looked at are a simple random sample, or all there are

    The estimators are those of a sample stratified by map class: Olofsson, Foody, Herold, Stehman,
    Woodcock, Wulder (2014), Good practices for estimating area and assessing accuracy of land
    change, Remote Sensing of Environment 148. Their intervals have no width where all that was
    looked at is right. Those here combine Wilson's intervals of the map classes, which hold for
    small samples (Zou, Huang, Zhang (2009), A note on confidence interval estimation for a linear
    function of binomial proportions, Computational Statistics & Data Analysis 53); for large
    ones they are the same.

    Examples
    --------
    >>> found = accuracy_of(np.array([[9, 1], [2, 8]]))
    >>> round(found.overall, 3), found.users.tolist()
    (0.85, [0.9, 0.8])
    >>> [round(limit, 3) for limit in accuracy_of(np.diag([30, 30])).overall_range]
    [0.92, 1.0]
    """
    n = np.asarray(counts, dtype=np.int64)
    if n.ndim != 2 or n.shape[0] != n.shape[1] or n.min(initial=0) < 0:
        raise DataError(
            f"An error matrix must be square and of counts. Got shape {n.shape}.",
            code="wrong-shape",
        )
    if not n.sum():
        raise DataError(
            "No pixel has both a class on the map and a known one, so nothing can be compared.",
            code="nothing-to-compare",
        )
    rows = n.sum(axis=1).astype(np.float64)
    weights = rows if mapped is None else np.asarray(mapped, dtype=np.float64)
    if weights.shape != rows.shape or weights.min() < 0 or not weights.sum() > 0:
        raise DataError(
            f"There must be {len(rows)} areas of map classes, none negative.", code="wrong-shape"
        )
    # A map class without test pixels says nothing: it is left out of the total.
    everything = float(weights.sum())
    weights = np.where(rows > 0, weights, 0.0)
    if not weights.sum() > 0:
        raise DataError(
            "None of the tested classes covers any of the map.",
            code="nothing-to-compare",
        )
    W = weights / weights.sum()
    share = n / np.maximum(rows, 1)[:, None]
    low, high = wilson(share, rows[:, None])
    p = W[:, None] * share
    truth = p.sum(axis=0)
    users = _ratio(np.diag(n), rows)
    # How far each part of the map may be from its estimate, below and above.
    down, up = W[:, None] * (share - low), W[:, None] * (high - share)
    right, chance = float(np.trace(p)), float(W @ truth)
    own = np.array([np.linalg.norm(np.diag(side)) for side in (down, up)])
    known = (rows > 0)[:, None]
    return Accuracy(
        names=tuple(names) or tuple(str(i) for i in range(len(n))),
        counts=n,
        overall=right,
        overall_range=(max(0.0, right - float(own[0])), min(1.0, right + float(own[1]))),
        kappa=(right - chance) / (1 - chance) if chance < 1 else 1.0,
        mapped=W,
        unseen=1 - float(weights.sum()) / everything,
        users=users,
        users_range=np.where(known, np.stack([np.diag(low), np.diag(high)], axis=1), np.nan),
        producers=_ratio(np.diag(p), truth),
        producers_range=_producers_range(p, down, up),
        areas=truth,
        areas_range=_around(truth, down, up),
    )


def wilson(share: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return the limits of the 95% interval of a proportion that was found among n; 0, 1 of none.

    >>> [round(float(limit), 3) for limit in wilson(np.array(1.0), np.array(60.0))]
    [0.94, 1.0]
    """
    many = np.maximum(n, 1)
    scale = 1 + Z95**2 / many
    middle = (share + Z95**2 / (2 * many)) / scale
    half = Z95 / scale * np.sqrt(share * (1 - share) / many + (Z95 / (2 * many)) ** 2)
    low, high = np.clip(middle - half, 0, share), np.clip(middle + half, share, 1)
    return np.where(n > 0, low, 0.0), np.where(n > 0, high, 1.0)


def _around(found: Floats, down: Floats, up: Floats) -> Floats:
    """(k, 2) limits of sums over map classes, which were sampled independently."""
    below, above = np.linalg.norm(down, axis=0), np.linalg.norm(up, axis=0)
    return np.asarray(np.clip(np.stack([found - below, found + above], axis=1), 0, 1))


def _producers_range(p: Floats, down: Floats, up: Floats) -> Floats:
    """(k, 2) limits of what is found of each class: a ratio of two independent parts.

    It rises with the area that is right and falls with the area that is missed in other classes.
    """
    hits, others = np.diag(p), ~np.eye(len(p), dtype=bool)
    missed = np.where(others, p, 0.0).sum(axis=0)
    less, more = (np.linalg.norm(np.where(others, side, 0.0), axis=0) for side in (down, up))
    found = _ratio(hits, hits + missed)

    def limit(hit: Floats, miss: Floats) -> Floats:
        apart = [_ratio(hit, hit + missed) - found, _ratio(hits, hits + miss) - found]
        return np.asarray(np.linalg.norm(np.nan_to_num(apart), axis=0))

    below = limit(hits - np.diag(down), missed + more)
    above = limit(hits + np.diag(up), np.maximum(missed - less, 0.0))
    return np.asarray(np.clip(np.stack([found - below, found + above], axis=1), 0, 1))


def matched(counts: Array, names: Sequence[str], truths: Sequence[str]) -> Ints:
    """Return the true class that each map class stands for: of its name, or most of its pixels'.

    Parameters
    ----------
    counts : (map classes, true classes)

    >>> matched(np.array([[1, 9], [8, 0]]), ["cloud", "group 1"], ["land", "cloud"]).tolist()
    [1, 0]
    """
    known = [truth.casefold() for truth in truths]
    most = np.asarray(counts).argmax(axis=1)
    return np.array(
        [
            known.index(name.casefold()) if name.casefold() in known else int(most[i])
            for i, name in enumerate(names)
        ],
        dtype=np.int64,
    )


def merged_rows(counts: Array, into: Ints, k: int) -> Ints:
    """Return the rows added up by the true class that each stands for: (k, k)."""
    merged = np.zeros((k, np.asarray(counts).shape[1]), dtype=np.int64)
    np.add.at(merged, into, np.asarray(counts, dtype=np.int64))
    return merged


def _ratio(part: Array, whole: Array) -> Floats:
    whole = np.asarray(whole, dtype=np.float64)
    return np.where(whole > 0, np.asarray(part) / np.where(whole > 0, whole, 1.0), np.nan)
