"""The β-adjusted Laplacian of a graph, and the joint embedding of its items.

L_β = βD + L with β = α / (1 − α) is positive definite, and its inverse holds every personalised
PageRank with restart probability α: π = β D L_β⁻¹ s. The embedding Z with Z Zᵀ = β Vol L_β⁻¹, the
form "document", turns these into projections, and resistances of the graph into squared distances.
Items of low degree are far out in it. The form "normalised" takes β + L̃ = D^−½ L_β D^−½ instead,
whose Z with Z Zᵀ = β (β + L̃)⁻¹ gives the same PageRank, D^½ Z Zᵀ D^−½ s, and leaves them in place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.model.results import Embedding
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.symmetry import is_symmetric
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.davidson import smallest_eigenpairs, unit_start
from coterie.core.numerics.spectral.eigenpairs import with_signs
from coterie.core.numerics.spectral.spectra import graph_spectrum
from coterie.core.numerics.walks.markov import random_walk

SMALL = 500  # up to so many items LAPACK is quicker than any iteration
TOLERANCE = 1e-8

Form = Literal["normalised", "document"]
FORM_DESCRIPTION = (
    "normalised: items count alike, whatever their degree. document: as published, with squared "
    "distances that are resistances of the graph; items of little similarity are far out."
)
SPECTRUM_TITLES: dict[Form, str] = {
    "normalised": "Smallest eigenvalues of the normalised Laplacian, plus β",
    "document": "Smallest eigenvalues of the adjusted Laplacian",
}


@dataclass(frozen=True, eq=False)
class AdjustedLaplacian:
    """L_β = (1 + β) D − A or, normalised, (1 + β) − D^−½ A D^−½, by what it does to vectors.

    Attributes
    ----------
    affinity : the graph; it is not copied
    degrees : (n,) D, all above zero
    restart : α, above 0 and below 1
    form : "normalised" or "document"
    """

    affinity: Affinity
    degrees: Floats
    restart: float
    form: Form = "document"

    @property
    def beta(self) -> float:
        """β = α / (1 − α)."""
        return self.restart / (1.0 - self.restart)

    @property
    def volume(self) -> float:
        """The sum of all degrees."""
        return float(self.degrees.sum())

    @property
    def scale(self) -> float:
        """What Z Zᵀ is times the inverse of this matrix: β, in the document's form β Vol."""
        return self.beta * (1.0 if self.form == "normalised" else self.volume)

    @property
    def least_eigenvalue(self) -> float:
        """A bound below all eigenvalues: β times the least weight of an item."""
        return self.beta * float(self._weights.min())

    @cached_property
    def _weights(self) -> Floats:
        """(n,) what an item counts: 1, in the document's form its degree."""
        return np.ones_like(self.degrees) if self.form == "normalised" else self.degrees

    @cached_property
    def _sides(self) -> Floats:
        """(n,) what rows and columns of A are multiplied by."""
        return np.sqrt(self._weights / self.degrees)

    def diagonal(self) -> Floats:
        """Return the diagonal of this matrix."""
        own = self.affinity.diagonal() * self._sides**2
        return np.asarray((1.0 + self.beta) * self._weights - own)

    def product(self, x: Floats) -> Floats:
        """Return this matrix times (n, r) x. Memory: two results, and a block of float32 A."""
        if self.form == "normalised":
            sides = self._sides[:, None]
            return np.asarray((1.0 + self.beta) * x - sides * self._similarities(sides * x))
        return np.asarray((1.0 + self.beta) * self.degrees[:, None] * x - self._similarities(x))

    def _similarities(self, x: Floats) -> Floats:
        """A x."""
        values = self.affinity.values
        if values is None or values.dtype == np.float64:
            return np.asarray(self.affinity.matvec(x))
        result = np.empty((len(values), x.shape[1]))
        for rows in row_blocks(*values.shape):  # numpy would make a copy of the whole matrix
            result[rows] = values[rows].astype(np.float64) @ x
        return result

    def to_dense(self) -> Floats:
        """Return this matrix, n² numbers."""
        whole = np.negative(self.affinity.to_dense(), dtype=np.float64)
        if self.form == "normalised":
            whole *= self._sides[:, None]
            whole *= self._sides
        whole[np.diag_indices(len(whole))] += (1.0 + self.beta) * self._weights
        return whole


@dataclass(frozen=True, eq=False)
class JointCoordinates:
    """Z = √scale E Λ^−½ of the m smallest eigenvalues of a Laplacian, and how they were found."""

    coordinates: Floats
    eigenvalues: Floats
    how: str
    rounds: int = 0
    residual: float = 0.0
    converged: bool = True


def adjusted_laplacian(
    affinity: Affinity, restart: float, form: Form = "document", *, check: Check | None = None
) -> AdjustedLaplacian:
    """Return L_β, or β + L̃, of a symmetric graph in which every item has some similarity.

    Raises
    ------
    DataError : for directed graphs, negative or missing similarities, or isolated items

    Examples
    --------
    >>> A = Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> adjusted_laplacian(A, 0.5).to_dense().tolist()
    [[2.0, -1.0], [-1.0, 2.0]]
    >>> adjusted_laplacian(Affinity(values=4 * A.values), 0.5, "normalised").to_dense().tolist()
    [[2.0, -1.0], [-1.0, 2.0]]
    """
    require_symmetric(affinity, check=check)
    walk = random_walk(affinity, dangling="error")
    return AdjustedLaplacian(affinity, walk.degrees, restart, form)


def form_of(embedding: Embedding, otherwise: Form = "document") -> Form:
    """Return the form of a joint embedding, or `otherwise` where the coordinates are not of one.

    Those that 0.1 made are of the document's form, and do not say so.
    """
    if "restart_probability" not in embedding.details:
        return otherwise
    return "normalised" if embedding.details.get("form") == "normalised" else "document"


def projected(coordinates: Floats, degrees: Floats, seeds: Floats, form: Form) -> Floats:
    """Return the scores of all items for (n, r) seeds: with all coordinates, their PageRank.

    D Z Zᵀ s / Vol in the document's form, D^½ Z Zᵀ D^−½ s in the normalised one.

    Examples
    --------
    >>> L = adjusted_laplacian(Affinity(values=np.eye(2)), 0.5, "normalised")
    >>> Z = joint_coordinates(L, 0, np.random.default_rng(0)).coordinates
    >>> projected(Z, L.degrees, np.array([[1.0], [0.0]]), L.form).round(9).ravel().tolist()
    [1.0, 0.0]
    """
    if form == "document":
        shares = degrees / degrees.sum()
        return np.asarray(shares[:, None] * (coordinates @ (coordinates.T @ seeds)))
    roots = np.sqrt(degrees)[:, None]
    # An item without any similarity is reached from nowhere, and no walk begins there.
    before = np.divide(seeds, roots, out=np.zeros_like(seeds), where=roots > 0)
    return np.asarray(roots * (coordinates @ (coordinates.T @ before)))


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
    check: Check | None = None,
) -> JointCoordinates:
    """Return the first m coordinates of the joint embedding, or all n for m = 0.

    Small graphs, and more than a third of all coordinates, are worked out by LAPACK from the dense
    matrix. Otherwise normalised ones come from the spectrum of the walk, which knows the connected
    pieces of the graph; for the document's the matrix is known by products alone.

    Examples
    --------
    >>> L = adjusted_laplacian(Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]])), 0.5)
    >>> Z = joint_coordinates(L, 0, np.random.default_rng(0)).coordinates
    >>> (L.degrees[:, None] * (Z @ Z.T) / L.volume).round(6).tolist()   # personalised PageRank
    [[0.666667, 0.333333], [0.333333, 0.666667]]
    """
    n = len(laplacian.degrees)
    m = min(m or n, n)
    if needs_dense(n, m):
        if watch is not None:
            watch(0, 1.0)
        return _by_lapack(laplacian, m)
    if laplacian.form == "normalised":
        if watch is not None:
            watch(0, 1.0)
        found = _by_walk(laplacian, m, rng, check)
        if found.coordinates.shape[1] == m:  # of a narrow factor there may be fewer
            return found
    diagonal = laplacian.diagonal()
    start = unit_start(diagonal, m, rng)
    pairs = smallest_eigenpairs(
        laplacian.product, diagonal, m, start, tolerance=TOLERANCE, watch=watch
    )
    ended = (pairs.rounds, pairs.residual, pairs.converged)
    return _scaled(laplacian, pairs.values, pairs.vectors, "Davidson", *ended)


def _scaled(
    laplacian: AdjustedLaplacian, values: Floats, vectors: Floats, how: str, *ended: Any
) -> JointCoordinates:
    values = np.maximum(values, laplacian.least_eigenvalue)  # whatever rounding says
    # In this order, as β Vol / λ of very uneven degrees could overflow.
    Z = with_signs(vectors) * (np.sqrt(laplacian.scale) / np.sqrt(values))
    return JointCoordinates(Z, values, how, *ended)


def _by_lapack(laplacian: AdjustedLaplacian, m: int) -> JointCoordinates:
    from scipy.linalg import eigh

    limits: dict[str, Any] = {}
    if m < len(laplacian.degrees):
        limits["subset_by_index"] = [0, m - 1]
    values, vectors = eigh(laplacian.to_dense(), overwrite_a=True, check_finite=False, **limits)
    return _scaled(laplacian, values, vectors, "LAPACK")


def _by_walk(
    laplacian: AdjustedLaplacian, m: int, rng: np.random.Generator, check: Check | None
) -> JointCoordinates:
    """From the leading eigenpairs of D^−½ A D^−½: β + L̃ has one minus their values, plus β."""
    found = graph_spectrum(laplacian.affinity, m, rng=rng, check=check)
    values = laplacian.beta + 1.0 - found.values
    return _scaled(laplacian, values, found.vectors, found.how, 0, found.residual)


def needs_dense(n: int, m: int) -> bool:
    """Whether m coordinates of n items are worked out from the dense matrix."""
    m = min(m or n, n)
    return n <= SMALL or 3 * m >= n
