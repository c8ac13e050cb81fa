"""Inner products and city-block distances of all pairs, dense or of sparse counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Matrix, is_sparse
from coterie.core.numerics.similarity.distances import require_squares, row_blocks
from coterie.core.numerics.similarity.tiles import Check, products_by_tiles, symmetric_by_tiles

InPlace = Callable[[Floats], Any]


def inner_products(
    X: Matrix, change: InPlace | None = None, *, check: Check | None = None
) -> Floats:
    """Return f(xᵢᵀxⱼ) for all pairs of rows, dense and exactly symmetric.

    Parameters
    ----------
    X : (n, d) features; of CSR features only what is stored is multiplied
    change : turns products into entries, in place, whichever pairs they are of
    check : called for every tile or block, to let a run be cancelled

    Examples
    --------
    >>> inner_products(np.array([[1.0, 2.0], [3.0, 0.0]])).tolist()
    [[5.0, 3.0], [3.0, 9.0]]
    """
    if not is_sparse(X):
        dense = np.asarray(X, dtype=np.float64)
        require_squares(dense)

        def finish(_rows: slice, _columns: slice, tile: Floats) -> None:
            if change is not None:
                change(tile)

        return products_by_tiles(dense, dense, finish, symmetric=True, check=check)
    counts: Any = X
    require_squares(counts.data)
    n = counts.shape[0]
    across = counts.T.tocsr()
    result = np.empty((n, n))
    for rows in row_blocks(n, n):
        if check is not None:
            check()
        block = result[rows]
        (counts[rows] @ across).toarray(out=block)
        if change is not None:
            change(block)
    return result


def city_block_distances(
    X: Floats, change: InPlace | None = None, *, check: Check | None = None
) -> Floats:
    """Return f(Σ_c |x_c − y_c|) for all pairs of rows, dense and exactly symmetric.

    Parameters
    ----------
    change : turns distances into entries, in place, whichever pairs they are of

    Examples
    --------
    >>> city_block_distances(np.array([[0.0, 0.0], [1.0, 3.0]])).tolist()
    [[0.0, 4.0], [4.0, 0.0]]
    """
    require_squares(X)

    def fill(rows: slice, columns: slice, tile: Floats) -> None:
        _city_block(X[rows], X[columns], tile)
        if change is not None:
            change(tile)

    return symmetric_by_tiles(len(X), fill, check=check)


def intersections(X: Floats, *, check: Check | None = None) -> Floats:
    """Return Σ_c min(x_c, y_c) for all pairs of rows of non-negative numbers.

    It is half of ‖x‖₁ + ‖y‖₁ − ‖x − y‖₁.

    Examples
    --------
    >>> intersections(np.array([[1.0, 2.0], [3.0, 0.0]])).tolist()
    [[3.0, 1.0], [1.0, 3.0]]
    """
    require_squares(X)
    halves = 0.5 * X.sum(axis=1)

    def fill(rows: slice, columns: slice, tile: Floats) -> None:
        _city_block(X[rows], X[columns], tile)
        tile *= -0.5
        tile += halves[rows, None]
        tile += halves[None, columns]
        np.maximum(tile, 0.0, out=tile)

    return symmetric_by_tiles(len(X), fill, check=check)


def _city_block(X: Floats, Y: Floats, out: Any) -> None:
    from scipy.spatial.distance import cdist

    cdist(X, Y, "cityblock", out=out)
