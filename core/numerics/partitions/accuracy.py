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

# Two-sided 95 % of a normal distribution.
Z95 = 1.959963984540054


@dataclass(frozen=True, eq=False)
class Accuracy:
    """An error matrix and what follows from it. What is unknown is not a number.

    Attributes
    ----------
    counts : (k, k) pixels by class on the map (rows) and in truth (columns)
    overall : share of the map that is right, and half the width of its 95 % interval
    kappa : agreement beyond chance, of the map
    mapped : (k,) share of the map that each class covers; none for classes nobody looked at
    users : (k,) share of each map class that is right (1 − commission), and half widths
    producers : (k,) share of each true class that the map finds (1 − omission), and half widths
    areas : (k,) share of the whole that each class truly covers, and half widths
    """

    names: tuple[str, ...]
    counts: Ints
    overall: tuple[float, float]
    kappa: float
    mapped: Floats
    users: Floats
    users_error: Floats
    producers: Floats
    producers_error: Floats
    areas: Floats
    areas_error: Floats

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
    change, Remote Sensing of Environment 148.

    Examples
    --------
    >>> found = accuracy_of(np.array([[9, 1], [2, 8]]))
    >>> round(found.overall[0], 3), found.users.tolist()
    (0.85, [0.9, 0.8])
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
    weights = np.where(rows > 0, weights, 0.0)
    if not weights.sum() > 0:
        raise DataError(
            "None of the tested classes covers any of the map.",
            code="nothing-to-compare",
        )
    W = weights / weights.sum()
    share = n / np.maximum(rows, 1)[:, None]
    p = W[:, None] * share
    truth = p.sum(axis=0)
    users = _ratio(np.diag(n), rows)
    producers = _ratio(np.diag(p), truth)
    # Within a row the estimates are proportions of a sample: p (1 − p) / (n − 1).
    spread = share * (1 - share) / np.maximum(rows - 1, 1)[:, None]
    own = np.diag(spread)
    right, chance = float(np.trace(p)), float(W @ truth)
    return Accuracy(
        names=tuple(names) or tuple(str(i) for i in range(len(n))),
        counts=n,
        overall=(right, Z95 * float(np.sqrt(W**2 @ own))),
        kappa=(right - chance) / (1 - chance) if chance < 1 else 1.0,
        mapped=W,
        users=users,
        # A single pixel says nothing about how much others differ.
        users_error=np.where(rows > 1, Z95 * np.sqrt(own), np.nan),
        producers=producers,
        producers_error=_producers_error(W, spread, producers, truth),
        areas=truth,
        areas_error=Z95 * np.sqrt(W**2 @ spread),
    )


def _producers_error(W: Floats, spread: Floats, producers: Floats, truth: Floats) -> Floats:
    known = np.where(np.isfinite(producers), producers, 0.0)
    own = W**2 * np.diag(spread)
    others = W**2 @ spread - own
    variance = own * (1 - known) ** 2 + known**2 * others
    error = Z95 * np.sqrt(variance) / np.where(truth > 0, truth, 1.0)
    return np.where(truth > 0, error, np.nan)


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
