"""The spectrum of the walk on a graph, its embedding, and the number of groups it suggests.

Eigenvectors of P = D⁻¹A are D^−½ u with u those of the symmetric D^−½ A D^−½, whose eigenvalues are
one minus those of the normalised Laplacian. Each connected piece has the eigenvalue 1 once, with
its indicator: these pairs are written down, not left to a solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.affinity_ops import scaled_sides, with_entries
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.symmetry import is_symmetric
from coterie.core.numerics.similarity.tiles import Check
from coterie.core.numerics.spectral.eigenpairs import Eigenpairs, leading_eigenpairs
from coterie.core.numerics.spectral.group_counts import MOST_EIGENVALUES as MOST_EIGENVALUES
from coterie.core.numerics.spectral.group_counts import GroupCounts, group_counts
from coterie.core.numerics.spectral.group_counts import suggested_groups as suggested_groups
from coterie.core.numerics.walks.components import pieces, without_dust


@dataclass(frozen=True, eq=False)
class GraphSpectrum:
    """The leading eigenpairs of D^−½ A D^−½ of a symmetric graph without isolated items.

    Attributes
    ----------
    items : (n,) which items of the graph these are: those that have an edge
    degrees : (n,) their degrees
    values : (m,) eigenvalues, 1 first; those of L_sym and L_rw are 1 − values
    vectors : (n, m) orthonormal eigenvectors u of D^−½ A D^−½
    piece, pieces : the connected piece of each item, and how many there are
    dust : number of items left out because their pieces are small (see `without_dust`)
    how, residual : the solver, and ‖A u − λ u‖ of its worst pair
    """

    items: Ints
    degrees: Floats
    values: Floats
    vectors: Floats
    piece: Ints
    pieces: int
    dust: int = 0
    how: str = ""
    residual: float = 0.0

    def walk_vectors(self, k: int) -> Floats:
        """Return the k leading right eigenvectors of P, D^−½ u; they satisfy FᵀDF = 1."""
        return np.asarray(self.vectors[:, :k] / np.sqrt(self.degrees)[:, None])

    def suggested(self) -> int:
        """Return the number before the largest gap of the first eigenvalues, at least `pieces`."""
        return self.counts().gap

    def counts(self) -> GroupCounts:
        """Return the number of groups that each rule suggests, at least `pieces`."""
        return group_counts(self.values, pieces=self.pieces)


def graph_spectrum(
    affinity: Affinity,
    k: int,
    *,
    zero_diagonal: bool = False,
    groups: int = 0,
    used: int | None = None,
    rng: np.random.Generator | None = None,
    check: Check | None = None,
) -> GraphSpectrum:
    """Return the k leading eigenpairs of D^−½ A D^−½, dense, sparse or factored.

    Items without any edge are left out (see `items`). A factor stays one; with `zero_diagonal` it
    is used through products. Where there are more pieces than `groups` (0: any number), dust is
    left out as well. Memory: a copy in the form of the affinity, and k vectors.

    `used` says how many of the vectors will be used (0: as many as the gap suggests): of a large
    graph the others cost less when only their eigenvalues are accurate.

    Raises
    ------
    DataError : for directed graphs, negative similarities, or where nothing is joined

    Examples
    --------
    >>> A = np.kron(np.eye(2), np.ones((2, 2)))
    >>> abs(graph_spectrum(Affinity(values=A), 3).values.round(6)).tolist()
    [1.0, 1.0, 0.0]
    """
    affinity.require_finite()
    require_undirected(affinity, check=check)
    require_nonnegative(affinity, check=check)
    graph = _Joined.of(affinity, zero_diagonal=zero_diagonal, groups=groups, check=check)
    vectors = indicators(graph.piece, min(graph.pieces, k), graph.degrees)
    values = np.ones(vectors.shape[1])
    how, residual = "connected pieces", 0.0
    more = k - len(values)
    if more > 0 and graph.pieces < graph.affinity.n:
        others = _others(graph, more, used, rng, check)
        how, residual = others.how, others.residual
        values = np.concatenate([values, np.clip(others.values, -1.0, 1.0)])
        vectors = np.column_stack([vectors, others.vectors])
    return GraphSpectrum(
        graph.items,
        graph.degrees,
        values,
        vectors,
        graph.piece,
        graph.pieces,
        graph.dust,
        how,
        residual,
    )


def require_undirected(affinity: Affinity, *, check: Check | None = None) -> None:
    """Raise a clear error for a directed graph, whatever it promises."""
    if affinity.factor is None and not is_symmetric(affinity.stored, check=check):
        raise DataError(
            "This method needs an undirected graph, and the similarities from one item to another "
            f"differ from those back. Add the step {well_known.GRAPH_SYMMETRISE} before it, or use "
            f"a method for directed graphs such as {well_known.CLUSTERER_DIGRAPH_SPECTRAL}.",
            offer=(well_known.GRAPH_SYMMETRISE, well_known.CLUSTERER_DIGRAPH_SPECTRAL),
            code="not-symmetric",
        )


def require_nonnegative(
    affinity: Affinity, *, who: str = "Cutting a graph needs", check: Check | None = None
) -> None:
    """Raise a clear error for negative similarities; factors without negative entries have none."""
    if affinity.sparse is not None:
        lowest = float(affinity.sparse.data.min(initial=0.0))
    elif affinity.values is not None:
        lowest = float(affinity.values.min(initial=0.0))
    else:
        lowest = 0.0
        factor: Any = affinity.factor
        # What a compressed factor has below zero is its error, if its maker promises so.
        promised = affinity.nonnegative and affinity.error is not None
        if not promised and (factor < 0).any():
            for rows in row_blocks(affinity.n, affinity.n):
                if check is not None:
                    check()
                block = factor[rows] @ factor.T
                lowest = min(lowest, float(block.min(initial=0.0)))
            # Products that are zero but for rounding are no negative similarities.
            lowest = lowest if lowest < -1e-12 * float((factor**2).sum(axis=1).max()) else 0.0
    if lowest < 0:
        raise DataError(
            f"{who} similarities of at least 0. Got {lowest:.4g}; use a kernel without negative "
            f"values, such as the Gaussian, or keep them by "
            f"{well_known.GRAPH_THRESHOLD}.",
            offer=(well_known.GRAPH_THRESHOLD,),
            code="negative-similarities",
        )


def without_diagonal(affinity: Affinity) -> Affinity:
    """Return the dense or sparse affinity with zeros on its diagonal; a copy where it had others.

    >>> without_diagonal(Affinity(values=np.ones((2, 2)))).values.tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    if not affinity.diagonal().any():
        return affinity
    if affinity.values is not None:
        values = np.array(affinity.values)
        np.fill_diagonal(values, 0.0)
        return with_entries(affinity, values)
    stored: Any = affinity.sparse
    graph: Any = stored.copy()
    rows = np.repeat(np.arange(affinity.n), np.diff(graph.indptr))
    graph.data = np.where(graph.indices == rows, 0.0, graph.data)
    graph.eliminate_zeros()
    return with_entries(affinity, graph)


def indicators(piece: Ints, count: int, degrees: Floats) -> Floats:
    """Return D^½ times the indicator of each of the first pieces, to unit length: (n, count).

    >>> indicators(np.array([0, 0, 1]), 2, np.ones(3)).round(4).tolist()
    [[0.7071, 0.0], [0.7071, 0.0], [0.0, 1.0]]
    """
    roots = np.where(piece[:, None] == np.arange(count), np.sqrt(degrees)[:, None], 0.0)
    return np.asarray(roots / np.linalg.norm(roots, axis=0))


@dataclass(frozen=True, eq=False)
class _Joined:
    """What is left of a graph without items that have no edge, and without dust.

    `own` is what the diagonal holds that does not count: that of a factor, which stays in it.
    """

    affinity: Affinity
    items: Ints
    degrees: Floats
    own: Floats
    piece: Ints
    pieces: int
    dust: int

    @classmethod
    def of(
        cls, affinity: Affinity, *, zero_diagonal: bool, groups: int, check: Check | None
    ) -> _Joined:
        if zero_diagonal and affinity.factor is None:
            affinity = without_diagonal(affinity)
        own = affinity.diagonal() if zero_diagonal else np.zeros(affinity.n)
        degrees = np.asarray(affinity.degrees(), dtype=np.float64)
        if affinity.factor is not None and zero_diagonal:
            degrees = degrees - own
            degrees[degrees <= 1e-12 * own] = 0.0  # what the subtraction leaves of nothing
        items = np.flatnonzero(degrees > 0)
        if not len(items):
            raise DataError(
                "No two items are similar, so there is nothing to cut. Connect more items.",
                code="no-similarities",
            )
        if len(items) < affinity.n:
            affinity, degrees, own = affinity.submatrix(items), degrees[items], own[items]
        count, piece = pieces(affinity, check=check)
        kept = without_dust(piece, groups) if groups else np.arange(affinity.n)
        if dust := affinity.n - len(kept):
            affinity, items = affinity.submatrix(kept), items[kept]
            degrees, own, piece = degrees[kept], own[kept], piece[kept]
            # Numbered by falling volume, dust comes last: but a heavy piece of few items may go.
            count, piece = len(np.unique(piece)), np.unique(piece, return_inverse=True)[1]
        return cls(affinity, items, degrees, own, piece, count, dust)


def _others(
    graph: _Joined,
    k: int,
    used: int | None,
    rng: np.random.Generator | None,
    check: Check | None,
) -> Eigenpairs:
    """The k leading eigenpairs after those that the pieces have, of all pieces together.

    Pieces are solved one by one: of equal eigenvalues in several, an iteration may find one only.
    """
    sharp = _sharp(graph.pieces, used)
    found = [
        (members, _within(graph, members, k, sharp, rng, check))
        for members in (np.flatnonzero(graph.piece == p) for p in range(graph.pieces))
    ]
    worst = max(pairs.residual for _, pairs in found)
    if len(found) == 1:
        return found[0][1]
    values = np.concatenate([pairs.values for _, pairs in found])
    order = np.argsort(-values, kind="stable")[:k]
    # Only what is kept: of twenty pieces all would be twenty times as much.
    place = np.full(len(values), -1)
    place[order] = np.arange(len(order))
    vectors = np.zeros((graph.affinity.n, len(order)))
    start = 0
    for members, pairs in found:
        of = place[start : start + len(pairs.values)]
        vectors[np.ix_(members, of[of >= 0])] = pairs.vectors[:, of >= 0]
        start += len(of)
    return replace(found[0][1], values=values[order], vectors=vectors, residual=worst)


def _sharp(pieces: int, used: int | None) -> Callable[[Floats], int] | None:
    """Of how many pairs of a piece the vectors are used, beside that of the eigenvalue 1."""
    if used:
        return lambda values: used - pieces
    if used is None or pieces > 1:  # the gap is that among the eigenvalues of all pieces
        return None
    return lambda values: group_counts(np.concatenate([[1.0], values]), pieces=1).gap - 1


def _within(
    graph: _Joined,
    members: Ints,
    k: int,
    sharp: Callable[[Floats], int] | None,
    rng: np.random.Generator | None,
    check: Check | None,
) -> Eigenpairs:
    """The k leading eigenpairs of one piece, after that of the eigenvalue 1."""
    whole = len(members) == graph.affinity.n
    part = graph.affinity if whole else graph.affinity.submatrix(members)
    degrees, own = graph.degrees[members], graph.own[members]
    matrix = scaled_sides(part, 1 / np.sqrt(degrees), check=check)
    if part.factor is not None:
        matrix = _factor_form(matrix, own / degrees)
    known = indicators(np.zeros(len(members), dtype=np.int64), 1, degrees)
    return leading_eigenpairs(matrix, k, known=known, bound=1.0, sharp=sharp, rng=rng, check=check)


def _factor_form(scaled: Floats, own: Floats) -> Any:
    """What the solver takes for a scaled factor: itself, or products without the diagonal."""
    if not own.any():
        return Affinity(factor=scaled)
    from scipy.sparse.linalg import LinearOperator

    n = len(scaled)

    def product(x: Floats) -> Floats:
        flat = np.asarray(x)
        diagonal = own if flat.ndim == 1 else own[:, None]
        return np.asarray(scaled @ (scaled.T @ flat) - diagonal * flat)

    operator: Any = LinearOperator((n, n), matvec=product, matmat=product, dtype=np.float64)
    return operator
