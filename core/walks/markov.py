"""The random walk on a graph: from each vertex along its edges, by their weights.

P = D⁻¹A of a dense, sparse or factored affinity is never formed unless asked for: the walk is what
it does to a vector. A vertex without an edge is said to dangle; from it the walk goes anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from coterie.core.affinity import Affinity
from coterie.core.arrays import Floats, Ints
from coterie.core.errors import DataError, ParameterError
from coterie.core.similarity.entries import summed_degrees
from coterie.core.similarity.tiles import Check
from coterie.core.walks.substochastic import solve_substochastic

Dangling = Literal["uniform", "error"]

ROUNDING = 1e-9  # how far a stationary distribution may be from standing still


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk on the items: with chance 1 − teleport along an edge, else to any item alike.

    Attributes
    ----------
    affinity : the graph; it is not copied
    degrees : (n,) row sums, 1 where a vertex dangles
    dangling : (r,) vertices without an edge, from which the walk goes to any item alike
    teleport : chance of a jump to any item
    """

    affinity: Affinity
    degrees: Floats
    dangling: Ints
    teleport: float = 0.0

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self.affinity.n

    @property
    def reversible(self) -> bool:
        """Whether the walk looks alike forwards and backwards: π_i p_ij = π_j p_ji."""
        return self.affinity.symmetric and self.teleport == 0 and len(self.dangling) == 0

    def forward(self, x: Floats) -> Floats:
        """Return P x: the mean of x after one step from each vertex. x is (n,) or (n, r)."""
        degrees = self.degrees if x.ndim == 1 else self.degrees[:, None]
        result = np.asarray(self.affinity.matvec(x) / degrees, dtype=np.float64)
        anywhere = x.mean(axis=0)
        result[self.dangling] = anywhere
        if self.teleport:
            result *= 1.0 - self.teleport
            result += self.teleport * anywhere
        return result

    def backward(self, x: Floats) -> Floats:
        """Return Pᵀ x: where walkers spread like x are one step later."""
        degrees = self.degrees if x.ndim == 1 else self.degrees[:, None]
        shares = x / degrees
        if self.affinity.symmetric or self.affinity.factor is not None:
            result = np.asarray(self.affinity.matvec(shares), dtype=np.float64)
        else:
            result = np.asarray(self.affinity.stored.T @ shares, dtype=np.float64)
        lost = x[self.dangling].sum(axis=0) / self.n
        if self.teleport:
            result *= 1.0 - self.teleport
            lost = (1.0 - self.teleport) * lost + self.teleport * x.sum(axis=0) / self.n
        result += lost
        return result

    def along_edges(self) -> Any:
        """Return (1 − teleport) D⁻¹A in the form of the affinity, rows that dangle being zero.

        Dense: n² numbers. Sparse: as many as edges. Of a factor Φ the pair U, Φ with U Φᵀ. What is
        missing to P is the same in every column, 1/n of what each row lacks to one.
        """
        keep = (1.0 - self.teleport) / self.degrees
        affinity = self.affinity
        if affinity.factor is not None:
            return affinity.factor * keep[:, None], np.asarray(affinity.factor, dtype=np.float64)
        if affinity.sparse is not None:
            from scipy.sparse import csr_array

            A: Any = affinity.sparse
            data = A.data * np.repeat(keep, np.diff(A.indptr))
            return csr_array((data, A.indices, A.indptr), shape=A.shape)
        return cast(Floats, affinity.values) * keep[:, None]

    def to_dense(self) -> Floats:
        """Return P, n² numbers; a method that calls this says so in its estimate."""
        moves = self.along_edges()
        if isinstance(moves, tuple):
            moves = moves[0] @ moves[1].T
        P = np.asarray(moves.toarray() if self.affinity.sparse is not None else moves)
        P[self.dangling] = (1.0 - self.teleport) / self.n
        P += self.teleport / self.n
        return P


def random_walk(
    affinity: Affinity, *, dangling: Dangling = "uniform", teleport: float = 0.0
) -> Walk:
    """Return the walk with transition probabilities P = D⁻¹A, D the row sums of A.

    Parameters
    ----------
    affinity : symmetric or directed, dense, sparse or factored; at least 0
    dangling : from a vertex without an edge the walk goes anywhere, or it is an error
    teleport : chance of jumping to any item instead of following an edge, from 0 to 1

    Examples
    --------
    >>> A = Affinity(values=np.array([[0.0, 1.0], [3.0, 1.0]]), symmetric=False)
    >>> random_walk(A).to_dense().tolist()
    [[0.0, 1.0], [0.75, 0.25]]
    >>> random_walk(A).backward(np.array([0.0, 1.0])).tolist()
    [0.75, 0.25]
    """
    if affinity.n == 0:
        raise DataError("There are no items to walk on. Open a file with at least one item.")
    affinity.require_finite()
    require_nonnegative(affinity)
    degrees = summed_degrees(affinity)
    # Of a factor the sums may fall below zero by rounding.
    alone = degrees <= 0
    if alone.any() and dangling == "error":
        first = int(np.flatnonzero(alone)[0])
        raise DataError(
            f"Items without an edge: {int(alone.sum())}, the first is number {first + 1}. "
            "Take more neighbours, join the graph (graph/connected), or leave these items out."
        )
    walk = Walk(affinity, np.where(alone, 1.0, degrees), np.flatnonzero(alone))
    return with_teleport(walk, teleport)


def with_teleport(walk: Walk, probability: float) -> Walk:
    """Return the walk that jumps to any item with this chance: (1 − t) P + t 11ᵀ / n.

    >>> A = Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> with_teleport(random_walk(A), 0.5).to_dense().tolist()
    [[0.25, 0.75], [0.75, 0.25]]
    """
    if not 0 <= probability <= 1:
        raise ParameterError(f"Parameter 'teleport' must be from 0 to 1. Got {probability}.")
    return replace(walk, teleport=float(probability))


def require_nonnegative(affinity: Affinity) -> None:
    """Raise a clear error when an entry is below zero: a chance cannot be.

    Of a factor with entries of both signs its maker's promise is taken.
    """
    if affinity.factor is not None:
        negative = bool(affinity.factor.min(initial=0.0) < 0) and not affinity.nonnegative
    elif affinity.sparse is not None:
        negative = bool(affinity.sparse.data.min(initial=0.0) < 0)
    else:
        negative = bool(cast(Floats, affinity.values).min(initial=0.0) < 0)
    if negative:
        raise DataError(
            "A random walk needs similarities of at least 0, and some of these are negative. "
            "Keep the positive ones (graph/threshold), or choose another kernel.",
            offer=("graph/threshold",),
        )


def strong_components(walk: Walk) -> tuple[int, Ints]:
    """Return how many strongly connected components there are, and that of each vertex.

    Within a component each vertex can be reached from each other one. A walk that teleports has
    one. Memory: some vectors, and for a dense graph of several components its edges as sparse.

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
    >>> A = Affinity(values=np.array([[0.0, 1.0], [3.0, 1.0]]), symmetric=False)
    >>> stationary(random_walk(A)).round(4).tolist()
    [0.4286, 0.5714]
    """
    if walk.reversible:
        # In two steps: the sum of very large degrees would overflow.
        shares = walk.degrees / walk.degrees.max()
        return np.asarray(shares / shares.sum())
    if walk.teleport == 1:
        return np.full(walk.n, 1.0 / walk.n)
    moves = walk.along_edges()
    if walk.teleport > 0:
        return _settled(walk, _solve_back(moves, np.full(walk.n, 1.0 / walk.n), check))
    closed = closed_components(walk)
    if len(closed) > 1 or (len(closed) == 0 and not len(walk.dangling)):
        raise DataError(
            f"The walk has no single stationary distribution: the graph has {len(closed)} closed "
            "parts. Give a teleport probability, or join the graph (graph/connected)."
        )
    if not closed or (len(closed[0]) == walk.n and len(walk.dangling)):
        return _settled(walk, _solve_back(moves, np.full(walk.n, 1.0 / walk.n), check))
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
            "The stationary distribution of this walk could not be found to nine digits. "
            "Give a larger teleport probability."
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
