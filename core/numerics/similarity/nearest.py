"""The group of the nearest labelled item, for very many new items.

Distances are compared in float32, where a matrix product is fastest. Wherever rounding could have
changed which group is nearest, they are compared again in float64, so every label is the one
that float64 gives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from itertools import pairwise
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.ties import smallest

# Products of samples × pixels at a time: so few that they stay in the caches, so many that
# what is done once for all of them costs little.
PRODUCTS = 1 << 20
# Unit of rounding in float32.
ROUNDING = 2.0**-24
_DOUBLES = 1 << 20

Check = Callable[[], None]
BETWEEN_CHECKS = 0.05


class _Scratch:
    """Room for one piece of the work, used again for each: fresh memory costs time."""

    def __init__(self, sides: tuple[int, ...], high: int) -> None:
        samples, columns = sides
        self.points = np.ones((columns, high), dtype=np.float32)
        self.products = np.empty((samples, high), dtype=np.float32)
        self.least, self.second, self.own, self.farther = np.empty((4, high), dtype=np.float32)
        self.nearer = np.empty(high, dtype=np.bool_)

    def of(self, high: int) -> _Scratch:
        """Return the room for a piece that is no higher than this one."""
        if high == len(self.least):
            return self
        part = copy(self)
        for name, room in vars(self).items():
            setattr(part, name, room[..., :high])
        return part


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
        # A centre that float32 holds exactly is taken off float32 items without a detour.
        self._centre = self._samples.mean(axis=0).astype(np.float32).astype(np.float64)
        if not np.isfinite(self._centre).all():
            self._centre = np.zeros(self._samples.shape[1])
        self._centre32 = self._centre.astype(np.float32)[:, None]
        centred = self._samples - self._centre
        self._spread = float(np.sqrt(np.square(centred).mean())) or 1.0
        order = np.argsort(labels, kind="stable")
        scaled = centred[order] / self._spread
        squares = np.einsum("ij,ij->i", scaled, scaled)
        # |x − s|² without |x|², which is the same for all samples: one product gives it, of items
        # that are centred but not scaled.
        sides = np.concatenate([-2 * scaled / self._spread, squares[:, None]], axis=1)
        with np.errstate(over="ignore", under="ignore"):
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
        check : called about every 50 ms, to let a run be cancelled
        workers : threads to use

        Memory: the labels, and a few megabytes for each thread.
        """
        found = np.empty(len(X), dtype=np.int64)
        if len(self._present) == 1:
            found[:] = self._present[0]
            return found
        high = max(256, PRODUCTS // len(self._samples))
        pieces = iter([slice(at, min(at + high, len(X))) for at in range(0, len(X), high)])
        stop = threading.Event()

        def work() -> None:
            scratch = _Scratch(self._sides.shape, high)
            for piece in pieces:  # each thread takes the next piece that nobody has
                if stop.is_set():
                    return
                self._label(X[piece], found[piece], scratch)

        from threadpoolctl import threadpool_limits

        # A thread for each core and one core for each product: else they wait for each other,
        # the longer the busier the machine is.
        with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(max(1, workers)) as pool:
            working = [pool.submit(work) for _ in range(max(1, workers))]
            try:
                while wait(working, BETWEEN_CHECKS).not_done:
                    if check is not None:
                        check()
            except BaseException:
                stop.set()
                raise
            for done in working:
                done.result()
        return found

    def _label(self, X: Floats, out: Ints, scratch: _Scratch) -> None:
        room = scratch.of(len(X))
        points = room.points[:-1]
        with np.errstate(over="ignore", invalid="ignore"):
            if X.dtype == np.float32:
                np.subtract(X.T, self._centre32, out=points)
            else:
                points[:] = (X - self._centre).T
            np.matmul(self._sides, room.points, out=room.products)
            self._find_nearest(room, out)
            # Mostly the widest bound, as if every number were as large as the largest, will do.
            widest = max(float(points.max()), -float(points.min())) * np.sqrt(len(points))
            if room.second.min() > self._doubt(widest):
                return
            lengths = np.sqrt(np.einsum("ij,ij->j", points, points))
            unsure = ~(room.second > self._doubt(lengths))  # also where one is not a number
        if unsure.any():
            out[unsure] = self._exactly(X[unsure])

    def _find_nearest(self, room: _Scratch, out: Ints) -> None:
        """Find which group has the least product of each column, and how far the next group is.

        Group by group rather than sample by sample: only the group matters.
        """
        products, least, second, own = room.products, room.least, room.second, room.own
        segments = iter(self._segments)
        a, b = next(segments)
        np.minimum.reduce(products[a:b], axis=0, out=least)
        second.fill(np.inf)
        out[:] = self._present[0]
        for group, (a, b) in zip(self._present[1:], segments, strict=True):
            np.minimum.reduce(products[a:b], axis=0, out=own)
            np.maximum(least, own, out=room.farther)
            np.minimum(second, room.farther, out=second)
            np.less(own, least, out=room.nearer)
            np.copyto(out, group, where=room.nearer)
            np.minimum(least, own, out=least)
        second -= least

    def _doubt(self, lengths: Any) -> Any:
        """How far apart two products may come out that are equal: a bound on their rounding.

        A sum of d + 1 products is off by at most (d + 1) · u · Σ |a||b|, the numbers in them by
        a few u each, and Σ |a||b| ≤ 2 |x||s| + |s|² (Cauchy and Schwarz).
        """
        bound = 2.2 * (self._samples.shape[1] + 8) * ROUNDING * self._largest
        return lengths * (2 * bound / self._spread) + bound * self._largest

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


def nearest_of_few(X: Floats, samples: Floats, check: Check | None = None) -> Ints:
    """Return which of a few thousand samples is nearest to each row, compared in float32.

    Good enough for a picture: of samples whose distances differ by rounding, either may be taken.

    >>> nearest_of_few(np.array([[1.0], [9.0]]), np.array([[0.0], [10.0]])).tolist()
    [0, 1]
    """
    centre = samples.mean(axis=0)
    centred = samples - centre
    spread = float(np.sqrt(np.square(centred).mean())) or 1.0
    scaled = centred / spread
    squares = np.einsum("ij,ij->i", scaled, scaled).astype(np.float32)
    sides = np.ascontiguousarray((-2 * scaled).T, dtype=np.float32)
    found = np.empty(len(X), dtype=np.int64)
    high = max(64, PRODUCTS // max(1, len(samples)))
    with np.errstate(over="ignore", invalid="ignore"):
        for at in range(0, len(X), high):
            if check is not None:
                check()
            some = ((X[at : at + high] - centre) / spread).astype(np.float32)
            products = some @ sides
            products += squares
            found[at : at + high] = products.argmin(axis=1)
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
        nearest = smallest(apart, neighbours)
        distances = np.take_along_axis(apart, nearest, axis=1)
        # By distance, and of equals the first sample.
        order = np.argsort(distances, axis=1, kind="stable")
        nearest = np.take_along_axis(nearest, order, axis=1)
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
