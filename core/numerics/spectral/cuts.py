"""What it costs to cut a graph: of given groups, and of every threshold along a line at once."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check

Split = Literal["best", "zero", "median"]
BINS = 10


def normalised_cut(affinity: Affinity, labels: Ints, *, check: Check | None = None) -> float:
    """Return the mean over groups of W(group, others) / W(group, all), the Bayes risk.

    Items in no group are taken out of the graph, as are groups without any similarity. In
    Shi and Malik's form, which is the sum over both groups, it is twice this for two groups.

    References
    ----------
    Shi, Malik (2000). Normalized cuts and image segmentation. IEEE PAMI 22(8).

    Examples
    --------
    >>> A = np.array([[0.0, 2, 0], [2, 0, 1], [0, 1, 0]])
    >>> round(normalised_cut(Affinity(values=A), np.array([0, 0, 1])), 4)
    0.6
    """
    labels = np.asarray(labels)
    if check is not None:
        check()
    k = int(labels.max(initial=-1)) + 1
    if affinity.sparse is not None:
        A: Any = affinity.sparse
        rows = np.repeat(labels, np.diff(A.indptr))
        columns = labels[A.indices]
        both = (rows >= 0) & (columns >= 0)
        same = both & (rows == columns)
        volume = np.bincount(rows[both], weights=A.data[both], minlength=k)
        inside = np.bincount(rows[same], weights=A.data[same], minlength=k)
    else:
        member = (labels[:, None] == np.arange(k)).astype(np.float64)
        between = member.T @ affinity.matvec(member)
        volume, inside = between.sum(axis=1), between.diagonal()
    real = volume > 0
    if not real.any():
        return 0.0
    return float(np.clip(1 - inside[real] / volume[real], 0.0, 1.0).mean())


def threshold_cuts(
    affinity: Affinity, scores: Floats, *, check: Check | None = None
) -> tuple[Ints, Floats]:
    """Return, for a symmetric graph, the normalised cut at each threshold of the scores.

    Parameters
    ----------
    scores : (n,) where each item stands on a line, such as an eigenvector

    Returns
    -------
    order : (n,) the items by rising score
    cuts : (n − 1,) cut/volume + cut/volume of the first t + 1 items against the others, infinite
        between equal scores, where no threshold passes, and where a side has no volume

    Notes
    -----
    When item i passes to the left the cut grows by d_i − a_ii − 2 Σ a_ij over the j left of it:
    one pass over the edges, O(n²), O(edges) or O(n m) by form, for all thresholds together.

    Examples
    --------
    >>> A = np.array([[0.0, 2, 0], [2, 0, 1], [0, 1, 0]])
    >>> order, cuts = threshold_cuts(Affinity(values=A), np.array([0.3, 0.1, -0.5]))
    >>> order.tolist(), cuts.round(4).tolist()
    ([2, 1, 0], [1.2, 1.5])
    """
    scores = np.asarray(scores, dtype=np.float64)
    order = np.argsort(scores, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    degrees = np.asarray(affinity.degrees(), dtype=np.float64)
    to_left = _to_the_left(affinity, order, rank, check)
    grown = degrees - affinity.diagonal() - 2 * to_left
    cut = np.maximum(np.cumsum(grown[order])[:-1], 0.0)
    volume = np.cumsum(degrees[order])
    left, right = volume[:-1], volume[-1] - volume[:-1]
    possible = (left > 0) & (right > 1e-15 * volume[-1])
    # Equal but for rounding: no threshold separates them or may depend on their order.
    spread = float(scores.max(initial=0.0) - scores.min(initial=0.0))
    possible &= np.diff(scores[order]) > 1e-10 * spread
    cuts = np.full(max(0, len(order) - 1), np.inf)
    cuts[possible] = cut[possible] * (1 / left[possible] + 1 / right[possible])
    return order, cuts


def splitting_point(scores: Floats, order: Ints, cuts: Floats, how: Split) -> int | None:
    """Return after which place of the order to cut: where it is cheapest, at 0, or in the middle.

    Where no threshold passes just there, the nearest one; None when there is none at all.

    Parameters
    ----------
    scores, order, cuts : as given to, and returned by, `threshold_cuts`

    >>> scores, order = np.array([-2.0, -1.0, 3.0, 4.0, 5.0]), np.arange(5)
    >>> cuts = np.array([0.1, 0.3, 0.2, 0.4])
    >>> [splitting_point(scores, order, cuts, how) for how in ("best", "zero", "median")]
    [0, 1, 2]
    """
    possible = np.flatnonzero(np.isfinite(cuts))
    if not len(possible):
        return None
    if how == "best":
        return int(cuts.argmin())
    below = int((scores <= 0).sum()) if how == "zero" else (len(order) + 1) // 2
    return int(possible[np.abs(possible - (below - 1)).argmin()])


def evenness(scores: Floats) -> float:
    """Return the least over the largest count of a histogram of the scores, in 10 bins.

    Near 0 the scores are in clumps and a cut between them is stable; where they vary evenly,
    cuts at very different places cost about the same.

    References
    ----------
    Shi, Malik (2000). Normalized cuts and image segmentation. IEEE PAMI 22(8), section 3.

    >>> evenness(np.array([0.0] * 9 + [1.0] * 9)), evenness(np.arange(20.0))
    (0.0, 1.0)
    """
    counts, _ = np.histogram(scores, bins=BINS)
    return float(counts.min() / counts.max())


def _to_the_left(affinity: Affinity, order: Ints, rank: Ints, check: Check | None) -> Floats:
    """Sum of each item's similarities to the items that stand before it."""
    n = affinity.n
    if affinity.sparse is not None:
        A: Any = affinity.sparse
        rows = np.repeat(np.arange(n), np.diff(A.indptr))
        left = rank[A.indices] < rank[rows]
        return np.asarray(np.bincount(rows[left], weights=A.data[left], minlength=n))
    result = np.empty(n)
    if affinity.factor is not None:
        before = np.zeros(affinity.factor.shape[1])
        for part in row_blocks(n, affinity.factor.shape[1]):
            if check is not None:
                check()
            block = affinity.factor[order[part]]
            sums = np.cumsum(block, axis=0) - block + before
            result[order[part]] = np.einsum("ij,ij->i", block, sums)
            before = before + block.sum(axis=0)
        return result
    for part in row_blocks(n, n):
        if check is not None:
            check()
        block = affinity.rows(np.arange(part.start, part.stop))
        result[part] = np.where(rank < rank[part, None], block, 0.0).sum(axis=1)
    return result
