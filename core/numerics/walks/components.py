"""The connected pieces of a graph: what no walk leads out of."""

from __future__ import annotations

from typing import Any

import numpy as np

from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check

# An edge of less than this share of both its items' degrees holds nothing together that an
# eigensolver could distinguish from two pieces.
FEEBLE = 1e-12

DUST = 0.1  # of an even share of the items, below which a piece is left out


def pieces(
    affinity: Affinity, *, feeble: float = FEEBLE, check: Check | None = None
) -> tuple[int, Ints]:
    """Return the number of connected pieces and the piece of each item, the largest first.

    Directions of edges do not count, nor do edges whose weight is below `feeble` × the smaller of
    both degrees. Pieces are numbered by falling degree sum, equal ones by their first item. Dense
    matrices and factors with negative entries are walked through row by row, in O(n²) at most.

    Examples
    --------
    >>> A = np.array([[0.0, 0, 1], [0, 1, 0], [1, 0, 0]])
    >>> count, piece = pieces(Affinity(values=A))
    >>> count, piece.tolist()
    (2, [0, 1, 0])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    degrees = np.abs(np.asarray(affinity.degrees(), dtype=np.float64))
    if affinity.sparse is not None:
        A: Any = affinity.sparse.tocoo()
        limit = feeble * np.minimum(degrees[A.row], degrees[A.col])
        held = (A.data > limit) & (A.data > 0)
        graph: Any = coo_array(
            (np.ones(int(held.sum()), np.int8), (A.row[held], A.col[held])), shape=A.shape
        )
        _, found = connected_components(graph, directed=False)
    elif affinity.factor is not None and not (affinity.factor < 0).any():
        found = _by_shared_columns(affinity.factor)
    else:
        found = _by_rows(affinity, feeble * degrees, check)
    return _numbered(np.asarray(found, dtype=np.int64), degrees)


def without_dust(piece: Ints, groups: int) -> Ints:
    """Return the items to go on with: of more pieces than groups, those of pieces that count.

    Pieces with less than a tenth of an even share of the items are dust: left out, they let the
    groups be cut from what holds nearly all.

    >>> without_dust(np.array([0] * 30 + [1, 2]), 2).tolist() == list(range(30))
    True
    >>> without_dust(np.array([0, 0, 1]), 2).tolist()
    [0, 1, 2]
    """
    sizes = np.bincount(piece)
    if len(sizes) <= groups:
        return np.arange(len(piece))
    counts = sizes >= DUST * len(piece) / groups
    return np.flatnonzero(counts[piece])


def _by_shared_columns(factor: Floats) -> Ints:
    """Two items are joined when both have a share in some column: a graph of items and columns."""
    from scipy.sparse import block_array, csr_array
    from scipy.sparse.csgraph import connected_components

    n = factor.shape[0]
    # Shares whose square is lost in the sum of squares of a row join nothing.
    own = np.sqrt(np.einsum("ij,ij->i", factor, factor))[:, None]
    shares: Any = csr_array((factor > FEEBLE * own).astype(np.int8))
    both = block_array([[None, shares], [shares.T, None]], format="csr")
    return np.asarray(connected_components(both, directed=False)[1][:n])


def _by_rows(affinity: Affinity, limits: Floats, check: Check | None) -> Ints:
    """Walk from item to item; a graph in one piece is mostly known after a few rows."""
    n = affinity.n
    found = np.full(n, -1, dtype=np.int64)
    directed = not affinity.symmetric
    number = 0
    for first in range(n):
        if found[first] >= 0:
            continue
        found[first] = number
        front = np.array([first])
        while len(front):
            new = np.zeros(n, dtype=np.bool_)
            for part in row_blocks(len(front), n):
                if check is not None:
                    check()
                left = found < 0
                if not left.any():
                    break
                some = front[part]
                limit = np.minimum(limits[some, None], limits)
                rows = affinity.rows(some)
                joined = (rows > limit) & (rows > 0)
                if directed and affinity.values is not None:
                    back = affinity.values[:, some].T
                    joined |= (back > limit) & (back > 0)
                reached = joined.any(axis=0) & left
                found[reached] = number
                new |= reached
            front = np.flatnonzero(new)
        number += 1
    return found


def _numbered(found: Ints, degrees: Floats) -> tuple[int, Ints]:
    count = int(found.max(initial=-1)) + 1
    volume = np.bincount(found, weights=degrees, minlength=count)
    first = np.full(count, len(found))
    np.minimum.at(first, found, np.arange(len(found)))
    order = np.lexsort((first, -volume))
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    return count, rank[found]
