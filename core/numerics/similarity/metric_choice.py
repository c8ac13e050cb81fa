"""Which distance fits the columns: the one by which half of them say what the other half says."""

from __future__ import annotations

from typing import get_args

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.similarity.exact_search import unit_rows
from coterie.core.numerics.similarity.neighbours import Metric, nearest_neighbours
from coterie.core.numerics.similarity.tiles import Check

FEWEST_COLUMNS = 4  # of fewer, half is one column, by which every distance orders alike
SPLITS, SAMPLE = 5, 600
# Above so many items neighbours by sums of differences take too long: no index knows them.
MOST_COMPARED = 20_000


def agreement_of_halves(
    X: Floats, neighbours: int, rng: np.random.Generator, *, check: Check | None = None
) -> dict[Metric, float]:
    """Return, for each distance, how many neighbours by one half of the columns the other half has.

    The columns are divided at random, several times; of many items a sample is compared. Needs no
    labels: what two disjoint halves of the columns agree on is about the items, and what a
    distance makes of single columns is not.

    Parameters
    ----------
    X : (n, d) features, d at least 2
    neighbours : how many of each item are compared, below the number of items

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> twice = agreement_of_halves(np.hstack([X, X, X]), 5, np.random.default_rng(1))
    >>> sorted(twice), bool(min(twice.values()) > 0.1)
    (['cosine', 'euclidean', 'manhattan'], True)
    """
    rows = np.sort(rng.permutation(len(X))[:SAMPLE])
    some, k = X[rows], min(neighbours, len(rows) - 1)
    shared = dict.fromkeys(get_args(Metric), 0.0)
    for _ in range(SPLITS):
        columns = rng.permutation(X.shape[1])
        halves = some[:, columns[: X.shape[1] // 2]], some[:, columns[X.shape[1] // 2 :]]
        for metric in shared:
            near = np.zeros((len(rows), len(rows)), dtype=np.int8)
            for half in halves:
                found = nearest_neighbours(half, k, metric=metric, check=check)
                np.add.at(near, (np.arange(len(rows))[:, None], found.indices), 1)
            shared[metric] += float((near == 2).sum()) / (SPLITS * k * len(rows))
    return shared


def fitting_metric(
    X: Floats, neighbours: int, rng: np.random.Generator, *, check: Check | None = None
) -> tuple[Metric, str]:
    """Return the distance whose halves agree most, and a sentence on why.

    >>> fitting_metric(np.eye(3), 1, np.random.default_rng(0))[0]
    'euclidean'
    """
    if X.shape[1] < FEWEST_COLUMNS or len(X) < 3:
        return "euclidean", "Too few columns or items to choose a distance: Euclidean."
    agreement = agreement_of_halves(X, neighbours, rng, check=check)
    if len(X) > MOST_COMPARED:
        del agreement["manhattan"]
    best = max(agreement, key=lambda metric: agreement[metric])
    said = ", ".join(f"{metric} {share:.3f}" for metric, share in agreement.items())
    return best, (
        f"Distance: {best}, by which neighbours found from half of the columns are most often "
        f"those found from the other half ({said})."
    )


def rows_for(X: Floats, metric: Metric) -> tuple[Floats, Metric]:
    """Return rows whose Euclidean distances order as the cosine does, and the distance to take.

    >>> rows, metric = rows_for(np.array([[3.0, 4.0]]), "cosine")
    >>> rows.tolist(), metric
    ([[0.6, 0.8, 0.0]], 'euclidean')
    """
    return (np.asarray(unit_rows(X)), "euclidean") if metric == "cosine" else (X, metric)
