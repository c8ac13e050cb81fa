"""How much every two of many partitions agree."""

from __future__ import annotations

import numpy as np

from coterie.core.model.arrays import Floats, Ints


def pairwise_adjusted_rand(partitions: Ints) -> Floats:
    """Return the adjusted Rand index of every two partitions of the same items.

    One sparse product counts the overlaps of all groups of all partitions.

    Parameters
    ----------
    partitions : (m, n) group of each item in each partition, from 0 without gaps

    Returns
    -------
    (m, m). Memory: the square of the number of groups in all partitions together.

    Examples
    --------
    >>> three = np.array([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]])
    >>> pairwise_adjusted_rand(three).round(9).tolist()
    [[1.0, 1.0, -0.5], [1.0, 1.0, -0.5], [-0.5, -0.5, 1.0]]
    """
    from scipy.sparse import csr_array

    m, n = partitions.shape
    starts = np.concatenate([[0], np.cumsum(partitions.max(axis=1) + 1)])
    columns = (partitions + starts[:-1, None]).T
    member = csr_array(
        (np.ones(n * m), columns.ravel(), np.arange(0, n * m + 1, m)), shape=(n, int(starts[-1]))
    )
    overlaps = (member.T @ member).toarray()
    squares = np.add.reduceat(
        np.add.reduceat(overlaps * overlaps, starts[:-1], axis=0), starts[:-1], axis=1
    )
    together = (squares - n) / 2
    alone = np.diag(together).copy()
    expected = np.outer(alone, alone) / max(1.0, n * (n - 1) / 2)
    most = (alone[:, None] + alone[None, :]) / 2
    span = most - expected
    # Two partitions into one group, or into single items, agree though chance explains it all.
    level = span <= 1e-12 * np.maximum(most, 1.0)
    found = (together - expected) / np.where(level, 1.0, span)
    return np.where(level, 1.0, found)
