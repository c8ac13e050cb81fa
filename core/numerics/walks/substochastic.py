"""Solve (I − Q) x = b where the rows of Q sum to at most one: times and sums over a walk that ends.

Such a system is what is left of a walk when some of its vertices, or some of its chance, is taken
out. Each form of Q is solved in its own way: dense by LU, a product of two thin matrices by the
identity of Woodbury, sparse by a Krylov method, or by sparse LU where that does not settle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.conjugate_gradients import conjugate_gradients
from coterie.core.numerics.spectral.eigenpairs import is_narrow

TOLERANCE = 1e-9  # residual relative to the right-hand side that a Krylov method is to reach
# What is accepted at the end: rounding grows with the longest times.
ACCEPTED = 1e-6
MOST_ROUNDS = 2000  # of a Krylov method, each a product or two with Q
# A walk that has not settled by then mixes slowly, so its graph has narrow places, and the sparse
# LU of such a graph is small: ten times quicker than going on, as long as it fits into memory.
FEW_ROUNDS = 250
FACTORED = 50_000  # unknowns up to which that is tried
QUICKLY_FACTORED = 5000  # … and up to so many, of a narrow graph, it is tried first
LONGEST = 1e12  # solutions larger than this × the right-hand side are mostly rounding
SMALL = 400  # up to so many unknowns a dense LU is quicker than anything sparse


class SingularError(DataError):
    """The system has no solution that can be distinguished from rounding."""

    code = "not-connected"


def solve_substochastic(
    Q: Any,
    b: Floats,
    *,
    symmetric_by: Floats | None = None,
    rounds: int = MOST_ROUNDS,
    check: Check | None = None,
) -> Floats:
    """Return x with (I − Q) x = b, its residual checked.

    Parameters
    ----------
    Q : (n, n) dense or sparse, or a pair (U, V) of (n, m) for U Vᵀ. Non-negative, and from each
        row some way leads to a row that sums to less than one.
    b : (n,) or (n, r), one system for each column
    symmetric_by : (n,) positive d for which diag(d) (I − Q) is symmetric, when there is one; then
        conjugate gradients take the place of a method for any system
    rounds : of a Krylov method before a sparse system is solved directly
    check : called between the rounds, to let a run be cancelled

    Returns
    -------
    Like b. Memory: a dense Q takes a copy, a sparse one some vectors, or its sparse LU.

    Examples
    --------
    >>> solve_substochastic(np.array([[0.0, 0.5], [0.5, 0.0]]), np.ones(2)).round(9).tolist()
    [2.0, 2.0]
    """
    b = np.asarray(b, dtype=np.float64)
    if check is not None:
        check()
    if isinstance(Q, tuple):
        return _checked(lambda x: Q[0] @ (Q[1].T @ x), b, _by_woodbury(Q[0], Q[1], b))
    if is_sparse(Q) and len(b) <= SMALL:
        Q = Q.toarray()
    if not is_sparse(Q):
        return _checked(lambda x: Q @ x, b, _by_dense(np.asarray(Q), b))
    columns = b[:, None] if b.ndim == 1 else b
    factored: Any = None
    if symmetric_by is None and len(b) <= QUICKLY_FACTORED and is_narrow(Q + Q.T):
        factored = _sparse_lu(Q)
    result = np.empty_like(columns)
    for j, column in enumerate(columns.T):
        found = None if factored else _by_krylov(Q, column, symmetric_by, rounds, check)
        if found is None:
            factored = factored or _sparse_lu(Q)
            found = factored.solve(column)
        result[:, j] = found
    return _checked(lambda x: Q @ x, b, result.reshape(b.shape))


def _by_dense(Q: Floats, b: Floats) -> Floats:
    from scipy.linalg.lapack import dgesv

    system = np.array(-Q, dtype=np.float64, order="F")
    system[np.diag_indices(len(Q))] += 1.0
    # Called by its own name: near-singular systems show in their solution, without warnings.
    _, _, x, failed = dgesv(system, b, overwrite_a=True)
    if failed:
        raise _singular()
    return np.asarray(x.reshape(b.shape))


def _by_woodbury(U: Floats, V: Floats, b: Floats) -> Floats:
    """(I − UVᵀ)⁻¹ = I + U (I − VᵀU)⁻¹ Vᵀ: a system of the width of the factors only."""
    if U.shape[1] >= len(U):
        return _by_dense(U @ V.T, b)
    return np.asarray(b + U @ _by_dense(V.T @ U, V.T @ b))


def _by_krylov(
    Q: Any, b: Floats, symmetric_by: Floats | None, rounds: int, check: Check | None
) -> Floats | None:
    """Return the solution, or None when it did not settle in a fair number of rounds."""
    with np.errstate(all="ignore"):  # a breakdown is answered by the direct way
        if symmetric_by is not None:
            x, _ = conjugate_gradients(
                _symmetric(Q, symmetric_by),
                symmetric_by * b,
                tolerance=TOLERANCE,
                most_rounds=rounds,
                check=check,
            )
        else:
            x = _by_bicgstab(Q, b, rounds, check)
    return x if x is not None and np.isfinite(x).all() else None


def _symmetric(Q: Any, d: Floats) -> Any:
    """diag(d) (I − Q), each row with its diagonal."""
    from scipy.sparse import csr_array, diags_array

    scaled = csr_array((Q.data * np.repeat(d, np.diff(Q.indptr)), Q.indices, Q.indptr), Q.shape)
    return (diags_array(d, format="csr") - scaled).tocsr()


def _by_bicgstab(Q: Any, b: Floats, rounds: int, check: Check | None) -> Floats | None:
    from scipy.sparse.linalg import LinearOperator, bicgstab

    n = len(b)
    # The diagonal is what these systems are dominated by, and costs nothing to invert.
    inverse = 1.0 / np.maximum(1.0 - Q.diagonal(), 1e-12)

    def apply(x: Floats) -> Floats:
        x = x.ravel()
        return np.asarray(x - Q @ x)

    def watch(_: Any) -> None:
        if check is not None:
            check()

    system = LinearOperator((n, n), matvec=apply, dtype=np.float64)
    jacobi = LinearOperator((n, n), matvec=lambda x: inverse * x.ravel(), dtype=np.float64)
    x, failed = bicgstab(system, b, rtol=TOLERANCE, maxiter=rounds, M=jacobi, callback=watch)
    return None if failed else np.asarray(x)


def _sparse_lu(Q: Any) -> Any:
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    system = (eye_array(Q.shape[0], format="csr") - Q).tocsc()
    try:
        # Diagonally dominant: no pivoting is needed, and the order may look at the pattern alone.
        return splu(
            system,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:
        raise _singular() from error


def _checked(times_q: Any, b: Floats, x: Floats) -> Floats:
    """Return x if it solves the system as well as rounding lets it."""
    with np.errstate(all="ignore"):
        left = np.abs(x - times_q(x) - b).max(initial=0.0)
    scale = np.abs(b).max(initial=0.0) + 1e-8 * np.abs(x).max(initial=0.0)
    if not np.isfinite(x).all() or not left <= ACCEPTED * scale:
        raise _singular()
    # Sums over a walk that ends cannot be negative; that they are is the mark of rounding.
    least, most = float(x.min(initial=0.0)), float(np.abs(x).max(initial=0.0))
    if b.min(initial=0.0) >= 0 and least < -ACCEPTED * most:
        raise _singular()
    if most > LONGEST * np.abs(b).max(initial=0.0):
        raise _singular()
    return x


def _singular() -> SingularError:
    return SingularError(
        "The walk on this graph never ends, or nearly so: its linear system is singular. Give a "
        f"teleport probability, or connect the graph ({well_known.GRAPH_CONNECTED})."
    )
