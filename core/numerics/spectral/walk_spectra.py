"""The spectrum of the walk on a directed graph, and its leading eigenvectors as real columns.

P = D⁻¹A of a directed graph is not symmetric: eigenvalues may be complex, and eigenvectors are not
perpendicular. They are held as real columns v with vᵀDv = 1, real and imaginary part of a conjugate
pair apart. Where the walk ends in one of several closed classes, the eigenvalue 1 belongs to the
chances of ending in each: these are solved for, not left to an iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints, is_sparse
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.eigenpairs import FILLS_UP, seeded, with_signs
from coterie.core.numerics.spectral.spectra import indicators, suggested_groups
from coterie.core.numerics.walks.components import pieces, without_dust
from coterie.core.numerics.walks.markov import random_walk
from coterie.core.numerics.walks.substochastic import SingularError, solve_substochastic

SMALL = 300  # up to so many vertices all eigenpairs are worked out by LAPACK
LARGEST_DIRECT = 4000  # and up to so many where the iteration fails
# A step less likely than the first leads nowhere that an eigensolver could see; less likely than
# the others where chances of ending in a class cannot be solved for otherwise.
UNLIKELY = (1e-12, 1e-9, 1e-6)
# Imaginary parts below this are rounding.
REAL = 1e-8
ABOVE = 1e-6  # how far above 1, the largest eigenvalue, the walk is inverted
RESTARTS = 60  # of the plain iteration; more are slower than inverting


@dataclass(frozen=True, eq=False)
class WalkSpectrum:
    """The leading eigenvalues of P, and the space of their eigenvectors.

    Attributes
    ----------
    items : (n,) which items of the graph these are: those from which the walk can go on for ever
    degrees : (n,) their out-degrees
    values : (m,) eigenvalues by falling real part, complex where any is
    vectors : (n, m) right eigenvectors as real columns with vᵀDv = 1; those of the eigenvalue 1
        first, perpendicular to each other in D
    piece, pieces : the connected piece of each item, whatever the directions, and their number
    closed : number of classes that the walk never leaves
    dust : number of items left out because their pieces are small (see `without_dust`)
    how : the solver, in words
    """

    items: Ints
    degrees: Floats
    values: Array
    vectors: Floats
    piece: Ints
    pieces: int
    closed: int
    dust: int
    how: str

    @property
    def complex_values(self) -> int:
        """How many of the eigenvalues are not real."""
        return int((np.abs(np.imag(self.values)) > REAL).sum())

    def suggested(self) -> int:
        """Return the number before the largest gap, at least that of the closed classes."""
        return max(suggested_groups(self.values), self.closed, self.pieces)


def walk_spectrum(
    affinity: Affinity,
    k: int,
    *,
    groups: int = 0,
    rng: np.random.Generator | None = None,
    check: Check | None = None,
) -> WalkSpectrum:
    """Return the k eigenvalues of P = D⁻¹A with the largest real parts, and their eigenvectors.

    Items from which no step leads on are left out, one after another (see `items`). Up to 300
    items P is decomposed densely; above, Arnoldi's iteration needs a few times k vectors.

    Examples
    --------
    >>> ring = np.roll(np.eye(4), 1, axis=1)  # round and round: eigenvalues 1, ±i, −1
    >>> found = walk_spectrum(Affinity(values=ring, symmetric=False), 3)
    >>> found.values.imag.round(6).tolist(), found.complex_values
    ([0.0, 1.0, -1.0], 2)
    """
    affinity, items = _walkable(affinity, check)
    degrees = np.asarray(affinity.degrees(), dtype=np.float64)
    count, piece = pieces(affinity, check=check)
    kept = without_dust(piece, groups) if groups else np.arange(affinity.n)
    if dust := affinity.n - len(kept):
        # No step that counts leads from a piece to another, so degrees stay as they are.
        affinity, items, degrees = affinity.submatrix(kept), items[kept], degrees[kept]
        count, piece = len(np.unique(piece[kept])), np.unique(piece[kept], return_inverse=True)[1]
    roots = np.sqrt(degrees)
    if count >= k:
        vectors = indicators(piece, k, degrees) / roots[:, None]
        ones = np.ones(k)
        how = "connected pieces"
        return WalkSpectrum(items, degrees, ones, vectors, piece, count, count, dust, how)
    values: list[Array] = []
    columns: list[Array] = []
    widths: list[Array] = []
    closed, how = 0, ""
    # One by one: of equal eigenvalues in several pieces, an iteration may find one only.
    for p in range(count):
        members = np.flatnonzero(piece == p)
        part = affinity if count == 1 else affinity.submatrix(members)
        found = _of_piece(part, roots[members], k, rng, check)
        closed, how = closed + found.closed, how or found.how  # that of the largest piece
        wide = np.zeros((affinity.n, len(found.values)))
        wide[members] = found.columns
        values.append(found.values)
        columns.append(wide)
        widths.append(found.widths)
    order = _falling(np.concatenate(values), np.concatenate(widths))[:k]
    leading = np.concatenate(values)[order]
    if (np.abs(np.imag(leading)) <= REAL).all():
        leading = np.real(leading)
    vectors = np.column_stack(columns)[:, order] / roots[:, None]
    return WalkSpectrum(items, degrees, leading, vectors, piece, count, closed, dust, how)


@dataclass(frozen=True)
class _Found:
    """Eigenpairs of D^½ P D^−½ of one piece, real columns of unit length."""

    values: Array
    columns: Floats
    widths: Floats
    """How much of the graph a closed class holds; 0 for other eigenvalues than its 1."""
    closed: int
    how: str


def _of_piece(
    affinity: Affinity,
    roots: Floats,
    k: int,
    rng: np.random.Generator | None,
    check: Check | None,
) -> _Found:
    moves = random_walk(affinity).along_edges()
    ends = _absorption(moves, check)
    # The widest directions first: of more classes than asked for, those that hold most.
    left, widths, _ = np.linalg.svd(roots[:, None] * ends, full_matrices=False)
    known = with_signs(left)
    more = min(k, affinity.n) - known.shape[1]
    if more <= 0:
        return _Found(np.ones(len(widths)), known, widths, ends.shape[1], "closed classes")
    values, vectors, how = _rest(moves, roots, known, more, rng, check)
    return _Found(
        np.concatenate([np.ones(len(widths)), values]),
        np.column_stack([known, _real_columns(values, vectors)]),
        np.concatenate([widths, np.zeros(len(values))]),
        ends.shape[1],
        how,
    )


def _walkable(affinity: Affinity, check: Check | None) -> tuple[Affinity, Ints]:
    """Leave out items without a step onwards, until there are none."""
    items = np.arange(affinity.n)
    while affinity.n:
        if check is not None:
            check()
        onwards = np.asarray(affinity.degrees()) > 0
        if onwards.all():
            return affinity, items
        items = items[onwards]
        affinity = affinity.submatrix(np.flatnonzero(onwards))
    raise DataError(
        "No walk on this graph can continue, so there is nothing to cut. Connect more items.",
        code="no-similarities",
    )


def _absorption(moves: Any, check: Check | None) -> Floats:
    """(n, c) chance of ending in each closed class, from each item."""
    from scipy.sparse import csr_array

    if isinstance(moves, tuple):
        # A factor makes a symmetric graph: every connected piece is closed.
        _, piece = pieces(Affinity(factor=moves[1]), check=check)
        return np.asarray(piece[:, None] == np.arange(piece.max() + 1), dtype=np.float64)
    for unlikely in UNLIKELY:
        try:
            return _ending(moves, csr_array(moves > unlikely), check)
        except SingularError:
            continue
    return np.ones((moves.shape[0], 1), dtype=np.float64)


def _ending(moves: Any, steps: Any, check: Check | None) -> Floats:
    from scipy.sparse.csgraph import connected_components

    count, strong = connected_components(steps, connection="strong")
    rows = np.repeat(np.arange(len(strong)), np.diff(steps.indptr))
    leaving = strong[rows] != strong[steps.indices]
    closed = np.setdiff1d(np.arange(count), strong[rows[leaving]])
    inside = strong[:, None] == closed
    ends: Floats = inside.astype(np.float64)
    passing = ~inside.any(axis=1)
    if not passing.any():
        return ends
    if len(closed) == 1:
        return np.ones((len(strong), 1), dtype=np.float64)
    within = moves[passing]
    into = np.asarray(within @ ends)
    ends[passing] = solve_substochastic(within[:, passing], into, check=check)
    return np.asarray(ends / ends.sum(axis=1, keepdims=True))


def _rest(
    moves: Any,
    roots: Floats,
    known: Floats,
    k: int,
    rng: np.random.Generator | None,
    check: Check | None,
) -> tuple[Array, Array, str]:
    """The next k eigenpairs of D^½ P D^−½ perpendicular to what is known.

    `known` = Q spans an invariant space, so in its complement M acts as (1 − QQᵀ) M. An eigenvector
    y of that, with eigenvalue λ, belongs to the eigenvector y + Q QᵀMy / (λ − 1) of M.
    """
    n = len(roots)

    def step(x: Array) -> Array:
        inside = x / roots[:, None]
        after = moves[0] @ (moves[1].T @ inside) if isinstance(moves, tuple) else moves @ inside
        return np.asarray(after) * roots[:, None]

    def product(x: Array) -> Array:
        if check is not None:
            check()
        flat = np.asarray(x).reshape(n, -1)
        stepped = step(flat - known @ (known.T @ flat))
        # What is known goes below all other eigenvalues, none of which is less than −1.
        result = stepped - known @ (known.T @ stepped) - 2 * known @ (known.T @ flat)
        return np.asarray(result.reshape(np.shape(x)))

    if n > SMALL and k + 2 < n:
        start = (rng or np.random.default_rng(0)).standard_normal(n)
        found = _arnoldi(product, n, k, start)
        if found is None and is_sparse(moves) and n <= FILLS_UP:
            found = _near_one(moves, roots, known, k, start, check)
        if found is not None:
            values, vectors = _leading(found[0], found[1], k)
            return values, _completed(values, vectors, known, step), found[2]
        if n > LARGEST_DIRECT:
            raise DataError(
                f"The {k} leading eigenvectors of the walk on {n} items could not be separated "
                'apart. Set relaxation = "symmetric", join the items by more neighbours, or '
                "use a subset of them.",
                code="not-converged",
            )
    from scipy.linalg import eig

    values, vectors = eig(product(np.eye(n)))
    values, vectors = _leading(values, vectors, k)
    return values, _completed(values, vectors, known, step), "LAPACK"


def _arnoldi(
    product: Callable[[Array], Array], n: int, k: int, start: Floats
) -> tuple[Array, Array, str] | None:
    """The eigenvalues of largest real part by products only, or None if they are too close."""
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

    operator: Any = LinearOperator((n, n), matvec=product, matmat=product, dtype=np.float64)
    try:
        values, vectors = eigs(
            operator,
            k + 1,  # one more, lest a conjugate pair be parted
            which="LR",
            v0=start,
            tol=1e-8,
            ncv=min(n, max(3 * k + 20, 40)),
            maxiter=RESTARTS,
            **seeded(eigs),
        )
    except ArpackNoConvergence:
        return None
    return values, vectors, "Arnoldi"


def _near_one(
    moves: Any, roots: Floats, known: Floats, k: int, start: Floats, check: Check | None
) -> tuple[Array, Array, str] | None:
    """The eigenvalues nearest to 1, by solving with σ − P for σ just above 1.

    All eigenvalues are in the unit disc. So one that is not among the found ones, none of which
    is farther than ρ from 1, has a real part of at most 1 − ρ²/2: where the k-th found has more,
    the k of largest real part are among them. Otherwise more are sought, some times.
    """
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigs, splu

    n = len(roots)
    try:
        # No row of σ − P has less on its diagonal than beside it: no pivoting is needed.
        solver = splu(
            csc_array((1 + ABOVE) * eye_array(n) - moves),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except (RuntimeError, MemoryError):  # singular, or filled up
        return None

    def solve(x: Array) -> Array:
        if check is not None:
            check()
        flat = np.asarray(x, dtype=np.float64).ravel()
        inside = (flat - known @ (known.T @ flat)) / roots
        after = solver.solve(inside) * roots
        return np.asarray(after - known @ (known.T @ after))

    inverse: Any = LinearOperator((n, n), matvec=solve, dtype=np.float64)
    found = None
    for more in (4, 16, 48):
        if k + more + 2 >= n:
            break
        try:
            inverted, vectors = eigs(
                inverse, k + more, which="LM", v0=start, tol=1e-8, **seeded(eigs)
            )
        except (ArpackNoConvergence, ArpackError):
            break
        values = (1 + ABOVE) - 1 / inverted
        found = values, vectors, "Arnoldi, shift and invert"
        reach = float(np.abs(values - 1).max())
        if np.sort(values.real)[-k] >= 1 - reach**2 / 2:
            break
    return found


def _leading(values: Array, vectors: Array, k: int) -> tuple[Array, Array]:
    order = _falling(values, np.zeros(len(values)))[:k]
    return values[order], vectors[:, order]


def _falling(values: Array, widths: Floats) -> Ints:
    """By falling real part, wide classes first; of a pair the positive imaginary part first."""
    return np.lexsort((-np.imag(values), -widths, -np.real(values).round(10)))


def _completed(
    values: Array, vectors: Array, known: Floats, step: Callable[[Array], Array]
) -> Array:
    """Add to each vector what its eigenvector has in the space of the known ones."""
    away = values - 1
    # An eigenvalue that is 1 but for rounding has no part there that can be resolved.
    away = np.where(np.abs(away) > 1e-10, away, np.inf)
    return np.asarray(vectors + known @ ((known.T @ step(vectors)) / away))


def _real_columns(values: Array, vectors: Array) -> Floats:
    """Real and imaginary parts as columns of unit length."""
    # Turned so that its largest entry is real, a complex vector does not depend on chance.
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    turned = vectors * np.exp(-1j * np.angle(largest))
    second = np.imag(values) < -REAL
    columns = np.where(second, np.imag(turned), np.real(turned))
    lengths = np.linalg.norm(columns, axis=0)
    columns = np.where(lengths > 1e-10, columns / np.where(lengths > 0, lengths, 1.0), 0.0)
    return with_signs(columns)
