"""How much every two of many partitions agree."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints


def pairwise_adjusted_rand(partitions: Ints) -> Floats:
    """Return the adjusted Rand index of every two partitions of the same items.

    The overlaps of the groups of a partition with those of all later ones are counted at once.

    Parameters
    ----------
    partitions : (m, n) group of each item in each partition, from 0 without gaps

    Returns
    -------
    (m, m). Memory: as the partitions, and the number of groups of one times that of all.

    Examples
    --------
    >>> three = np.array([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]])
    >>> pairwise_adjusted_rand(three).round(9).tolist()
    [[1.0, 1.0, -0.5], [1.0, 1.0, -0.5], [-0.5, -0.5, 1.0]]
    """
    m, n = partitions.shape
    starts = np.concatenate([[0], np.cumsum(partitions.max(axis=1) + 1)])
    columns = partitions + starts[:-1, None]
    squares = np.empty((m, m))
    for one in range(m):
        first, groups = int(starts[one]), int(starts[one + 1] - starts[one])
        width = int(starts[-1]) - first
        pairs = partitions[one] * width + (columns[one:] - first)
        overlaps = np.bincount(pairs.ravel(), minlength=groups * width).reshape(groups, width)
        total = np.square(overlaps, dtype=np.float64).sum(axis=0)
        squares[one, one:] = np.add.reduceat(total, starts[one:-1] - first)
        squares[one:, one] = squares[one, one:]
    together = (squares - n) / 2
    alone = np.diag(together).copy()
    expected = np.outer(alone, alone) / max(1.0, n * (n - 1) / 2)
    most = (alone[:, None] + alone[None, :]) / 2
    span = most - expected
    # Two partitions into one group, or into single items, agree though chance explains it all.
    level = span <= 1e-12 * np.maximum(most, 1.0)
    found = (together - expected) / np.where(level, 1.0, span)
    return np.where(level, 1.0, found)
