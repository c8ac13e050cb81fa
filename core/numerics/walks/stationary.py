"""Where a walk is found in the long run: the parts it cannot leave, and how often it is where."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.walks.markov import Walk
from coterie.core.numerics.walks.substochastic import solve_substochastic

ROUNDING = 1e-9  # how far a stationary distribution may be from standing still


def strong_components(walk: Walk) -> tuple[int, Ints]:
    """Return how many strongly connected components there are, and that of each vertex.

    Within a component each vertex can be reached from each other one. A walk that teleports has
    one. Memory: some vectors, and for a dense graph of several components its edges as sparse.

    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> A = Affinity(values=np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
    ...              symmetric=False)
    >>> count, of = strong_components(random_walk(A))
    >>> count, bool(of[0] == of[1]), bool(of[0] == of[2])
    (2, True, False)
    """
    n, affinity = walk.n, walk.affinity
    whole = np.zeros(n, dtype=np.int64)
    if walk.teleport > 0 or n == 1:
        return 1, whole
    if affinity.sparse is None and _reached(walk, forward=True) and _reached(walk, forward=False):
        return 1, whole
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edges: Any = affinity.sparse
    if edges is None:
        edges = csr_array(affinity.to_dense() > 0)
    positive: Any = edges > 0  # stored zeros are no edges
    count, found = connected_components(positive, directed=True, connection="strong")
    labels: Ints = found.astype(np.int64)
    if len(walk.dangling):
        # Vertices that dangle lead everywhere: all from which one can be reached are one part.
        back = _backwards_from(positive, walk.dangling)
        labels[back] = labels[walk.dangling[0]]
        kept, labels = np.unique(labels, return_inverse=True)
        count = len(kept)
    return int(count), labels


def closed_components(walk: Walk) -> list[Ints]:
    """Return the strong components that no step leaves: where the walk ends up for good.

    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> A = Affinity(values=np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
    ...              symmetric=False)
    >>> [part.tolist() for part in closed_components(random_walk(A))]
    [[0, 1]]
    """
    count, labels = strong_components(walk)
    if count == 1:
        return [np.arange(walk.n)]
    members = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[members], np.arange(count + 1))
    left = np.zeros(count, dtype=np.bool_)
    edges: Any = walk.affinity.sparse
    if edges is not None:
        sources = np.repeat(np.arange(walk.n), np.diff(edges.indptr))
        out = (edges.data > 0) & (labels[sources] != labels[edges.indices])
        left[labels[sources[out]]] = True
    else:
        for part in range(count):
            inside = members[starts[part] : starts[part + 1]]
            outside = np.ones(walk.n)
            outside[inside] = 0.0
            left[part] = bool((walk.affinity.matvec(outside)[inside] > 0).any())
    left[labels[walk.dangling]] = True
    closed = [members[starts[part] : starts[part + 1]] for part in np.flatnonzero(~left)]
    return sorted(closed, key=lambda part: int(part[0]))


def stationary(walk: Walk, *, check: Check | None = None) -> Floats:
    """Return the distribution π that a step leaves as it is: πᵀP = πᵀ, Σπ = 1.

    For a symmetric graph the degrees over their sum. Otherwise the left eigenvector of P, from a
    linear system; vertices that the walk leaves for good have 0. It must be the only one: a
    directed graph with several closed parts needs a teleport probability.

    Returns
    -------
    (n,) with max |πᵀP − πᵀ| at most 1e-9. Memory: as `solve_substochastic`.

    Examples
    --------
    >>> from coterie.core.model.affinity import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> A = Affinity(values=np.array([[0.0, 1.0], [3.0, 1.0]]), symmetric=False)
    >>> stationary(random_walk(A)).round(4).tolist()
    [0.4286, 0.5714]
    """
    if walk.reversible:
        # In two steps: the sum of very large degrees would overflow.
        shares = walk.degrees / walk.degrees.max()
        return np.asarray(shares / shares.sum())
    if walk.teleport == 1:
        return walk.home
    moves = walk.along_edges()
    if walk.teleport > 0:
        return _settled(walk, _solve_back(moves, walk.home, check))
    closed = closed_components(walk)
    if len(closed) > 1 or (len(closed) == 0 and not len(walk.dangling)):
        raise DataError(
            f"The walk has no single stationary distribution: the graph has {len(closed)} "
            "closed parts. Give a teleport probability, or connect the graph "
            f"({well_known.GRAPH_CONNECTED}).",
            code="not-connected",
        )
    if not closed or (len(closed[0]) == walk.n and len(walk.dangling)):
        return _settled(walk, _solve_back(moves, walk.home, check))
    return _settled(walk, _grounded(moves, closed[0], walk.n, check))


def _grounded(moves: Any, part: Ints, n: int, check: Check | None) -> Floats:
    """π of an irreducible part, by fixing it to one at the part's first vertex."""
    ground, others = part[:1], part[1:]
    result = np.zeros(n)
    result[ground] = 1.0
    if len(others):
        if isinstance(moves, tuple):
            U, V = moves
            inside: Any = (U[others], V[others])
            leaving = V[others] @ U[ground[0]]
        elif isinstance(moves, np.ndarray):
            inside = moves[np.ix_(others, others)]
            leaving = moves[ground[0], others]
        else:
            inside = moves[others][:, others]
            leaving = np.asarray(moves[ground][:, others].toarray()).ravel()
        result[others] = _solve_back(inside, leaving, check)
    return result


def _solve_back(moves: Any, b: Floats, check: Check | None) -> Floats:
    if isinstance(moves, tuple):
        return solve_substochastic((moves[1], moves[0]), b, check=check)
    across = moves.T if isinstance(moves, np.ndarray) else moves.T.tocsr()
    return solve_substochastic(across, b, check=check)


def _settled(walk: Walk, weights: Floats) -> Floats:
    """Weights as a distribution; a few steps of the walk take the rounding away."""
    shares = np.maximum(weights, 0.0)
    shares /= shares.sum()
    for _ in range(3):
        shares = np.maximum(walk.backward(shares), 0.0)
        shares /= shares.sum()
    if not _stands_still(walk, shares):
        raise DataError(
            "The stationary distribution of this walk could not be computed to nine digits. "
            "Give a larger teleport probability.",
            code="not-converged",
        )
    return cast(Floats, shares)


def _stands_still(walk: Walk, shares: Floats) -> bool:
    return bool(np.abs(walk.backward(shares) - shares).max() <= ROUNDING)


def _reached(walk: Walk, *, forward: bool) -> bool:
    """Whether all can be reached from the first vertex, or the first from all."""
    affinity = walk.affinity
    seen = np.zeros(walk.n, dtype=np.bool_)
    front = seen.copy()
    seen[0] = front[0] = True
    while front.any():
        here = front.astype(np.float64)
        if forward and not affinity.symmetric:
            hit = np.asarray(affinity.stored.T @ here) > 0
            if front[walk.dangling].any():
                return True
        else:
            hit = affinity.matvec(here) > 0
        front = hit & ~seen
        seen |= front
    return bool(seen.all())


def _backwards_from(edges: Any, targets: Ints) -> Any:
    """Which vertices have a way to one of the targets."""
    across = edges.T.tocsr()
    seen = np.zeros(edges.shape[0], dtype=np.bool_)
    seen[targets] = True
    front = seen.copy()
    while front.any():
        rows = across[np.flatnonzero(front)]
        front = np.zeros_like(seen)
        front[rows.indices] = True
        front &= ~seen
        seen |= front
    return seen
