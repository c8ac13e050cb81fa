"""Leading eigenpairs of symmetric matrices: dense, sparse, factored, or known by products alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, is_sparse
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check

# Below this all is worked out densely, whatever the form: 2 MB, and no iteration to trust.
SMALL = 500
# Dense matrices up to this size are decomposed directly; a Krylov iteration is faster above it.
DIRECT = 2000
# Graphs from this size are solved by way of coarser ones, for so many eigenvectors at most.
LARGE, MOST_AT_ONCE = 20_000, 60
LARGE_TOLERANCE = 1e-8
# Larger graphs that are not narrow are never solved with directly: that may take all memory.
FILLS_UP = 200_000
# Restarts of the plain Lanczos iteration; where they do not suffice, eigenvalues are so close
# that solving with the matrix is the quicker way.
RESTARTS = 60
# Work per row up to which solving with a sparse matrix is quicker than many products with it.
NARROW = 1e5
# Directions of a factor with less than this share of the largest eigenvalue are rounding.
RANK = 1e-12
_FIXED_SEED = 0


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenvalues, largest first, and their unit eigenvectors as columns.

    Attributes
    ----------
    values : (m,)
    vectors : (n, m), the entry that is largest in size positive in each column
    how : the solver, in words
    residual : largest ‖A v − λ v‖ of all pairs, or of those whose vectors were asked for
    """

    values: Floats
    vectors: Floats
    how: str = ""
    residual: float = 0.0

    def first(self, m: int) -> Eigenpairs:
        """Return the m leading pairs."""
        return Eigenpairs(self.values[:m], self.vectors[:, :m], self.how, self.residual)


def leading_eigenpairs(
    matrix: Any,
    k: int,
    *,
    known: Floats | None = None,
    bound: float = 0.0,
    tolerance: float = 1e-9,
    sharp: Callable[[Floats], int] | None = None,
    rng: np.random.Generator | None = None,
    check: Check | None = None,
) -> Eigenpairs:
    """Return the k algebraically largest eigenvalues of a symmetric matrix, with eigenvectors.

    Large graphs are solved by way of coarser ones. Dense matrices are decomposed by LAPACK up to a
    size, above it and where they are sparse or operators by Lanczos' iteration: with the inverse
    where solving is cheap or the plain one does not converge, by LAPACK where neither does. Of a
    factor Φ of ΦΦᵀ the m × m matrix ΦᵀΦ is
    decomposed. The result is the same for the same input; memory is that of a few times k vectors,
    beyond a copy where LAPACK is used.

    Parameters
    ----------
    matrix : an `Affinity` in any form, an (n, n) array, CSR matrix or `LinearOperator`
    k : how many; there are fewer when the matrix is smaller, and of a factor that is narrower its
        own and one eigenvalue of zero
    known : (n, c) orthonormal eigenvectors that are known already and not sought again
    bound : no eigenvalue is larger in size, needed with `known`; 0: found from the entries
    tolerance : relative accuracy of the eigenvalues found by iteration
    sharp : of how many pairs the vectors are needed, by the eigenvalues; of the others, of a large
        graph, only these are accurate, to about 1e-6. All unless given
    rng : for the start of the iteration; a fixed start without it

    Examples
    --------
    >>> pairs = leading_eigenpairs(np.array([[2.0, 1.0], [1.0, 2.0]]), 1)
    >>> pairs.values.round(6).tolist(), pairs.vectors.round(4).ravel().tolist()
    ([3.0], [0.7071, 0.7071])
    """
    if check is not None:
        check()
    factor = matrix.factor if isinstance(matrix, Affinity) else None
    if isinstance(matrix, Affinity):
        matrix = matrix.stored
    if factor is not None and factor.shape[1] < factor.shape[0]:
        if known is not None:
            factor = factor - known @ (known.T @ factor)
        found = _of_factor(factor, k, known, check)
    else:
        if factor is not None:
            matrix = factor @ factor.T
        # Where the leading eigenvector is not known, an iteration without coarser graphs may be
        # quicker, and is tried first.
        by_levels = is_sparse(matrix) and matrix.shape[0] >= LARGE and known is not None
        large = (
            _of_large_graph(matrix, k, known, bound, tolerance, sharp, check) if by_levels else None
        )
        found = large or _of_matrix(matrix, k, known, bound, tolerance, rng, check)
    return found


def _of_large_graph(
    matrix: Any,
    k: int,
    known: Floats | None,
    bound: float,
    tolerance: float,
    sharp: Callable[[Floats], int] | None,
    check: Check | None,
) -> Eigenpairs | None:
    """By way of coarser graphs; None where this is not a graph, or they do not help."""
    from coterie.core.numerics.spectral.levelled_eigenpairs import levelled_eigenpairs

    few = 0 < k <= MOST_AT_ONCE and (known is None or known.shape[1] == 1)
    if not few or float(matrix.data.min(initial=0.0)) < 0:
        return None
    found = levelled_eigenpairs(
        matrix,
        k,
        known=known,
        bound=bound or _bound(matrix),
        tolerance=max(tolerance, LARGE_TOLERANCE),
        sharp=sharp,
        check=check,
    )
    if not found.converged:
        return None
    how = f"coarser graphs and LOBPCG, {found.rounds} rounds"
    return Eigenpairs(found.values, with_signs(found.vectors), how, found.residual)


def _of_matrix(
    matrix: Any,
    k: int,
    known: Floats | None,
    bound: float,
    tolerance: float,
    rng: np.random.Generator | None,
    check: Check | None,
) -> Eigenpairs:
    n = matrix.shape[0]
    k = min(k, n - (0 if known is None else known.shape[1]))
    if k <= 0:
        return Eigenpairs(np.zeros(0), np.zeros((n, 0)), "nothing to solve")
    dense = isinstance(matrix, np.ndarray)
    down = 0.0 if known is None else 2 * (bound or _bound(matrix)) + 1
    if n <= SMALL or 3 * k >= n or (dense and n <= DIRECT):
        return _direct(matrix, k, known, down)
    start = (rng or np.random.default_rng(_FIXED_SEED)).standard_normal(n)
    product = _watched(matrix, known, down, check)
    found = None
    if narrow := is_sparse(matrix) and is_narrow(matrix):
        found = _shift_invert(matrix, k, known, bound or _bound(matrix), start, tolerance, check)
    if found is None:
        found = _lanczos(product, n, k, start, tolerance)
    if found is None and is_sparse(matrix) and n >= LARGE and known is None:
        large = _of_large_graph(matrix, k, known, bound, tolerance, None, check)
        if large is not None:
            return large
    if found is None and is_sparse(matrix) and not narrow and n <= FILLS_UP:
        found = _shift_invert(matrix, k, known, bound or _bound(matrix), start, tolerance, check)
    if found is None and n <= 4 * DIRECT:
        return _direct(matrix, k, known, down)
    if found is None:
        raise DataError(
            f"The {k} leading eigenvectors of {n} items could not be separated. Use more "
            "neighbours, or a subset of the items.",
            code="not-converged",
        )
    values, vectors, how = found
    return _settled(values, vectors, how, product)


def _direct(matrix: Any, k: int, known: Floats | None, down: float) -> Eigenpairs:
    from scipy.linalg import eigh

    n = matrix.shape[0]
    if is_sparse(matrix):
        whole = np.asarray(matrix.toarray(), dtype=np.float64)
    elif isinstance(matrix, np.ndarray):
        whole = np.array(matrix, dtype=np.float64)
    else:
        whole = np.asarray(matrix @ np.eye(n))
    if known is not None:
        whole -= (down * known) @ known.T
    values, vectors = eigh(
        whole, subset_by_index=[n - k, n - 1], overwrite_a=False, check_finite=False
    )
    return _settled(values, vectors, "LAPACK", lambda x: whole @ x)


def _lanczos(
    product: Callable[[Floats], Floats], n: int, k: int, start: Floats, tolerance: float
) -> tuple[Floats, Floats, str] | None:
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    operator: Any = LinearOperator((n, n), matvec=product, dtype=np.float64)
    try:
        values, vectors = eigsh(
            operator,
            k,
            which="LA",
            v0=start,
            tol=tolerance,
            ncv=min(n, max(2 * k + 12, 24)),
            maxiter=RESTARTS,
            **seeded(eigsh),
        )
    except ArpackNoConvergence:
        return None
    return values, vectors, "Lanczos"


def _shift_invert(
    matrix: Any,
    k: int,
    known: Floats | None,
    bound: float,
    start: Floats,
    tolerance: float,
    check: Check | None,
) -> tuple[Floats, Floats, str] | None:
    """Lanczos with (A − σ)⁻¹, σ just above all eigenvalues, away from what is known."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh, splu

    n = matrix.shape[0]
    sigma = bound * (1 + 1e-6)
    shifted: Any = csc_array(sigma * eye_array(n) - matrix)
    try:
        solver = splu(
            shifted,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except (RuntimeError, MemoryError):  # singular, or filled up
        return None

    def solve(x: Floats) -> Floats:
        if check is not None:
            check()
        x = np.asarray(x).ravel()
        return _away(known, -solver.solve(_away(known, x)))

    inverse: Any = LinearOperator((n, n), matvec=solve, dtype=np.float64)
    try:
        values, vectors = eigsh(
            matrix,
            k,
            sigma=sigma,
            which="LM",
            v0=_away(known, start),
            OPinv=inverse,
            tol=tolerance,
            **seeded(eigsh),
        )
    except ArpackNoConvergence:
        return None
    return values, vectors, "Lanczos, shift and invert"


def _of_factor(factor: Floats, k: int, known: Floats | None, check: Check | None) -> Eigenpairs:
    from scipy.linalg import eigh

    n, m = factor.shape
    inner = np.zeros((m, m))
    for rows in row_blocks(n, m):
        if check is not None:
            check()
        inner += factor[rows].T @ factor[rows]
    values, inside = eigh(inner)
    real = np.flatnonzero(values > RANK * max(float(values[-1]), 0.0)) if m else np.zeros(0, int)
    real = real[::-1][:k]
    vectors = factor @ inside[:, real]
    vectors /= np.maximum(np.linalg.norm(vectors, axis=0), np.finfo(np.float64).tiny)
    found = values[real]
    if len(real) < k:
        # One of the zeros that follow: without it nobody sees the gap behind the last direction.
        basis = vectors if known is None else np.column_stack([known, vectors])
        if basis.shape[1] < n:
            found = np.append(found, 0.0)
            vectors = np.column_stack([vectors, _perpendicular(basis)])
    return _settled(found, vectors, "factor", lambda x: factor @ (factor.T @ x))


def _perpendicular(basis: Floats) -> Floats:
    """A unit vector perpendicular to the orthonormal columns, of the too few there are."""
    vector = np.zeros(len(basis))
    vector[np.square(basis).sum(axis=1).argmin()] = 1.0
    for _ in range(2):  # the second time for what rounding left
        vector -= basis @ (basis.T @ vector)
    return np.asarray(vector / np.linalg.norm(vector))


def _settled(
    values: Floats, vectors: Floats, how: str, product: Callable[[Floats], Floats]
) -> Eigenpairs:
    """Largest first, with signs that do not depend on chance."""
    order = np.argsort(-values, kind="stable")
    values, vectors = values[order], with_signs(vectors[:, order])
    apart = np.column_stack([product(v) for v in vectors.T]) if len(values) else vectors
    apart = apart - vectors * values
    # In units of the largest, whose square may be beyond all numbers.
    unit = float(np.abs(apart).max(initial=0.0)) or 1.0
    residual = unit * float(np.linalg.norm(apart / unit, axis=0).max(initial=0.0))
    return Eigenpairs(values, vectors, how, residual)


def with_signs(vectors: Floats) -> Floats:
    """Return the columns, each with the entry that is largest in size positive.

    Entries equal up to rounding count as the first of them, so signs are the same in every
    order of summation.

    >>> with_signs(np.array([[-2.0], [1.0]])).ravel().tolist()
    [2.0, -1.0]
    """
    if not vectors.size:
        return vectors
    sizes = np.abs(vectors)
    largest = (sizes >= sizes.max(axis=0) * (1 - 1e-9)).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return np.asarray(vectors * np.where(signs == 0, 1.0, signs))


def seeded(solver: Callable[..., Any]) -> dict[str, Any]:
    """Return what makes ARPACK's own restarts repeatable, where this SciPy lets one say so."""
    if "rng" in inspect.signature(solver).parameters:
        return {"rng": np.random.default_rng(_FIXED_SEED)}
    return {}


def _watched(
    matrix: Any, known: Floats | None, down: float, check: Check | None
) -> Callable[[Floats], Floats]:
    """Products with the matrix in which what is known is below all else."""

    def product(x: Floats) -> Floats:
        if check is not None:
            check()
        x = np.asarray(x).ravel()
        result = np.asarray(matrix @ x, dtype=np.float64).ravel()
        if known is not None:
            result -= known @ (down * (known.T @ x))
        return result

    return product


def _away(known: Floats | None, x: Floats) -> Floats:
    return x if known is None else np.asarray(x - known @ (known.T @ x))


def is_narrow(matrix: Any) -> bool:
    """Return whether solving with a sparse matrix is cheap: its rows reach not far in a good order.

    The squares of how far they reach, summed, bound the work of a factorisation from above.

    >>> from scipy.sparse import eye_array
    >>> is_narrow(eye_array(5, format="csr"))
    True
    """
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    n = matrix.shape[0]
    order = reverse_cuthill_mckee(matrix.tocsr(), symmetric_mode=True)
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    first = np.arange(n)
    np.minimum.at(first, rank[rows], rank[matrix.indices])
    reach = np.arange(n) - first
    return bool(np.square(reach, dtype=np.float64).sum() <= NARROW * n)


def _bound(matrix: Any) -> float:
    """No eigenvalue of a symmetric matrix exceeds the largest sum of sizes in a row."""
    if is_sparse(matrix):
        return float(abs(matrix).sum(axis=1).max())
    if isinstance(matrix, np.ndarray):
        return max(float(np.abs(matrix[r]).sum(axis=1).max()) for r in row_blocks(*matrix.shape))
    raise TypeError("an operator with known eigenvectors needs a bound of its eigenvalues")
