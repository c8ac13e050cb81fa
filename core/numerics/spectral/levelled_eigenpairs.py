"""The leading eigenpairs of a large sparse graph, from coarser graphs to finer ones.

The coarsest graph is solved densely. Its eigenvectors, carried to the next finer graph, are nearly
right there, and a few rounds with all of them at once (LOBPCG) make them so; the corrections come
from the coarser graphs as well. How many rounds that takes hardly depends on the size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.coarse_graphs import (
    COARSEST,
    CoarseSolver,
    Level,
    coarse_graphs,
)

GUARD = 4  # more vectors than sought: the last of a block settle slowest
ROUNDS = 100  # at the finest graph; some tens suffice
COARSE_ROUNDS = 25  # what is carried to a finer graph is off by more than they leave
LOOSE = 1e-3  # residual of a pair of which the eigenvalue is looked at alone
_DEPENDENT = 1e-10  # the share of a direction below which it adds nothing
_POWER_STEPS = 12
_FIXED_SEED = 0


@dataclass(frozen=True, eq=False)
class LevelledPairs:
    """Eigenvalues, largest first, orthonormal eigenvectors as columns, and how the search ended.

    `residual` is the largest ‖N v − λ v‖ of the pairs whose vectors were asked for, and `rounds`
    the number at the finest graph.
    """

    values: Floats
    vectors: Floats
    residual: float
    rounds: int
    converged: bool


def levelled_eigenpairs(
    matrix: Any,
    k: int,
    *,
    known: Floats | None,
    bound: float,
    tolerance: float = 1e-8,
    sharp: Callable[[Floats], int] | None = None,
    most_rounds: int = ROUNDS,
    check: Check | None = None,
) -> LevelledPairs:
    """Return the k largest eigenvalues of a graph's symmetric matrix, after the known one.

    Parameters
    ----------
    matrix : (n, n) symmetric CSR, entries at least 0
    k : how many; far below n
    known : (n, 1) the leading eigenvector, unit length, where it is known and not sought again
    bound : no eigenvalue is larger in size
    tolerance : of the residuals, as a share of the bound
    sharp : of how many pairs the vectors are needed, by the eigenvalues; all unless given. Of the
        others a residual of 1e-3 is enough: an eigenvalue is off by its square

    Returns
    -------
    The same for the same input. Memory: ten blocks of k + 4 vectors, and the coarser graphs.

    References
    ----------
    Knyazev (2001). Toward the optimal preconditioned eigensolver: LOBPCG. SIAM J. Sci. Comput. 23.
    Duersch, Shao, Yang, Gu (2018). A robust and efficient implementation of LOBPCG. SISC 40.

    Examples
    --------
    >>> from scipy.sparse import diags_array
    >>> line = diags_array([np.ones(2999), np.ones(2999)], offsets=[-1, 1]).tocsr()
    >>> found = levelled_eigenpairs(line, 2, known=None, bound=2.0, tolerance=1e-9)
    >>> bool(abs(found.values - 2 * np.cos(np.pi * np.arange(1, 3) / 3001)).max() < 1e-9)
    True
    """
    calm = _calm(matrix) if known is None else np.abs(known[:, 0])
    levels = coarse_graphs(matrix, calm, bound, check=check)
    solver = CoarseSolver(levels, check)
    loose = np.full(k, LOOSE * bound)
    found: _Block | None = None
    for at in range(len(levels) - 1, -1, -1):
        level = levels[at]
        apart = None if known is None else level.calm[:, None]
        start = _start(level, apart, k + GUARD) if found is None else level.up @ found.X
        found = _Block(level.matrix, np.asarray(start), apart)
        correct = partial(solver.correct, level=at)
        if at:
            found.improve(correct, 10 * loose, COARSE_ROUNDS)
        elif sharp is not None:
            found.improve(correct, loose, most_rounds)
    assert found is not None
    needed = 0
    while needed < (more := k if sharp is None else min(k, max(1, sharp(found.values[:k])))):
        needed = more  # by more accurate values it may be more than it was
        wanted = np.where(np.arange(k) < needed, tolerance * bound, loose)
        found.improve(correct, wanted, most_rounds)
    return found.pairs(wanted)


class _Block:
    """Vectors X that become the leading eigenvectors of N, and P, the directions of the last step.

    [X P] stays orthonormal by its coefficients (Duersch and others), which costs nothing; only the
    corrections W have to be made so.
    """

    def __init__(self, N: Any, start: Floats, apart: Floats | None) -> None:
        self.N, self.apart = N, apart
        self.X = _orthonormal(start, [] if apart is None else [apart])
        self.NX = np.asarray(N @ self.X)
        self.P: Floats | None = None
        self.NP: Floats | None = None
        self.values = np.zeros(self.X.shape[1])
        self.rounds = 0
        self._turn(None, None, np.zeros(0, dtype=np.int64))

    def improve(self, correct: Callable[[Floats], Floats], wanted: Floats, most: int) -> None:
        """Do rounds until the first residuals are as small as is wanted of each."""
        k = len(wanted)
        every = np.full(self.X.shape[1], wanted.max(initial=0.0))
        every[:k] = wanted[: len(every)]
        for _ in range(most):
            R = self.NX - self.X * self.values
            left = np.linalg.norm(R, axis=0) > every
            if not left[:k].any():
                return
            open_ = np.flatnonzero(left)
            others = [one for one in (self.apart, self.X, self.P) if one is not None]
            W = _orthonormal(correct(np.ascontiguousarray(R[:, open_])), others)
            if not W.shape[1]:
                return  # nothing new: rounding allows no better
            self._turn(W, np.asarray(self.N @ W), open_)
            self.rounds += 1

    def _turn(self, W: Floats | None, NW: Floats | None, open_: Ints) -> None:
        """Take the best vectors within the span of all: Rayleigh and Ritz."""
        from scipy.linalg import eigh

        basis = [one for one in (self.X, self.P, W) if one is not None]
        images = [one for one in (self.NX, self.NP, NW) if one is not None]
        H = np.block([[one.T @ image for image in images] for one in basis])
        width = self.X.shape[1]
        values, C = eigh((H + H.T) / 2, check_finite=False)
        values, C = values[::-1], C[:, ::-1]
        self.values, new = values[:width].copy(), C[:, :width]
        step = None
        if W is not None:
            # What was added to X, made perpendicular to the new X, in coefficients.
            along = new[:, open_].copy()
            along[:width] = 0.0
            step = _orthonormal(along, [new])
        self.X, self.P = _combined(basis, new), _combined(basis, step)
        self.NX, self.NP = _combined(images, new), _combined(images, step)

    def pairs(self, wanted: Floats) -> LevelledPairs:
        """The first pairs, with residuals that owe nothing to the updates on the way."""
        k = len(wanted)
        X, values = np.ascontiguousarray(self.X[:, :k]), self.values[:k]
        residuals = np.linalg.norm(np.asarray(self.N @ X) - X * values, axis=0)
        # An update of dozens of rounds loses a digit or two of what is close to rounding.
        settled = bool((residuals <= 10 * wanted).all())
        sharp = residuals[wanted == wanted.min()]
        return LevelledPairs(values, X, float(sharp.max(initial=0.0)), self.rounds, settled)


def _combined(blocks: list[Floats], coefficients: Floats | None) -> Any:
    """The blocks side by side, times the coefficients, without putting them side by side."""
    if coefficients is None or not coefficients.shape[1]:
        return None
    result, start = None, 0
    for block in blocks:
        part = block @ np.ascontiguousarray(coefficients[start : start + block.shape[1]])
        start += block.shape[1]
        if result is None:
            result = part
        else:
            result += part
    return result


def _orthonormal(W: Floats, others: list[Floats]) -> Floats:
    """The columns of W orthonormal to each other and to the others; what adds nothing is left out.

    By the eigenvectors of WᵀW, which is made of products with tall blocks alone (Stathopoulos, Wu).
    """
    W = np.array(W, dtype=np.float64)
    for _ in range(3):
        lengths = np.linalg.norm(W, axis=0)
        W = W[:, lengths > 0] / lengths[lengths > 0]
        for other in others:
            W -= other @ (other.T @ W)
        values, turn = np.linalg.eigh(W.T @ W)
        kept = values > _DEPENDENT * values.max(initial=1.0)
        if not kept.any():
            return np.zeros((len(W), 0))
        W = W @ (turn[:, kept] / np.sqrt(values[kept]))
    return W


def _start(level: Level, apart: Floats | None, width: int) -> Floats:
    """The leading eigenvectors of the coarsest graph; where it is large, anything."""
    from scipy.linalg import eigh

    n = level.n
    if n > 2 * COARSEST:
        return np.random.default_rng(_FIXED_SEED).standard_normal((n, width))
    whole = level.matrix.toarray()
    if apart is not None:
        whole -= (3 * level.bound * apart) @ apart.T
    first = max(0, n - width)
    vectors: Floats = eigh(whole, subset_by_index=[first, n - 1], check_finite=False)[1]
    return vectors[:, ::-1]


def _calm(matrix: Any) -> Floats:
    """Near the leading eigenvector of a matrix without negative entries, and positive."""
    x = np.ones(matrix.shape[0])
    for _ in range(_POWER_STEPS):
        x = x + matrix @ x / max(float(np.abs(matrix @ x).max()), np.finfo(np.float64).tiny)
        x /= np.linalg.norm(x)
    return np.maximum(x, 1e-8 * float(x.max()))
