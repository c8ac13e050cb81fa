"""Fill an n × m matrix tile by tile: what is done to a tile is done while it is in the cache.

A symmetric matrix is computed once and mirrored, so it is symmetric to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.api.components import Cost
from coterie.core.io.platform.processors import available_cores
from coterie.core.model.arrays import Floats

if TYPE_CHECKING:
    from coterie.core.api.context import Context

# 256 × 256 floats are 512 kB and stay in the second-level cache of an ordinary core.
TILE = 256
PANEL = 8  # tiles in the height of one matrix product
_SHIFT = 4  # strips that one core finishes before it asks for more: some milliseconds of work
_WORTH_SHARING = 1 << 20  # entries; below, waking other cores takes longer than they save

# What to do instead of a dense matrix that does not fit, each as half a sentence.
SPARSER = ("use a k-nearest-neighbour graph, which keeps the nearest pairs only",)

Check = Callable[[], None]
Fill = Callable[[slice, slice, Floats], Any]


def dense_cost(n: int, d: int, per_feature: float) -> Cost:
    """Return the cost of an n × n matrix from d features: itself, a copy of them and a tile.

    `per_feature` is the seconds that one feature of one pair takes.
    """
    return Cost(
        bytes=8 * n * n + 16 * n * d + (4 << 20),
        seconds=n * n * (per_feature * d + 5e-9),
        alternatives=SPARSER,
    )


def symmetric_by_tiles(
    n: int,
    fill: Fill,
    *,
    check: Check | None = None,
) -> Floats:
    """Return the n × n matrix whose tiles above and on the diagonal `fill` computes.

    Parameters
    ----------
    fill : `fill(rows, columns, tile)` writes the entries of these rows and columns into `tile`,
        which is float64 and contiguous
    check : called for every tile, to let a run be cancelled

    Returns
    -------
    (n, n), exactly symmetric. Memory: the result and one tile.

    Examples
    --------
    >>> X = np.array([1.0, 2.0, 4.0])
    >>> def product(rows, columns, tile):
    ...     np.multiply.outer(X[rows], X[columns], out=tile)
    >>> symmetric_by_tiles(3, product).tolist()
    [[1.0, 2.0, 4.0], [2.0, 4.0, 8.0], [4.0, 8.0, 16.0]]
    """
    result = np.empty((n, n))
    scratch = np.empty(TILE * TILE)
    for rows in slices(n):
        for columns in slices(n, start=rows.start):
            if check is not None:
                check()
            tile = _tile(scratch, rows, columns)
            fill(rows, columns, tile)
            if rows == columns:
                _mirror(tile)
                result[rows, rows] = tile
            else:
                result[rows, columns] = tile
                result[columns, rows] = tile.T
    return result


def products_by_tiles(
    left: Floats,
    right: Floats,
    finish: Fill | None = None,
    *,
    symmetric: bool,
    out: Floats | None = None,
    dtype: Any = np.float64,
    check: Check | None = None,
) -> Floats:
    """Return f(left · rightᵀ): matrix products, each tile finished while it is in the cache.

    The products are taken of panels of rows, as each call of the BLAS wakes all its threads, which
    on a busy machine costs more than the arithmetic of a small tile.

    Parameters
    ----------
    left, right : (n, p) and (m, p)
    finish : `finish(rows, columns, tile)` turns products into entries, in place
    symmetric : the result is known to be symmetric (n = m), and only half of it is computed
    out, dtype, check : as of `symmetric_by_tiles`

    Returns
    -------
    (n, m). Memory: the result, and of other types than float64 a panel of rows.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> products_by_tiles(X, X, symmetric=True).tolist()
    [[5.0, 11.0], [11.0, 25.0]]
    """
    n, m = len(left), len(right)
    result = np.empty((n, m), dtype=dtype) if out is None else out
    direct = result.dtype == np.float64
    height = (PANEL if direct else 2) * TILE
    scratch = np.empty(0 if direct else min(height, n) * m)
    across = np.ascontiguousarray(right.T)

    def finish_strips(panel: Floats, start: int, rows: slice, strips: list[slice]) -> int:
        for columns in strips:
            tile = panel[:, columns.start - start : columns.stop - start]
            if finish is not None:
                finish(rows, columns, tile)
            if symmetric and columns == rows:
                _mirror(tile)
            elif symmetric:
                result[columns, rows] = tile.T
            if not direct:
                result[rows, columns] = tile
        return len(strips)

    with _thread_pool(n * m) as apply:
        for block in slices(n, side=height):
            start = block.start if symmetric else 0
            panel = result[block, start:] if direct else _tile(scratch, block, slice(start, m))
            np.matmul(left[block], across[:, start:], out=panel)
            pieces = [
                (panel[rows.start - block.start : rows.stop - block.start], start, rows, strips)
                for rows in slices(block.stop, start=block.start, side=2 * TILE)
                for strips in _shifts(rows, m, symmetric)
            ]
            for strips_done in apply(finish_strips, pieces):
                for _ in range(strips_done):
                    if check is not None:
                        check()
    return result


def _shifts(rows: slice, m: int, symmetric: bool) -> list[list[slice]]:
    """The strips right of some rows, a few at a time; on the diagonal the square comes first."""
    strips = slices(m, start=rows.stop if symmetric else 0, side=max(1, TILE // 2))
    if symmetric:
        strips = [rows, *strips]
    return [strips[at : at + _SHIFT] for at in range(0, len(strips), _SHIFT)]


@contextmanager
def _thread_pool(entries: int) -> Iterator[Callable[..., Iterator[int]]]:
    """Yield a function that does pieces of work on all cores, in order of their outcome.

    numpy lets go of the interpreter in every piece; where there is one core, or little to do, the
    work is done here.
    """
    cores = available_cores()
    if cores < 2 or entries < _WORTH_SHARING:
        yield lambda work, pieces: (work(*piece) for piece in pieces)
        return
    pool = ThreadPoolExecutor(cores, thread_name_prefix="tiles")
    try:
        yield lambda work, pieces: pool.map(lambda piece: work(*piece), pieces)
    finally:
        # One that was cancelled waits for what has begun: its arrays are about to go.
        pool.shutdown(wait=True, cancel_futures=True)


def tile_progress(context: Context, n: int) -> Check:
    """Return a `check` for the tiles of a symmetric n × n matrix that also shows progress.

    Progress is reported at most a hundred times.
    """
    high = len(slices(n))
    total = high * (high + 1) // 2
    done = 0

    def check() -> None:
        nonlocal done
        if 100 * done // total == 100 * (done - 1) // total:
            context.check()
        else:
            context.progress(done, total, "similarities")
        done += 1

    return check


def slices(n: int, *, start: int = 0, side: int = 0) -> list[slice]:
    """Return the consecutive slices of a tile's side, or of `side`, that cover start … n."""
    side = side or TILE
    return [slice(at, min(at + side, n)) for at in range(start, n, side)]


def _tile(scratch: Floats, rows: slice, columns: slice) -> Floats:
    height, width = rows.stop - rows.start, columns.stop - columns.start
    return scratch[: height * width].reshape(height, width)


def _mirror(tile: Floats) -> None:
    """Copy what is above the diagonal below it."""
    np.copyto(tile, tile.T.copy(), where=np.tri(len(tile), k=-1, dtype=np.bool_))
