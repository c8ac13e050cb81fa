"""Hitting times: how many steps a random walk takes on average until it first meets a vertex."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.numerics.similarity.tiles import Check, slices
from coterie.core.numerics.walks.markov import Walk
from coterie.core.numerics.walks.stationary import strong_components
from coterie.core.numerics.walks.substochastic import (
    FACTORED,
    FEW_ROUNDS,
    MOST_ROUNDS,
    solve_substochastic,
)

ROUNDING = 1e-8  # stationary shares below this × 1/n are those of vertices that are never met again


def fundamental_matrix(walk: Walk, pi: Floats) -> Floats:
    """Return Z = (I − P + 1πᵀ)⁻¹: how much more often the walk from i meets j than it does later.

    Parameters
    ----------
    pi : (n,) the stationary distribution

    Returns
    -------
    (n, n), n² numbers

    References
    ----------
    Aldous, Fill (2002). Reversible Markov chains and random walks on graphs, chapter 2.

    Examples
    --------
    >>> from coterie.core import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> walk = random_walk(Affinity(values=np.array([[0.0, 1.0], [1.0, 0.0]])))
    >>> fundamental_matrix(walk, np.array([0.5, 0.5])).round(9).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    return _inverse(walk, pi)


def hitting_times(walk: Walk, *, check: Check | None = None) -> tuple[Floats, Floats]:
    """Return the mean number of steps from each vertex to each other, and π.

    H_ij = (Z_jj − Z_ij) / π_j. The equation holds as well for the inverse of I − P + 1uᵀ with any
    u, and πᵀ is uᵀ times it; so one inversion gives both, and π need not be known before.

    Returns
    -------
    H, pi : (n, n) with H_ij the steps from i to j, and (n,). Memory: 2 n² numbers.

    Examples
    --------
    >>> from coterie.core import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> H, pi = hitting_times(random_walk(Affinity(values=A)))
    >>> H.round(9).tolist()
    [[0.0, 1.0, 4.0], [3.0, 0.0, 3.0], [4.0, 1.0, 0.0]]
    """
    count, _ = strong_components(walk)
    if count > 1:
        raise DataError(
            f"Not every item can be reached from every other: the graph has {count} strongly "
            "connected components. Give a teleport probability, or connect it "
            f"({well_known.GRAPH_CONNECTED}).",
            code="not-connected",
        )
    n = walk.n
    if check is not None:
        check()
    H = _inverse(walk, np.full(n, 1.0 / n))
    if check is not None:
        check()
    pi = H.sum(axis=0) / n
    own = H.diagonal().copy()
    if not np.isfinite(own).all() or not pi.min() > ROUNDING * ROUNDING / n:
        raise DataError(
            "The walk reaches some items so rarely that the times cannot be distinguished from "
            "rounding. Give a larger teleport probability.",
            code="not-converged",
        )
    for rows in slices(n):
        if check is not None:
            check()
        H[rows] -= own
        H[rows] /= -pi
    np.maximum(H, 0.0, out=H)
    np.fill_diagonal(H, 0.0)
    return H, pi / pi.sum()


def hitting_times_to(
    walk: Walk, targets: Ints, *, patience: float = np.inf, check: Check | None = None
) -> Floats:
    """Return the mean number of steps from each vertex to each of a few targets.

    Solves (I − P₀) h = 1 for each target, P₀ being P without the target's row and column; jumps
    and dangling rows are a matrix of rank one and are put back by the identity of Sherman and
    Morrison, so a sparse graph stays sparse. No n × n matrix is formed of a sparse graph or a
    factor.

    Parameters
    ----------
    targets : (r,) positions
    patience : a walker is taken to the target after so many steps on average, which bounds all
        times by it; for graphs whose times would exceed what floats can resolve

    Returns
    -------
    (n, r); ∞ where the walk may never get there, which teleporting rules out

    Examples
    --------
    >>> from coterie.core import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> A = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> hitting_times_to(random_walk(Affinity(values=A)), np.array([2])).ravel().round(9).tolist()
    [4.0, 3.0, 0.0]
    """
    moves = walk.along_edges()
    result = np.zeros((walk.n, len(targets)))
    for column, target in enumerate(targets):
        if check is not None:
            check()
        sure = _surely_reaching(walk, int(target))
        result[~sure, column] = np.inf
        sure[target] = False
        others = np.flatnonzero(sure)
        if len(others):
            result[others, column] = _times(walk, moves, others, 1.0 - 1.0 / patience, check)
    return result


def _inverse(walk: Walk, u: Floats) -> Floats:
    """(I − P + 1uᵀ)⁻¹ in the memory of two matrices."""
    from scipy.linalg import LinAlgError, inv

    system = walk.to_dense()
    np.negative(system, out=system)
    system += u
    system[np.diag_indices(walk.n)] += 1.0
    try:
        # Transposed, it has the layout LAPACK wants, and is inverted in place.
        return np.asarray(inv(system.T, overwrite_a=True, check_finite=False).T)
    except LinAlgError as error:
        raise DataError(
            "The graph is not connected: the matrix of its walk cannot be inverted. Give a "
            f"teleport probability, or connect the graph ({well_known.GRAPH_CONNECTED}).",
            code="not-connected",
        ) from error


def _times(walk: Walk, moves: Any, others: Ints, keep: float, check: Check | None) -> Floats:
    symmetric_by = None
    if isinstance(moves, tuple):
        inside: Any = (keep * moves[0][others], moves[1][others])
    elif isinstance(moves, np.ndarray):
        inside = keep * moves[np.ix_(others, others)]
    else:
        inside = keep * moves[others][:, others]
        if walk.affinity.symmetric:
            symmetric_by = walk.degrees[others]
    m = len(others)
    rounds = FEW_ROUNDS if m <= FACTORED else MOST_ROUNDS
    if walk.teleport == 0 and not np.isin(walk.dangling, others).any():
        return solve_substochastic(
            inside, np.ones(m), symmetric_by=symmetric_by, rounds=rounds, check=check
        )
    jumps = np.full(m, keep * walk.teleport)
    jumps[np.isin(others, walk.dangling)] = keep
    both = solve_substochastic(
        inside,
        np.column_stack([np.ones(m), jumps]),
        symmetric_by=symmetric_by,
        rounds=rounds,
        check=check,
    )
    ones, jumped = both.T
    home = walk.home[others]
    return np.asarray(ones + jumped * float(home @ ones) / (1.0 - float(home @ jumped)))


def _surely_reaching(walk: Walk, target: int) -> Array:
    """Which vertices cannot but meet the target: none that may step to one without a way there."""
    n = walk.n
    if walk.teleport > 0:
        return np.ones(n, dtype=np.bool_)
    reaching = reaching_vertices(walk, np.array([target]))
    if reaching.all():
        return reaching
    # What the walk does after the target does not matter: no way leads through it.
    sure: Array = ~reaching_vertices(walk, np.flatnonzero(~reaching), blocked=target)
    return sure


def reaching_vertices(walk: Walk, targets: Ints, *, blocked: int = -1) -> Array:
    """Return which vertices have a way along the edges to one of the targets, these included.

    Parameters
    ----------
    blocked : a vertex through which no way may lead

    Examples
    --------
    >>> from coterie.core import Affinity
    >>> from coterie.core.numerics.walks.markov import random_walk
    >>> A = Affinity(values=np.array([[0.0, 1.0], [0.0, 1.0]]), symmetric=False)
    >>> reaching_vertices(random_walk(A), np.array([0])).tolist()
    [True, False]
    """
    seen = np.zeros(walk.n, dtype=np.bool_)
    seen[targets] = True
    front = seen.copy()
    edges: Any = walk.affinity.sparse
    across: Any = None
    if edges is not None:
        across = edges if walk.affinity.symmetric else edges.T.tocsr()
        if len(targets) == 1 and blocked < 0 and not len(walk.dangling) and edges.data.min() > 0:
            from scipy.sparse.csgraph import breadth_first_order

            found = breadth_first_order(across, int(targets[0]), return_predecessors=False)
            seen[found] = True
            return seen
    # A vertex that dangles goes anywhere, the targets included.
    loose = walk.dangling[walk.dangling != blocked]
    seen[loose] = front[loose] = True
    while front.any():
        if across is not None:
            rows = across[np.flatnonzero(front)]
            hit = np.zeros(walk.n, dtype=np.bool_)
            hit[rows.indices[rows.data > 0]] = True
        else:
            hit = walk.affinity.matvec(front.astype(np.float64)) > 0
        if blocked >= 0:
            hit[blocked] = False
        front = hit & ~seen
        seen |= front
    return seen
