"""The smallest eigenpairs of a symmetric matrix that is known by products and its diagonal.

Davidson's method with blocks: one product with all sought vectors at once, which of a large dense
matrix costs hardly more than one with a single vector, and corrections divided by the diagonal,
which takes out how differently the rows are scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats

Product = Callable[[Floats], Floats]
# Told after each round: its number, and the largest relative residual of the sought pairs.
Watch = Callable[[int, float], None]

GUARD = 4  # more vectors than sought: the last of a block settle slowest
BLOCKS = 6  # blocks in the basis before it is folded up


@dataclass(frozen=True, eq=False)
class SmallestPairs:
    """Eigenvalues, smallest first, unit eigenvectors as columns, and how the search ended.

    `residual` is the largest ‖A v − λ v‖ / λ.
    """

    values: Floats
    vectors: Floats
    residual: float
    rounds: int
    converged: bool


def smallest_eigenpairs(
    product: Product,
    diagonal: Floats,
    k: int,
    start: Floats,
    *,
    tolerance: float = 1e-8,
    max_rounds: int = 500,
    watch: Watch | None = None,
) -> SmallestPairs:
    """Return the k smallest eigenvalues of a symmetric positive definite matrix, with vectors.

    Parameters
    ----------
    product : the matrix applied to an (n, r) block
    diagonal : (n,) its diagonal
    k : how many; well below n
    start : (n, s) vectors to begin with, s ≥ k; `unit_start` gives good ones
    tolerance : of ‖A v − λ v‖ / λ, for every pair
    watch : called after each round; may raise to stop

    Returns
    -------
    Memory: some dozen vectors for each pair; the matrix is never formed.

    References
    ----------
    Morgan, Scott (1986). Generalizations of Davidson's method. SIAM J. Sci. Stat. Comput. 7.
    Stathopoulos, Saad (1998). Restarting techniques for the (Jacobi-)Davidson method. ETNA 7.

    Examples
    --------
    >>> A = np.diag(np.arange(1.0, 31.0)) - 0.01
    >>> start = np.random.default_rng(0).normal(size=(30, 4))
    >>> found = smallest_eigenpairs(lambda x: A @ x, np.diag(A), 2, start)
    >>> found.values.round(3).tolist()
    [0.99, 1.99]
    """
    n = len(diagonal)
    width = min(max(k + GUARD, start.shape[1]), n)
    most = min(n, max(BLOCKS * width, 3 * width + 1))
    rounding = max(1e-14 * float(np.abs(diagonal).max()), np.finfo(np.float64).tiny)
    V = _orthonormal(start, np.zeros((n, 0)))
    W = product(V)
    before: Floats | None = None
    for rounds in range(max_rounds + 1):
        theta, Y = _ritz(V, W)
        wanted = min(width, len(theta))
        X, R = V @ Y[:, :wanted], W @ Y[:, :wanted]
        R -= X * theta[:wanted]
        lengths = np.linalg.norm(R, axis=0)
        # What rounding leaves of a product is not a residual.
        sizes = np.maximum(np.abs(theta[:wanted]), rounding / tolerance)
        relative = lengths / sizes
        worst = float(relative[:k].max())
        if watch is not None:
            watch(rounds, worst)
        open_ = np.flatnonzero(relative > tolerance)
        if not (relative[:k] > tolerance).any() or rounds == max_rounds or V.shape[1] >= n:
            break
        if V.shape[1] + len(open_) > most:
            V, W, Y = _folded(V, W, Y, before, wanted)
        steps = R[:, open_] / _away_from_zero(diagonal[:, None] - theta[open_], diagonal[:, None])
        T = _orthonormal(steps, V)
        if T.shape[1] == 0:
            break  # nothing new: rounding allows no better
        before = np.vstack([Y[:, :wanted], np.zeros((T.shape[1], wanted))])
        V, W = np.hstack([V, T]), np.hstack([W, product(T)])
    return SmallestPairs(theta[:k], X[:, :k], worst, rounds, worst <= tolerance)


def unit_start(diagonal: Floats, k: int, rng: np.random.Generator) -> Floats:
    """Return vectors to begin with: the items of least diagonal, all items alike, and random ones.

    Where rows are scaled very differently, eigenvectors of small eigenvalues sit on few items, and
    are found at once from these, while random vectors may miss them.

    >>> unit_start(np.array([3.0, 1.0, 2.0]), 1, np.random.default_rng(0))[:, 0].tolist()
    [0.0, 1.0, 0.0]
    """
    n = len(diagonal)
    units = min(k + GUARD, n)
    start = np.zeros((n, units + 1 + GUARD))
    start[np.argsort(diagonal, kind="stable")[:units], np.arange(units)] = 1.0
    start[:, units] = 1.0
    start[:, units + 1 :] = rng.standard_normal((n, GUARD))
    return start


def _ritz(V: Floats, W: Floats) -> tuple[Floats, Floats]:
    from scipy.linalg import eigh

    H = V.T @ W
    values, vectors = eigh((H + H.T) / 2, check_finite=False)
    return values, vectors


def _folded(
    V: Floats, W: Floats, Y: Floats, before: Floats | None, wanted: int
) -> tuple[Floats, Floats, Floats]:
    """The basis made small again: the best vectors so far, and the best of a round ago.

    The latter keep the direction of the last step, as conjugate gradients do.
    """
    keep = Y[:, : min(2 * wanted, Y.shape[1])]
    if before is not None and len(before) == len(Y):
        keep = np.hstack([keep, _orthonormal(before, keep)])
    Q, _ = np.linalg.qr(keep)
    V, W = V @ Q, W @ Q
    return V, W, Q.T @ Y


def _away_from_zero(shifted: Floats, diagonal: Floats) -> Floats:
    """What a correction is divided by: no smaller than a share of the diagonal itself."""
    least = 0.05 * np.maximum(np.abs(diagonal), np.finfo(np.float64).tiny)
    sign = np.where(shifted < 0, -1.0, 1.0)
    return np.asarray(sign * np.maximum(np.abs(shifted), least))


def _orthonormal(T: Floats, V: Floats) -> Floats:
    """Return the columns of T orthonormal to each other and to V; what adds nothing is left out."""
    T = np.array(T, dtype=np.float64)
    for _ in range(2):  # once is not enough in floating point
        lengths = np.linalg.norm(T, axis=0)
        T = T[:, lengths > 0] / lengths[lengths > 0]
        T -= V @ (V.T @ T)
    Q, R = np.linalg.qr(T)
    kept = np.abs(np.diag(R)) > 1e-10
    Q = Q[:, kept]
    Q -= V @ (V.T @ Q)
    return np.asarray(np.linalg.qr(Q)[0])
