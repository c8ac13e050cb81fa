"""The β-adjusted Laplacian of a graph, and the joint embedding of its items.

L_β = βD + L with β = α / (1 − α) is positive definite, and its inverse holds every personalised
PageRank with restart probability α: π = β D L_β⁻¹ s. The embedding Z with Z Zᵀ = β Vol L_β⁻¹ turns
these into projections, and resistances of the graph into squared distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.symmetry import is_symmetric
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.davidson import smallest_eigenpairs, unit_start
from coterie.core.numerics.spectral.eigenpairs import with_signs
from coterie.core.numerics.walks.markov import random_walk

SMALL = 500  # up to so many items LAPACK is quicker than any iteration
TOLERANCE = 1e-8


@dataclass(frozen=True, eq=False)
class AdjustedLaplacian:
    """L_β = (1 + β) D − A, known by what it does to vectors.

    Attributes
    ----------
    affinity : the graph; it is not copied
    degrees : (n,) D, all above zero
    restart : α, above 0 and below 1
    """

    affinity: Affinity
    degrees: Floats
    restart: float

    @property
    def beta(self) -> float:
        """β = α / (1 − α)."""
        return self.restart / (1.0 - self.restart)

    @property
    def volume(self) -> float:
        """The sum of all degrees."""
        return float(self.degrees.sum())

    def diagonal(self) -> Floats:
        """Return the diagonal of L_β."""
        return np.asarray((1.0 + self.beta) * self.degrees - self.affinity.diagonal())

    def product(self, x: Floats) -> Floats:
        """Return L_β x for (n, r) x. Memory: the result, and a block where A is float32."""
        result = (1.0 + self.beta) * self.degrees[:, None] * x
        values = self.affinity.values
        if values is not None and values.dtype != np.float64:
            # numpy would make a copy of the whole matrix.
            for rows in row_blocks(*values.shape):
                result[rows] -= values[rows].astype(np.float64) @ x
        else:
            result -= self.affinity.matvec(x)
        return np.asarray(result)

    def to_dense(self) -> Floats:
        """Return L_β, n² numbers."""
        whole = np.negative(self.affinity.to_dense(), dtype=np.float64)
        whole[np.diag_indices(len(whole))] += (1.0 + self.beta) * self.degrees
        return whole


@dataclass(frozen=True, eq=False)
class JointCoordinates:
    """Z = √(β Vol) E Λ^−½ of the m smallest eigenvalues of L_β, and how they were found."""

    coordinates: Floats
    eigenvalues: Floats
    how: str
    rounds: int = 0
    residual: float = 0.0
    converged: bool = True


def adjusted_laplacian(
    affinity: Affinity, restart: float, *, check: Check | None = None
) -> AdjustedLaplacian:
    """Return L_β of a symmetric graph in which every item has some similarity.

    Raises
    ------
    DataError : for directed graphs, negative or missing similarities, or isolated items

    Examples
    --------
    >>> A = Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> adjusted_laplacian(A, 0.5).to_dense().tolist()
    [[2.0, -1.0], [-1.0, 2.0]]
    """
    require_symmetric(affinity, check=check)
    walk = random_walk(affinity, dangling="error")
    return AdjustedLaplacian(affinity, walk.degrees, restart)


def require_symmetric(affinity: Affinity, *, check: Check | None = None, look: bool = True) -> None:
    """Raise a clear error for a directed graph; without `look` its maker's promise is taken."""
    directed = not affinity.symmetric
    if not directed and look and affinity.factor is None:
        affinity.require_finite()
        directed = not is_symmetric(affinity.stored, check=check)
    if directed:
        raise DataError(
            "Joint ranking and clustering need symmetric similarities, and these are not. Put "
            f"{well_known.GRAPH_SYMMETRISE} before this step.",
            offer=(well_known.GRAPH_SYMMETRISE,),
            code="not-symmetric",
        )


def joint_coordinates(
    laplacian: AdjustedLaplacian,
    m: int,
    rng: np.random.Generator,
    *,
    watch: Callable[[int, float], None] | None = None,
) -> JointCoordinates:
    """Return the first m coordinates of the joint embedding, or all n for m = 0.

    Small graphs, and more than a third of all coordinates, are worked out by LAPACK from the dense
    matrix; otherwise the matrix is known by products alone, whatever the form of the affinity.

    Examples
    --------
    >>> L = adjusted_laplacian(Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]])), 0.5)
    >>> Z = joint_coordinates(L, 0, np.random.default_rng(0)).coordinates
    >>> (L.degrees[:, None] * (Z @ Z.T) / L.volume).round(6).tolist()   # personalised PageRank
    [[0.666667, 0.333333], [0.333333, 0.666667]]
    """
    n = len(laplacian.degrees)
    m = min(m or n, n)
    rounds, residual, converged = 0, 0.0, True
    if needs_dense(n, m):
        from scipy.linalg import eigh

        if watch is not None:
            watch(0, 1.0)
        limits: dict[str, Any] = {} if m == n else {"subset_by_index": [0, m - 1]}
        values, vectors = eigh(laplacian.to_dense(), overwrite_a=True, check_finite=False, **limits)
        how = "LAPACK"
    else:
        diagonal = laplacian.diagonal()
        found = smallest_eigenpairs(
            laplacian.product,
            diagonal,
            m,
            unit_start(diagonal, m, rng),
            tolerance=TOLERANCE,
            watch=watch,
        )
        values, vectors, how = found.values, found.vectors, "Davidson"
        rounds, residual, converged = found.rounds, found.residual, found.converged
    # No eigenvalue is below β d_min, whatever rounding says.
    values = np.maximum(values, laplacian.beta * float(laplacian.degrees.min()))
    # In this order, as β Vol / λ of very uneven degrees could overflow.
    Z = with_signs(vectors) * (np.sqrt(laplacian.beta * laplacian.volume) / np.sqrt(values))
    return JointCoordinates(Z, values, how, rounds, residual, converged)


def needs_dense(n: int, m: int) -> bool:
    """Whether m coordinates of n items are worked out from the dense matrix."""
    m = min(m or n, n)
    return n <= SMALL or 3 * m >= n
