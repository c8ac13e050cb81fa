"""Conjugate gradients for the Laplacians of graphs, with a coarse graph where they are slow.

On graphs that are long compared to their edges, such as neighbours in a plane, values travel one
edge per round, and the rounds grow with the length. There the items are joined to small clumps;
the system of the clumps is solved directly in each round, and carries values all the way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.tiles import Check

PLAIN = 60  # rounds after which it is seen whether a coarse graph is worth its making
SWIFT = 150  # rounds that cost about as much as a coarse graph
MOST_ROUNDS = 2000
_FIXED_SEED = 0


def conjugate_gradients(
    S: Any,
    b: Floats,
    *,
    tolerance: float = 1e-9,
    most_rounds: int = MOST_ROUNDS,
    check: Check | None = None,
) -> tuple[Floats | None, int]:
    """Return x with S x = b, and the rounds it took; None for x when they did not suffice.

    Parameters
    ----------
    S : (n, n) sparse, symmetric, with positive diagonal, other entries at most 0 and row sums of at
        least 0: a Laplacian without some of its vertices
    tolerance : of the residual, relative to b
    check : called once in each round

    Returns
    -------
    x : (n,), the same for the same input; of a singular system it may be anything. Memory: some
        vectors, and the coarse graph's sparse LU.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> x, rounds = conjugate_gradients(csr_array([[2.0, -1.0], [-1.0, 2.0]]), np.ones(2))
    >>> x.round(9).tolist()
    [1.0, 1.0]
    """
    run = _Run(S, b, tolerance, check)
    run.go_on(min(PLAIN, most_rounds))
    # What has come two fifths of the way by then, in digits, arrives before one is made.
    if run.error <= tolerance ** (PLAIN / SWIFT):
        run.go_on(min(SWIFT, most_rounds) - run.rounds)
    if not run.settled and not run.broken and run.rounds < most_rounds:
        run.coarse = _Coarse.made(S)
        run.restart()
        run.go_on(most_rounds - run.rounds)
    return (run.x if run.settled else None), run.rounds


def clumps(S: Any, *, seed: int = _FIXED_SEED) -> tuple[Ints, int]:
    """Return the clump of each vertex of a sparse symmetric matrix, and their number.

    Vertices no two of which are neighbours, drawn until there is no further one, are the middles;
    each other vertex goes to a neighbour among them. A pass over the edges for each of a few draws.

    >>> from scipy.sparse import csr_array
    >>> clumps(csr_array(np.kron(np.eye(2), np.ones((2, 2)))))[1]
    2
    """
    n = S.shape[0]
    of = np.full(n, -1, dtype=np.int64)
    # Each row has its diagonal, so no slice of the columns is empty.
    first, columns = S.indptr[:-1], S.indices
    height = np.random.default_rng(seed).permutation(n) + 1
    count = 0
    while (height > 0).any():
        middles = np.flatnonzero(
            (height > 0) & (np.maximum.reduceat(height[columns], first) <= height)
        )
        of[middles] = count + np.arange(len(middles))
        count += len(middles)
        found = np.full(n, -1, dtype=np.int64)
        found[middles] = of[middles]
        beside = np.maximum.reduceat(found[columns], first)
        joins = (of < 0) & (beside >= 0)
        of[joins] = beside[joins]
        height[of >= 0] = 0
    return of, count


class _Coarse:
    """The system of the clumps: each entry the sum of the entries between two of them."""

    def __init__(self, of: Ints, count: int, solver: Any) -> None:
        self.clump, self.count, self.solver = of, count, solver

    @classmethod
    def made(cls, S: Any) -> _Coarse | None:
        from scipy.sparse import coo_array
        from scipy.sparse.linalg import splu

        of, count = clumps(S)
        rows = np.repeat(of, np.diff(S.indptr))
        system: Any = coo_array((S.data, (rows, of[S.indices])), shape=(count, count)).tocsc()
        try:
            solver = splu(
                system,
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options={"SymmetricMode": True},
            )
        except (RuntimeError, MemoryError):  # singular but for rounding, or filled up
            return None
        return cls(of, count, solver)

    def carried(self, residual: Floats) -> Floats:
        """The correction that all vertices of a clump share."""
        sums = np.bincount(self.clump, residual, self.count)
        return np.asarray(self.solver.solve(sums)[self.clump])


class _Run:
    """The state of an iteration that can change its preconditioner on the way."""

    def __init__(self, S: Any, b: Floats, tolerance: float, check: Check | None) -> None:
        self.S, self.check = S, check
        self.x = np.zeros(len(b))
        self.residual = np.array(b, dtype=np.float64)
        self.tolerance, self.size = tolerance, float(np.linalg.norm(b))
        self.inverse = 1.0 / np.maximum(S.diagonal(), np.finfo(np.float64).tiny)
        self.coarse: _Coarse | None = None
        self.rounds, self.broken = 0, False
        self.restart()

    @property
    def error(self) -> float:
        """The residual, relative to the right-hand side."""
        return float(np.linalg.norm(self.residual)) / self.size if self.size else 0.0

    @property
    def settled(self) -> bool:
        return self.error <= self.tolerance

    def restart(self) -> None:
        self.direction = self._preconditioned()
        self.along = float(self.residual @ self.direction)

    def go_on(self, rounds: int) -> None:
        """Do so many rounds at most."""
        for _ in range(rounds):
            if self.settled:
                return
            if self.check is not None:
                self.check()
            image = self.S @ self.direction
            curvature = float(self.direction @ image)
            if not (curvature > 0 and np.isfinite(self.along)):
                self.broken = True  # singular but for rounding
                return
            step = self.along / curvature
            self.x += step * self.direction
            self.residual -= step * image
            towards = self._preconditioned()
            along = float(self.residual @ towards)
            self.direction *= along / self.along
            self.direction += towards
            self.along = along
            self.rounds += 1

    def _preconditioned(self) -> Floats:
        result: Floats = self.inverse * self.residual
        if self.coarse is not None:
            result += self.coarse.carried(self.residual)
        return result
