"""Candidates for nearest neighbours from an inverted index: faiss, where it is installed.

Items are put into cells around some thousand centres, and an item is compared with those of the
nearest cells only. Coordinates are in single precision, so what comes out are candidates.
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
CELLS = 4.0  # times √n
PROBES = 16  # cells that are searched at first
MOST_PROBED = 8  # a share 1/8 of all cells: beyond, comparing all pairs in one product is as quick
ROUNDS, TRAINED_ON = 10, 64  # rounds of k-means, items a centre
FAR = 1e4  # times the median distance from the middle: beyond, single precision may not hold
SEED = 1234


def worth_indexing(n: int, d: int) -> bool:
    """Return whether an inverted index is quicker than exact search, and there is faiss.

    >>> worth_indexing(1000, 20)
    False
    """
    return n >= LEAST_ITEMS and d >= LEAST_COLUMNS and find_spec("faiss") is not None


class InvertedIndex:
    """Items in cells, each item to be compared with the items of the nearest cells.

    Parameters
    ----------
    base : (n, d) items to search
    workers : threads, −1 for one a core
    """

    def __init__(self, base: Floats, workers: int) -> None:
        import faiss

        self._workers = workers
        step = max(1, len(base) // 10_000)
        self._centre = np.median(base[::step], axis=0)
        # By the median, as one far item would push all others into one point.
        self._scale = float(np.median(np.linalg.norm(base[::step] - self._centre, axis=1)))
        self._scale = self._scale or float(np.abs(base - self._centre).max()) or 1.0
        n, d = (int(side) for side in base.shape)
        self.cells: int = int(CELLS * np.sqrt(n))
        self.probes = PROBES
        points = self._single(base)
        self._quantiser = faiss.IndexFlatL2(d)
        self._index: Any = faiss.IndexIVFFlat(self._quantiser, d, self.cells)
        self._index.cp.seed = SEED
        self._index.cp.niter = ROUNDS
        self._index.cp.max_points_per_centroid = TRAINED_ON
        with _threads(1):  # sums in one order, whatever the machine
            self._index.train(points)
        with _threads(workers):
            self._index.add(points)
        self._items: int = n

    @property
    def compared(self) -> int:
        """Return how many items an item is compared with, about."""
        return self.cells + self.probes * self._items // self.cells

    def widen(self) -> bool:
        """Search twice as many cells from now on; False when that would not be quicker."""
        self.probes *= 2
        return self.probes <= self.cells // MOST_PROBED

    def asking(self, queries: Floats) -> Callable[[slice, int], Ints]:
        """Return a function of rows and k: (rows, k) candidates, −1 where there are too few."""

        def ask(rows: slice, k: int) -> Ints:
            self._index.nprobe = self.probes
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
