"""Partitions of random parts of the items, how often they agree, and which grouping they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.mixtures.em_pass import shares_of
from coterie.core.numerics.mixtures.kmeans_batch import linear_features, partition
from coterie.core.numerics.partitions.contingency import Contingency
from coterie.core.numerics.similarity.tiles import Check


@dataclass(frozen=True, eq=False)
class Partition:
    """A grouping of some of the items.

    Attributes
    ----------
    items : (m,) which items were drawn, rising
    labels : (m,) the group of each
    """

    items: Ints
    labels: Ints


def resampled_partitions(
    X: Floats,
    count: int,
    most: int,
    share: float,
    rng: np.random.Generator,
    *,
    check: Check | None = None,
) -> list[Partition]:
    """Return k-means partitions, each of a random part of the items into 2 … most groups.

    Parameters
    ----------
    X : (n, d) features
    count : how many partitions
    share : of the items that each is of, drawn without replacement; 1: all of them

    Examples
    --------
    >>> made = resampled_partitions(np.arange(10.0)[:, None], 3, 2, 0.8, np.random.default_rng(0))
    >>> [len(one.items) for one in made], made[0].labels.max()
    ([8, 8, 8], np.int64(1))
    """
    n = len(X)
    if n == 1:
        return [Partition(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))] * count
    drawn = min(n, max(2, round(share * n)))
    made = []
    for _ in range(count):
        if check is not None:
            check()
        items = np.sort(rng.permutation(n)[:drawn])
        groups = int(rng.integers(2, max(3, min(most, drawn) + 1)))
        features = linear_features(X[items])
        found = partition(features, groups, 1, rng, check=check)
        member = np.empty((drawn, 1, groups))
        shares_of(found.coefficients, features, member, soft=False, check=check)
        made.append(Partition(items, member[:, 0].argmax(axis=1).astype(np.int64)))
    return made


def consensus_matrix(partitions: list[Partition], n: int) -> Floats:
    """Return how often two items were put together, of the times that both were drawn.

    0 for pairs that were never drawn together; 1 on the diagonal. Memory: 2 n² numbers.

    References
    ----------
    Monti, Tamayo, Mesirov, Golub (2003). Consensus clustering. Machine Learning 52.

    Examples
    --------
    >>> two = [Partition(np.array([0, 1]), np.array([0, 0])),
    ...        Partition(np.array([0, 1, 2]), np.array([0, 1, 1]))]
    >>> consensus_matrix(two, 3).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 1.0], [0.0, 1.0, 1.0]]
    """
    from scipy.sparse import csr_array

    rows = np.concatenate([one.items for one in partitions])
    first = np.cumsum([0, *(int(one.labels.max(initial=0)) + 1 for one in partitions)])
    groups = np.concatenate([one.labels + at for one, at in zip(partitions, first, strict=False)])
    drawn = np.repeat(np.arange(len(partitions)), [len(one.items) for one in partitions])
    ones = np.ones(len(rows))
    inside = csr_array((ones, (rows, groups)), shape=(n, int(first[-1])))
    asked = csr_array((ones, (rows, drawn)), shape=(n, len(partitions)))
    together: Floats = (inside @ inside.T).toarray()
    both = (asked @ asked.T).toarray()
    np.divide(together, both, out=together, where=both > 0)
    np.fill_diagonal(together, 1.0)
    return together


def shared_information(labels: Ints, partitions: list[Partition]) -> float:
    """Return the mean mutual information of a grouping with partitions, each on its own items.

    Divided by the geometric mean of both entropies, as published.

    References
    ----------
    Strehl, Ghosh (2002). Cluster ensembles. JMLR 3.

    Examples
    --------
    >>> half = Partition(np.array([0, 1, 2]), np.array([1, 1, 0]))
    >>> shared_information(np.array([0, 0, 1, 1]), [half])
    1.0
    """
    found = []
    for one in partitions:
        mine, theirs = labels[one.items], one.labels
        counts = np.zeros((int(mine.max()) + 1, int(theirs.max()) + 1), dtype=np.int64)
        np.add.at(counts, (mine, theirs), 1)
        counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
        names = tuple(map(str, range(max(counts.shape))))
        table = Contingency(counts, names[: counts.shape[0]], names[: counts.shape[1]])
        found.append(table.information("geometric"))
    return float(np.mean(found))
