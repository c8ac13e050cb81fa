"""The group of the nearest labelled item, for very many new items.

Distances are compared in float32, where a matrix product is fastest. Wherever rounding could have
changed which group is nearest, they are compared again in float64, so that every label is the one
that float64 gives.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from coterie.core.arrays import Array, Floats, Ints

# Products of samples × pixels of this many entries stay in the caches of one core.
PRODUCTS = 1 << 19
# Unit of rounding in float32.
ROUNDING = 2.0**-24
_DOUBLES = 1 << 20

Check = Callable[[], None]


class NearestGroup:
    """Labelled samples, prepared for being compared with very many items.

    Parameters
    ----------
    samples : (m, d) float64
    labels : (m,) group of each, from 0

    Examples
    --------
    >>> near = NearestGroup(np.array([[0.0], [10.0]]), np.array([0, 1]))
    >>> near.labels_of(np.array([[1.0], [9.0], [5.0]])).tolist()
    [0, 1, 0]
    """

    def __init__(self, samples: Floats, labels: Ints) -> None:
        self._samples = np.asarray(samples, dtype=np.float64)
        self._labels = labels
        self._centre = self._samples.mean(axis=0)
        centred = self._samples - self._centre
        self._spread = float(np.sqrt(np.square(centred).mean())) or 1.0
        order = np.argsort(labels, kind="stable")
        scaled = centred[order] / self._spread
        squares = np.einsum("ij,ij->i", scaled, scaled)
        # |x − s|² without |x|², which is the same for all samples: one product gives it.
        sides = np.concatenate([-2 * scaled, squares[:, None]], axis=1)
        self._sides = np.ascontiguousarray(sides, dtype=np.float32)
        self._largest = float(np.sqrt(squares.max()))
        self._present = np.unique(labels)
        starts = np.searchsorted(labels[order], self._present)
        self._segments = list(pairwise([*starts.tolist(), len(order)]))

    def labels_of(self, X: Floats, *, check: Check | None = None, workers: int = 1) -> Ints:
        """Return the group of the sample nearest to each row of X; of equals, the first sample's.

        Parameters
        ----------
        X : (n, d) finite
        check : called for every piece of the work, to let a run be cancelled
        workers : threads to use

        Memory: the labels, and a few megabytes for each thread.
        """
        found = np.empty(len(X), dtype=np.int64)
        high = max(256, PRODUCTS // len(self._samples))
        pieces = [slice(at, min(at + high, len(X))) for at in range(0, len(X), high)]
        if len(self._present) == 1:
            found[:] = self._present[0]
            return found
        from threadpoolctl import threadpool_limits

        # A thread for each core and one core for each product: else they wait for each other,
        # the longer the busier the machine is.
        with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(max(1, workers)) as pool:
            done = pool.map(lambda piece: self._label(X[piece], found[piece]), pieces)
            try:
                for _ in done:
                    if check is not None:
                        check()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return found

    def _label(self, X: Floats, out: Ints) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            points = np.empty((X.shape[1] + 1, len(X)), dtype=np.float32)
            np.subtract(X.T, self._centre[:, None], out=points[:-1], casting="same_kind")
            points[:-1] /= self._spread
            points[-1] = 1
            products = self._sides @ points
            # Group by group: only which group is nearest matters, and how far the next one is.
            best = np.stack([products[a:b].min(axis=0) for a, b in self._segments])
            nearest = best.argmin(axis=0)
            least = np.take_along_axis(best, nearest[None], axis=0)[0]
            np.put_along_axis(best, nearest[None], np.inf, axis=0)
            margin = best.min(axis=0) - least
            lengths = np.sqrt(np.einsum("ij,ij->j", points[:-1], points[:-1]))
            unsure = ~(margin > self._doubt(lengths))  # also where a product is not a number
        out[:] = self._present[nearest]
        if unsure.any():
            out[unsure] = self._exactly(X[unsure])

    def _doubt(self, lengths: Array) -> Array:
        """How far apart two products may come out that are equal: a bound on their rounding.

        A sum of d + 1 products is off by at most (d + 1) · u · Σ |a||b|, the numbers in them by
        a few u each, and Σ |a||b| ≤ 2 |x||s| + |s|² (Cauchy and Schwarz).
        """
        roundings = (self._samples.shape[1] + 8) * ROUNDING
        return np.asarray(2.2 * roundings * (2 * lengths * self._largest + self._largest**2))

    def _exactly(self, X: Floats) -> Ints:
        """The same from differences in float64, a few rows at a time."""
        found = np.empty(len(X), dtype=np.int64)
        high = max(1, _DOUBLES // self._samples.size)
        with np.errstate(over="ignore"):
            for at in range(0, len(X), high):
                some = np.asarray(X[at : at + high], dtype=np.float64)
                apart = some[:, None, :] - self._samples[None]
                nearest = np.einsum("ijk,ijk->ij", apart, apart).argmin(axis=1)
                found[at : at + high] = self._labels[nearest]
        return found


def vote_of_nearest(
    X: Floats, samples: Floats, labels: Ints, k: int, neighbours: int, check: Check | None = None
) -> Ints:
    """Return the group that most of the nearest samples of each row belong to.

    Of groups with as many, the one whose member is nearest wins.

    Examples
    --------
    >>> samples, labels = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1])
    >>> vote_of_nearest(np.array([[0.0]]), samples, labels, 2, 3).tolist()
    [1]
    """
    neighbours = min(neighbours, len(samples))
    centre = samples.mean(axis=0)
    centred = samples - centre
    squares = np.einsum("ij,ij->i", centred, centred)
    found = np.empty(len(X), dtype=np.int64)
    high = max(64, _DOUBLES // max(1, len(samples)))
    for at in range(0, len(X), high):
        if check is not None:
            check()
        some = np.asarray(X[at : at + high], dtype=np.float64) - centre
        with np.errstate(over="ignore", invalid="ignore"):
            apart = squares - 2 * (some @ centred.T)
        nearest = np.argpartition(apart, neighbours - 1, axis=1)[:, :neighbours]
        distances = np.take_along_axis(apart, nearest, axis=1)
        # By distance, and of equals the first sample.
        nearest = np.take_along_axis(nearest, np.lexsort((nearest, distances), axis=1), axis=1)
        votes = labels[nearest]
        counts = np.zeros((len(some), k), dtype=np.int64)
        for j in range(neighbours):
            counts[np.arange(len(some)), votes[:, j]] += 1
        most = counts.max(axis=1)
        winner = votes[:, 0].copy()
        for j in range(neighbours - 1, -1, -1):  # the nearest has the last word
            tied = counts[np.arange(len(some)), votes[:, j]] == most
            winner[tied] = votes[tied, j]
        found[at : at + high] = winner
    return found
