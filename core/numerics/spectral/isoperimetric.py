"""The isoperimetric cut: order the vertices by their hitting time to one, and cut where it is best.

The near side holds together whatever the threshold: from each vertex a way leads to the ground
along which the times only fall.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.walks.hitting import hitting_times_to, reaching_vertices
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.substochastic import SingularError

Rule = Literal["criterion", "jump"]

# Times that differ by less than this share of the longest are equal: no threshold between them.
SAME = 1e-7
# Steps after which a walker gives up where times would otherwise be rounding alone: the longest
# that leaves the times some digits.
PATIENCE = (1e8, 1e6, 1e4)


@dataclass(frozen=True, eq=False)
class Cut:
    """A graph cut in two.

    Attributes
    ----------
    near, far : positions of the vertices on the ground's side and on the other
    ratio : cut over volume, on the side of smaller volume
    ground : the vertex that the times lead to
    threshold : between the times of the two sides
    times : (n,) mean steps to the ground, ∞ for vertices without a way there
    """

    near: Ints
    far: Ints
    ratio: float
    ground: int
    threshold: float
    times: Floats


def isoperimetric_cut(
    affinity: Affinity,
    *,
    weights: Floats,
    rule: Rule = "criterion",
    ground: int | None = None,
    check: Check | None = None,
) -> Cut | None:
    """Cut a graph in two by thresholding the hitting times to one vertex, the ground.

    Solves (I − P₀) z = 1, P₀ being P without the ground. Vertices without a way to the ground are
    left out of the walk, and are on the far side.

    Parameters
    ----------
    affinity : symmetric or directed, at least 0
    weights : (n,) what each vertex counts in the volume of a side: its degree, or its stationary
        probability when the entries are flows π_i p_ij
    ground : position of the vertex; the heaviest unless given
    rule : the threshold of smallest ratio, or the largest jump between successive times

    Returns
    -------
    The cut, or None when there is no threshold with volume on both sides. Memory: a few vectors
    and a copy of the edges.

    References
    ----------
    Grady, Schwartz (2006). Isoperimetric graph partitioning for image segmentation. PAMI 28(3).

    Examples
    --------
    >>> A = np.kron(np.eye(2), np.ones((3, 3)))
    >>> A[2, 3] = A[3, 2] = 0.1
    >>> cut = isoperimetric_cut(Affinity(values=A), weights=A.sum(axis=1))
    >>> sorted(cut.near.tolist()), round(cut.ratio, 4)
    ([0, 1, 2], 0.011)
    """
    n = affinity.n
    if n < 2:
        return None
    ground = int(np.argmax(weights)) if ground is None else ground
    times = ground_times(affinity, ground, check=check)
    order = np.argsort(times, kind="stable")
    ratios = cut_ratios(affinity, order, weights, check=check)
    sorted_times = times[order]
    with np.errstate(invalid="ignore"):  # ∞ − ∞ is not a jump
        jumps = np.nan_to_num(np.diff(sorted_times), nan=0.0, posinf=np.inf)
    longest = float(np.max(sorted_times[np.isfinite(sorted_times)]))
    possible = (jumps > SAME * longest) & np.isfinite(ratios)
    if not possible.any():
        return None
    if rule == "criterion":
        at = int(np.argmin(np.where(possible, ratios, np.inf)))
    else:
        at = int(np.argmax(np.where(possible, jumps, -1.0)))
    above = sorted_times[at + 1]
    return Cut(
        near=np.sort(order[: at + 1]),
        far=np.sort(order[at + 1 :]),
        ratio=float(ratios[at]),
        ground=ground,
        threshold=float((sorted_times[at] + above) / 2 if np.isfinite(above) else sorted_times[at]),
        times=times,
    )


def ground_times(affinity: Affinity, ground: int, *, check: Check | None = None) -> Floats:
    """Return the mean steps of the walk from each vertex to the ground.

    The walk stays among the vertices that have a way to the ground; the others have ∞. Where ways
    are so faint that times would be rounding alone, the walker's patience is bounded, and those
    who lose it have ∞ as well.

    >>> A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0]])
    >>> ground_times(Affinity(values=A, symmetric=False), 2).tolist()
    [inf, inf, 0.0]
    """
    for patience in (np.inf, *PATIENCE):
        try:
            times = _times(affinity, ground, patience, check)
        except SingularError:
            if patience == PATIENCE[-1]:
                raise
        else:
            times[times > 0.99 * patience] = np.inf
            break
    return times


def _times(affinity: Affinity, ground: int, patience: float, check: Check | None) -> Floats:
    inside = np.arange(affinity.n)
    while True:
        part = affinity if len(inside) == affinity.n else affinity.submatrix(inside)
        walk = random_walk(part)
        at = int(np.searchsorted(inside, ground))
        # From a vertex without an edge the walk would go anywhere: here it is cut off.
        reaching = reaching_vertices(walk, np.array([at]))
        reaching[walk.dangling] = False
        reaching[at] = True
        if reaching.all():
            break
        inside = inside[reaching]
    times = np.full(affinity.n, np.inf)
    times[inside] = hitting_times_to(walk, np.array([at]), patience=patience, check=check).ravel()
    return times


def cut_ratios(
    affinity: Affinity, order: Ints, weights: Floats, *, check: Check | None = None
) -> Floats:
    """Return the isoperimetric ratio of cutting after each position of an order but the last.

    The ratio is the weight of the edges between the sides over the volume of the lighter side;
    edges of a directed graph count half in each direction, so no sink is cut off for free.
    ∞ where a side has no volume. One pass over the edges gives all of them.

    Parameters
    ----------
    order : (n,) the vertices, those on the near side first
    weights : (n,) what each vertex adds to the volume of its side

    Returns
    -------
    (n − 1,)

    Examples
    --------
    >>> A = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> cut_ratios(Affinity(values=A), np.arange(3), A.sum(axis=1)).tolist()
    [1.0, 1.0]
    """
    cut = np.maximum(np.cumsum(_cut_by_moving(affinity, order, check)[order])[:-1], 0.0)
    volume = np.cumsum(weights[order])
    lighter = np.minimum(volume[:-1], volume[-1] - volume[:-1])
    noise = 1e-14 * float(volume[-1])
    cut[cut <= noise] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(lighter > noise, cut / lighter, np.inf)


def _cut_by_moving(affinity: Affinity, order: Ints, check: Check | None) -> Floats:
    """What the cut grows by when a vertex moves to the near side, after those before it.

    Its edges with later vertices are cut, those with earlier ones mended; each direction is half.
    """
    n = affinity.n
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    if affinity.factor is not None:
        factor = affinity.factor[order]
        earlier = np.cumsum(factor, axis=0) - factor
        later = factor.sum(axis=0) - earlier - factor
        grown = np.empty(n)
        grown[order] = np.einsum("ij,ij->i", factor, later - earlier)
        return grown
    if affinity.sparse is not None:
        A: Any = affinity.sparse
        sources = np.repeat(np.arange(n), np.diff(A.indptr))
        signed = np.sign(rank[A.indices] - rank[sources]) * A.data
        leaving = np.bincount(sources, signed, n)
        if affinity.symmetric:
            return np.asarray(leaving, dtype=np.float64)
        return np.asarray(0.5 * (leaving - np.bincount(A.indices, signed, n)))
    grown = np.zeros(n)
    values = cast(Floats, affinity.values)
    for rows in row_blocks(n, n):
        if check is not None:
            check()
        signed = np.sign(rank - rank[rows, None]) * values[rows]
        grown[rows] += 0.5 * signed.sum(axis=1)
        grown -= 0.5 * signed.sum(axis=0)
    return grown
