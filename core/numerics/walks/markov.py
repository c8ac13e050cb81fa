"""The random walk on a graph: from each vertex along its edges, by their weights.

P = D⁻¹A of a dense, sparse or factored affinity is never formed unless asked for: the walk is what
it does to a vector. A vertex without an edge is said to dangle; from it the walk goes anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError, ParameterError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.affinity_ops import summed_degrees

Dangling = Literal["uniform", "error"]


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk on the items: with chance 1 − teleport along an edge, else anywhere.

    Attributes
    ----------
    affinity : the graph; it is not copied
    degrees : (n,) row sums, 1 where a vertex dangles
    dangling : (r,) vertices without an edge, from which the walk jumps
    home : (n,) where a jump ends, as shares that sum to one: any item alike unless given
    teleport : chance of a jump
    """

    affinity: Affinity
    degrees: Floats
    dangling: Ints
    home: Floats
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
        anywhere = self.home @ x
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
        lost = x[self.dangling].sum(axis=0)
        if self.teleport:
            result *= 1.0 - self.teleport
            lost = (1.0 - self.teleport) * lost + self.teleport * x.sum(axis=0)
        result += np.multiply.outer(self.home, lost)
        return result

    def along_edges(self) -> Any:
        """Return (1 − teleport) D⁻¹A in the form of the affinity, rows that dangle being zero.

        Dense: n² numbers. Sparse: as many as edges. Of a factor Φ the pair U, Φ with U Φᵀ. What is
        missing to P is in every column its share of `home` of what each row lacks to one.
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
        P[self.dangling] = (1.0 - self.teleport) * self.home
        P += self.teleport * self.home
        return P


def random_walk(
    affinity: Affinity,
    *,
    dangling: Dangling = "uniform",
    teleport: float = 0.0,
    home: Floats | None = None,
) -> Walk:
    """Return the walk with transition probabilities P = D⁻¹A, D the row sums of A.

    Parameters
    ----------
    affinity : symmetric or directed, dense, sparse or factored; at least 0
    dangling : from a vertex without an edge the walk jumps, or it is an error
    teleport : chance of jumping instead of following an edge, from 0 to 1
    home : (n,) where jumps end, as shares that sum to one; any item alike unless given

    Examples
    --------
    >>> A = Affinity(values=np.array([[0.0, 1.0], [3.0, 1.0]]), symmetric=False)
    >>> random_walk(A).to_dense().tolist()
    [[0.0, 1.0], [0.75, 0.25]]
    >>> random_walk(A).backward(np.array([0.0, 1.0])).tolist()
    [0.75, 0.25]
    """
    if affinity.n == 0:
        raise DataError(
            "There are no items to walk on. Open a file with at least one item.", code="empty-data"
        )
    affinity.require_finite()
    require_nonnegative(affinity)
    degrees = summed_degrees(affinity)
    # Of a factor the sums may fall below zero by rounding.
    alone = degrees <= 0
    if alone.any() and dangling == "error":
        first = int(np.flatnonzero(alone)[0])
        raise DataError(
            f"Items without an edge: {int(alone.sum())}, the first is number {first + 1}. "
            f"Use more neighbours, connect the graph ({well_known.GRAPH_CONNECTED}), "
            "or leave these items out.",
            code="not-connected",
        )
    if home is None:
        home = np.full(affinity.n, 1.0 / affinity.n)
    walk = Walk(affinity, np.where(alone, 1.0, degrees), np.flatnonzero(alone), home)
    return with_teleport(walk, teleport)


def with_teleport(walk: Walk, probability: float) -> Walk:
    """Return the walk that jumps with this chance: (1 − t) P + t 1hᵀ, h its home.

    >>> A = Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> with_teleport(random_walk(A), 0.5).to_dense().tolist()
    [[0.25, 0.75], [0.75, 0.25]]
    """
    if not 0 <= probability <= 1:
        raise ParameterError(
            f"Parameter 'teleport' must be from 0 to 1. Got {probability}.",
            code="invalid-parameters",
        )
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
            f"Keep the positive ones ({well_known.GRAPH_THRESHOLD}), or choose another kernel.",
            offer=(well_known.GRAPH_THRESHOLD,),
            code="negative-similarities",
        )
