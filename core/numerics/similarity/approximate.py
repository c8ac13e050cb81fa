"""Candidates for nearest neighbours from an inverted index: faiss, where it is installed.

Items are put into cells around some thousand centres, and an item is compared with those of the
nearest cells only. Coordinates are in single precision, so what comes out are candidates. Where
very many would have to be compared, each coordinate is first compared by four bits that say where
it is within its cell, 32 items at once, and the nearest of these once more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, Ints

LEAST_ITEMS = 20_000  # below, comparing all pairs takes about a second
LEAST_COLUMNS = 5  # below, a tree is quicker
CELLS, PROBES = 4.0, 16  # times √n, and how many of them are searched at first
CODED_CELLS, CODED_PROBES = 1.0, 8  # the same where coordinates have four bits
CODED_COLUMNS = 10, 128  # fewer say too little in four bits, for more the tables are long
MOST_PROBED = 8  # a share 1/8 of all cells: beyond, comparing all pairs in one product is as quick
MANY_COMPARED = 4000  # items an item is compared with, beyond which four bits are quicker
CANDIDATES = 5.0  # times what is asked for, to be compared again after four bits
ROUNDS, TRAINED_ON = 10, 64  # rounds of k-means, items a centre
FAR = 1e4  # times the median distance from the middle: beyond, single precision may not hold
WITHIN_A_QUERY = 13  # faiss' way of going through cells in one order, however many threads
SEED = 1234


def worth_indexing(n: int, d: int) -> bool:
    """Return whether an inverted index is quicker than exact search, and there is faiss.

    >>> worth_indexing(1000, 20)
    False
    """
    return n >= LEAST_ITEMS and d >= LEAST_COLUMNS and find_spec("faiss") is not None


def ways(n: int, d: int) -> list[tuple[bool, float]]:
    """Return which indices to try: by four bits or not, and up to how many compared items.

    >>> ways(100_000, 20), ways(100_000, 5)
    ([(False, 4000), (True, inf), (False, inf)], [(False, inf)])
    """
    if not CODED_COLUMNS[0] <= d <= CODED_COLUMNS[1]:
        return [(False, np.inf)]
    every = [(False, MANY_COMPARED), (True, np.inf), (False, np.inf)]
    return every if _compared(n, int(CELLS * np.sqrt(n)), PROBES) <= MANY_COMPARED else every[1:]


def _compared(n: int, cells: int, probes: int) -> int:
    return cells + probes * n // cells


class InvertedIndex:
    """Items in cells, each item to be compared with the items of the nearest cells.

    Parameters
    ----------
    base : (n, d) items to search
    workers : threads, −1 for one a core
    coded : whether items are compared by four bits a column first
    """

    def __init__(self, base: Floats, workers: int, *, coded: bool = False) -> None:
        import faiss

        self._workers = workers
        step = max(1, len(base) // 10_000)
        self._centre = np.median(base[::step], axis=0)
        # By the median, as one far item would push all others into one point.
        self._scale = float(np.median(np.linalg.norm(base[::step] - self._centre, axis=1)))
        self._scale = self._scale or float(np.abs(base - self._centre).max()) or 1.0
        n, d = (int(side) for side in base.shape)
        self.cells: int = int((CODED_CELLS if coded else CELLS) * np.sqrt(n))
        self.probes = CODED_PROBES if coded else PROBES
        points = self._single(base)
        quantiser = faiss.IndexFlatL2(d)
        index: Any = (
            faiss.IndexIVFPQFastScan(quantiser, d, self.cells, d, 4)
            if coded
            else faiss.IndexIVFFlat(quantiser, d, self.cells)
        )
        index.cp.seed = SEED
        index.cp.niter = ROUNDS
        index.cp.max_points_per_centroid = TRAINED_ON
        index.cp.min_points_per_centroid = 1  # with fewer than it likes, faiss prints a warning
        if coded:
            index.by_residual = True
        with _threads(1):  # sums in one order, whatever the machine
            index.train(points)
        with _threads(workers):
            index.add(points)
        self._inside = quantiser, index  # faiss does not keep them itself
        self._coded = coded
        self._index: Any = faiss.IndexRefineFlat(index, faiss.swig_ptr(points)) if coded else index
        self._more, self._widened = CANDIDATES, 0
        self._items: int = n

    @property
    def compared(self) -> int:
        """Return how many items an item is compared with, about."""
        return _compared(self._items, self.cells, self.probes)

    @property
    def load(self) -> int:
        """Return what an item adds to a chunk: items it is compared with, or bytes of tables."""
        # Of each cell and column sixteen entries, in single precision and in eight bits.
        tables = 5 * 16 * self.probes * int(self._index.d) if self._coded else 0
        return max(self.compared, tables)

    def __getstate__(self) -> dict[str, Any]:
        """Go to another process with the index alone, which has the others inside."""
        return {**vars(self), "_inside": None}

    def widen(self) -> bool:
        """Search twice as many cells from now on; False when that would not be quicker.

        Every second time twice as many candidates are compared again.
        """
        self._widened += 1
        self._more *= 2 - self._widened % 2
        self.probes *= 2
        return self.probes <= self.cells // MOST_PROBED

    def asking(self, queries: Floats) -> Callable[[slice, int], Ints]:
        """Return a function of rows and k: (rows, k) candidates, −1 where there are too few."""

        def ask(rows: slice, k: int) -> Ints:
            index: Any = self._index
            if self._coded:
                import faiss

                index.k_factor = self._more
                index = faiss.downcast_index(index.base_index)
                index.implem = WITHIN_A_QUERY
            index.nprobe = self.probes
            with _threads(self._workers):
                return np.asarray(self._index.search(self._single(queries[rows]), k)[1])

        return ask

    def unsure(self, queries: Floats) -> Array:
        """Return which items are so far out that single precision cannot compare them."""
        return np.asarray(self._lengths(queries) > FAR)

    def _lengths(self, X: Floats) -> Floats:
        return np.asarray(np.linalg.norm((X - self._centre) / self._scale, axis=1))

    def _single(self, X: Floats) -> Array:
        """In single precision; what is too far out is moved nearer, in its direction."""
        scaled = (X - self._centre) / self._scale
        shrink = np.minimum(1.0, FAR / np.maximum(np.linalg.norm(scaled, axis=1), FAR))
        return np.ascontiguousarray(scaled * shrink[:, None], dtype=np.float32)


@contextmanager
def _threads(workers: int) -> Iterator[None]:
    """Let faiss use so many threads for a while; it keeps one number for all of them."""
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(workers if workers > 0 else os.cpu_count() or 1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)
