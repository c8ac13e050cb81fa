"""Ever coarser graphs of one graph, and solving with its Laplacian by way of them.

Values travel one edge in each product with a matrix, so a system of a large graph takes as many
products as the graph is long. On a coarser graph, whose vertices are clumps of the finer one's,
they travel further for less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.conjugate_gradients import clumps

COARSEST = 800  # vertices that are solved with densely
# A coarser graph that saves less than this is not worth its making.
FEWER_VERTICES, FEWER_EDGES = 0.6, 0.8
# Edges weaker than this share of the strongest at either end do not make clumps.
STRONG = 0.25
SMOOTHING = 3  # products by which a correction is smoothed, before and after the coarser graph
# The part of the spectrum that smoothing has to deal with, as a ratio of its ends: the rest is seen
# on the coarser graph. Where there is none, more of it.
REACH, REACH_ALONE = 8.0, 40.0
TWICE = 0.35  # a coarser graph of at most this share of the edges is visited twice
_POWER_STEPS = 12


@dataclass(frozen=True, eq=False)
class Level:
    """A graph N, as a symmetric CSR matrix with entries of at least 0.

    Attributes
    ----------
    matrix : (n, n) float64; no eigenvalue is larger than `bound` in size
    calm : (n,) the unit eigenvector of the largest eigenvalue, or near it
    up : (n, m) from the next coarser graph to this one, orthonormal columns; None for the coarsest
    """

    matrix: Any
    calm: Floats
    bound: float
    up: Any = None

    @property
    def n(self) -> int:
        """Number of vertices."""
        return int(self.matrix.shape[0])


def coarse_graphs(
    matrix: Any, calm: Floats, bound: float, *, least: int = COARSEST, check: Check | None = None
) -> list[Level]:
    """Return the graph and ever coarser ones, the finest first.

    Each is UᵀNU of the one before, with U the clumps' indicators times `calm`, to unit length: a
    graph of the same kind, whose eigenvalues are none larger, and whose `calm` is the same seen
    from further away.

    Parameters
    ----------
    matrix : (n, n) symmetric CSR, entries at least 0
    calm : (n,) positive; the leading eigenvector where it is known
    bound : no eigenvalue is larger in size
    least : graphs of so few vertices are not made coarser

    Returns
    -------
    levels. Memory: for neighbours in a plane a third of the matrix, in many dimensions as much.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> ring = csr_array(np.roll(np.eye(9), 1, axis=0) / 2 + np.roll(np.eye(9), -1, axis=0) / 2)
    >>> [level.n for level in coarse_graphs(ring, np.ones(9) / 3, 1.0, least=4)][0]
    9
    """
    levels = [Level(_short(matrix), calm / np.linalg.norm(calm), bound)]
    while levels[-1].n > least:
        if check is not None:
            check()
        fine = levels[-1]
        up = _clumped(fine)
        if up.shape[1] > FEWER_VERTICES * fine.n:
            break
        coarse = _short(up.T @ (fine.matrix @ up))
        if coarse.nnz > FEWER_EDGES * fine.matrix.nnz:
            break
        levels[-1] = Level(fine.matrix, fine.calm, bound, up)
        levels.append(Level(coarse, np.asarray(up.T @ fine.calm), bound))
    return levels


def _clumped(fine: Level) -> Any:
    """The clumps of a graph, as columns of unit length."""
    from scipy.sparse import csr_array, eye_array

    N, n = fine.matrix, fine.n
    rows = np.repeat(np.arange(n, dtype=np.int32), np.diff(N.indptr))
    other = N.indices != rows
    strongest = np.zeros(n)
    np.maximum.at(strongest, rows[other], N.data[other])
    enough = STRONG * np.minimum(strongest[rows], strongest[N.indices])
    strong = other & (N.data >= enough) & (N.data > 0)
    kept = np.concatenate([[0], np.cumsum(np.bincount(rows[strong], minlength=n))])
    links: Any = csr_array(
        (np.ones(int(kept[-1])), N.indices[strong], kept.astype(np.int32)), shape=(n, n)
    )
    clump, count = clumps(csr_array(links + eye_array(n, format="csr")))
    sizes = np.sqrt(np.bincount(clump, fine.calm**2, count))
    heights = fine.calm / np.maximum(sizes[clump], np.finfo(np.float64).tiny)
    ends = np.arange(n + 1, dtype=np.int32)
    return csr_array((heights, clump.astype(np.int32), ends), shape=(n, count))


def _short(matrix: Any) -> Any:
    """The matrix with indices of 32 bits where they suffice: half of what a product reads."""
    from scipy.sparse import csr_array

    result: Any = csr_array(matrix)
    if result.nnz < np.iinfo(np.int32).max:
        short = (result.data, result.indices.astype(np.int32), result.indptr.astype(np.int32))
        result = csr_array(short, shape=result.shape)
    return result


class CoarseSolver:
    """Approximate solutions of (bound·1 − N) z = r, linear in r, symmetric and positive definite.

    A cycle through the levels: smoothing by a polynomial in the matrix, what is left over to the
    coarser graph and back, and smoothing once more. In float32, which is enough for a correction.
    """

    def __init__(self, levels: list[Level], check: Check | None = None) -> None:
        self._check = check
        self._matrices = [_single(level.matrix) for level in levels]
        self._ups = [None if level.up is None else _single(level.up) for level in levels]
        self._downs = [None if up is None else up.T for up in self._ups]
        self._bound = np.float32(levels[0].bound)
        self._tops = [_largest(matrix, self._bound) for matrix in self._matrices]
        last = levels[-1]
        self._inverse = _inverse(last) if last.n <= 2 * COARSEST else None

    def correct(self, residual: Floats, level: int = 0) -> Floats:
        """Return z for the (n, r) residuals of a level."""
        sizes = np.linalg.norm(residual, axis=0)
        sizes[sizes == 0] = 1.0
        z = self._cycle(level, (residual / sizes).astype(np.float32))
        return np.asarray(z * sizes, dtype=np.float64)

    def _times(self, level: int, x: Any) -> Any:
        if self._check is not None:
            self._check()
        image = self._matrices[level] @ x
        return np.subtract(self._bound * x, image, out=image)

    def _cycle(self, level: int, r: Any) -> Any:
        if self._ups[level] is None and self._inverse is not None:
            return self._inverse @ r
        z = self._smoothed(level, r)
        if self._ups[level] is None:
            return z
        for _ in range(self._visits(level)):
            left = self._downs[level] @ (r - self._times(level, z))
            z += self._ups[level] @ self._cycle(level + 1, left)
        z += self._smoothed(level, r - self._times(level, z))
        return z

    def _visits(self, level: int) -> int:
        # Twice at the finest level would cost two products there.
        small = self._matrices[level + 1].nnz <= TWICE * self._matrices[level].nnz
        return 2 if level > 0 and small else 1

    def _smoothed(self, level: int, r: Any) -> Any:
        """Chebyshev's polynomial for the upper part of the spectrum, applied to r."""
        alone = self._ups[level] is None
        top = self._tops[level]
        bottom = top / (REACH_ALONE if alone else REACH)
        middle, half = np.float32((top + bottom) / 2), np.float32((top - bottom) / 2)
        ratio = middle / half
        share = 1 / ratio
        step = r / middle
        z = step.copy()
        r = r.copy()
        for _ in range((2 * SMOOTHING if alone else SMOOTHING) - 1):
            r -= self._times(level, step)
            following = 1 / (2 * ratio - share)
            step *= following * share
            step += (2 * following / half) * r
            share = following
            z += step
        return z


def _single(matrix: Any) -> Any:
    """The matrix in float32, on the same indices."""
    from scipy.sparse import csr_array

    data = matrix.data.astype(np.float32)
    return csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _largest(matrix: Any, bound: Any) -> float:
    """About the largest eigenvalue of bound·1 − N, rather above it than below."""
    x = np.random.default_rng(0).standard_normal(matrix.shape[0]).astype(np.float32)
    size = 0.0
    for _ in range(_POWER_STEPS):
        x /= np.linalg.norm(x)
        x = bound * x - matrix @ x
        size = float(np.linalg.norm(x))
        if size == 0:
            return float(bound)
    return min(1.1 * size, 2.0 * float(bound))


def _inverse(level: Level) -> Any:
    """The inverse of bound·1 − N of the coarsest graph, held off zero along `calm`."""
    whole = -level.matrix.toarray()
    whole[np.diag_indices(level.n)] += level.bound
    whole += level.bound * np.outer(level.calm, level.calm)
    # Singular otherwise where the graph is in pieces, or the known eigenvalue is not its only one.
    values, vectors = np.linalg.eigh((whole + whole.T) / 2)
    least = 1e-6 * level.bound
    return ((vectors / np.maximum(values, least)) @ vectors.T).astype(np.float32)
