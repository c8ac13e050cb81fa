"""Mixtures of every number of components, fitted on all cores, and the kernel they add up to.

K = ΦΦᵀ where Φ has the shares of all components of all fits side by side, divided by the root of
the number of fits. It is kept as Φ when that is narrower than the items are many; otherwise the
products are summed as the fits come in, and Φ is never there as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.core.api.context import Context
from coterie.core.api.parameters import Field, Params
from coterie.core.api.partial_affinity import Glimpse, evenly_drawn
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Array, Floats, Ints
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Model
from coterie.core.numerics.mixtures.em_pass import narrow_rows, shares_of
from coterie.core.numerics.similarity.distances import row_blocks
from coterie.core.numerics.similarity.tiles import Check


class EnsembleParams(Params):
    """How many fits there are, and of how many groups."""

    initialisations: int = Field(
        30,
        ge=1,
        description="Starts Q for each number of groups; more give a smoother kernel.",
        json_schema_extra={"slider": [1, 50]},
    )
    max_components: int = Field(
        30,
        ge=2,
        description="Largest number of groups G; more show finer structure.",
        json_schema_extra={"slider": [2, 50]},
    )


@dataclass(frozen=True)
class Fits:
    """All fits with the same number of components."""

    coefficients: Floats
    """(g, fits, p)"""
    shares: Floats
    """(n, fits, g): of each component in each item."""
    objective: float
    """Mean over the fits."""
    tallies: Mapping[str, int] = field(default_factory=dict)
    """What to count over all fits, such as how many did not converge."""


@dataclass(frozen=True)
class Ensemble:
    """The kernel and the fits behind it."""

    matrix: dict[str, Any]
    """`values`, the (n, n) kernel, or `factor`, the (n, columns) Φ."""
    coefficients: Floats
    """(columns, p): by number of components, then by fit."""
    objective: float
    """Mean over all fits."""
    tallies: Mapping[str, int]

    def kernel(
        self, title: str, data: Dataset, notes: tuple[str, ...], details: Mapping[str, Any]
    ) -> Affinity:
        """Return the kernel as the similarities of the items of `data`."""
        return Affinity(
            **self.matrix,
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title=title,
            dataset=data,
            notes=notes,
            details={**details, **self.tallies},
        )


Fitter = Callable[[int, np.random.Generator], Fits]


def column_count(most: int, starts: int) -> int:
    """Return how many components there are in all: starts × (2 + 3 + … + most).

    >>> column_count(30, 30)
    13920
    """
    return starts * (most * (most + 1) // 2 - 1)


def fit_ensemble(
    fit: Fitter,
    n: int,
    most: int,
    starts: int,
    context: Context,
    *,
    kept: Ints | None = None,
    among: tuple[Ints, int] | None = None,
) -> Ensemble:
    """Fit with 2 … `most` components and add up the kernel, the same wherever the fits are made.

    Each number of components has its own stream of random numbers, and what is fitted is taken in
    in a fixed order. Large and small numbers take turns: both the fine and the coarse similarities
    are there after two of them, and the last one holds up nobody.

    Parameters
    ----------
    fit : `fit(g, rng)` fits `starts` times g components; called from several threads, or on
        machines of a cluster
    n : number of items
    kept : (l,) items whose rows of Φ alone are kept, in single precision; by default the kernel of
        all is
    among : where the n items are some of more: which of them, and how many there are, to show
    """
    order = list(_in_turns(most))
    streams = context.rng.spawn(most - 1)
    gathering = _Gathering(n, most, starts, context, kept, among)

    def work(given: tuple[int, np.random.Generator]) -> Fits:
        return fit(*given)

    fits_of = context.each(work, [(g, streams[g - 2]) for g in order])
    with one_thread_each(), closing(fits_of):
        for g, fits in zip(order, fits_of, strict=True):
            gathering.add(g, fits)
    return gathering.finish()


def one_thread_each() -> AbstractContextManager[Any]:
    """Keep matrix products to one thread: the cores are busy with other fits.

    It also makes results the same on any number of cores, as products are summed in another order
    when they are divided among threads.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(limits=1, user_api="blas")
    return limits


def ensemble_bytes(n: int, p: int, most: int, starts: int) -> int:
    """Return the memory that `fit_ensemble` takes: the kernel, the model, and the fits at work."""
    columns, cores = column_count(most, starts), os.cpu_count() or 1
    at_work = starts * most * (2 * n + 6 * p)
    return 8 * (n * min(n, columns) + columns * p + n * p + (cores + 1) * at_work) + (16 << 20)


def kernel_of_new(
    model: Model, features: Floats, data: Dataset, *, soft: bool, check: Check | None = None
) -> Affinity:
    """Return the similarities of new items among each other, as their rows of Φ.

    Parameters
    ----------
    model : with the `coefficients` of an ensemble, and how many fits it has in its settings
    features : (m, p) of the new items, as those that were fitted
    data : the new items
    soft : whether an item has a share in every component, or is in one
    """
    most, starts = model.settings["max_components"], model.settings["initialisations"]
    coefficients, directions = model.arrays["coefficients"], model.arrays.get("directions")
    factor: Array
    if directions is None:
        factor = shares_of_new(coefficients, features, most, starts, soft=soft, check=check)
    else:
        stacks = stacked(coefficients, directions, most, starts)
        scale = 1.0 / np.sqrt(starts * (most - 1))
        factor = narrow_rows(features, stacks, starts, scale, soft=soft, check=check)
    return Affinity(factor=factor, positive_semidefinite=True, title=model.title, dataset=data)


def shares_of_new(
    coefficients: Floats,
    features: Floats,
    most: int,
    starts: int,
    *,
    soft: bool,
    check: Check | None = None,
) -> Floats:
    """Return the rows of Φ for new items: (m, columns).

    The similarity of two items is the product of their rows, whether they are new or were fitted.
    """
    factor = np.empty((len(features), len(coefficients)))
    for g in range(2, most + 1):
        columns = columns_of(g, starts)
        stacked = coefficients[columns].reshape(starts, g, -1).transpose(1, 0, 2)
        out = np.empty((len(features), starts, g))
        shares_of(stacked, features, out, soft=soft, check=check)
        factor[:, columns] = out.reshape(len(features), -1)
    factor /= np.sqrt(starts * (most - 1))
    return factor


def stacked(
    coefficients: Floats, directions: Array, most: int, starts: int
) -> list[tuple[Floats, Array]]:
    """Return coefficients and rows of `directions` for each number of components."""
    columns = [columns_of(g, starts) for g in range(2, most + 1)]
    return [(coefficients[some], directions[some]) for some in columns]


def columns_of(g: int, starts: int) -> slice:
    """Return the columns of Φ that belong to fits with g components, by fit."""
    first = column_count(g - 1, starts) if g > 2 else 0
    return slice(first, column_count(g, starts))


def _in_turns(most: int) -> Iterator[int]:
    low, high = 2, most
    while low < high:
        yield high
        yield low
        low, high = low + 1, high - 1
    if low == high:
        yield low


class _Gathering:
    """Takes in the fits one by one, always in the same order: sums depend on it."""

    def __init__(
        self,
        n: int,
        most: int,
        starts: int,
        context: Context,
        kept: Ints | None,
        among: tuple[Ints, int] | None,
    ) -> None:
        self._kept, self._subset = kept, among
        self._starts, self._fits = starts, starts * (most - 1)
        self._context = context
        columns = column_count(most, starts)
        self._total, self._done = columns, 0
        self._narrow = columns < n or kept is not None
        self._matrix: Array
        if kept is None:
            self._matrix = np.zeros((n, columns if self._narrow else n))
        else:
            self._matrix = np.zeros((len(kept), columns), dtype=np.float32)
        self._coefficients: Floats | None = None
        self._degrees, self._shown = np.zeros(n), np.zeros(n)
        self._seen = evenly_drawn(n)
        self._seen_products = np.zeros((len(self._seen), len(self._seen)))
        self._objectives: list[float] = []
        self._tallies: dict[str, int] = {}
        self._taken = 0

    def add(self, g: int, fits: Fits) -> None:
        """Take in all fits with g components, and show what the kernel is now."""
        self._taken += 1
        n, columns = len(fits.shares), columns_of(g, self._starts)
        shares = fits.shares.reshape(n, -1)
        if self._coefficients is None:
            self._coefficients = np.empty((self._total, fits.coefficients.shape[2]))
        self._coefficients[columns] = fits.coefficients.transpose(1, 0, 2).reshape(
            shares.shape[1], -1
        )
        if self._narrow:
            self._matrix[:, columns] = shares if self._kept is None else shares[self._kept]
        else:
            self._add_products(shares)
        self._degrees += shares @ shares.sum(axis=0)
        self._seen_products += shares[self._seen] @ shares[self._seen].T
        self._objectives.append(fits.objective)
        for name, count in fits.tallies.items():
            self._tallies[name] = self._tallies.get(name, 0) + count
        self._show(g, shares.shape[1])

    def _add_products(self, shares: Floats) -> None:
        """Above the diagonal only, by blocks of some 20 ms; mirrored at the end."""
        for rows in row_blocks(len(shares), len(shares), block_bytes=1 << 22):
            self._context.check()
            self._matrix[rows, rows.start :] += shares[rows] @ shares[rows.start :].T

    def _mirror(self) -> None:
        K = self._matrix
        for rows in row_blocks(len(K), len(K)):
            self._context.check()
            K[rows.stop :, rows] = K[rows, rows.stop :].T
            square = K[rows, rows]
            below = np.tri(len(square), k=-1, dtype=np.bool_)
            np.copyto(square, square.T.copy(), where=below)

    def _show(self, g: int, columns: int) -> None:
        """The running kernel: how typical each item is in it, and the kernel itself of some.

        It is the mean over the fits that are in, and so an estimate of the whole from the first.
        """
        self._done += columns
        shares = self._degrees / self._degrees.sum()
        done = self._taken * self._starts
        shown, seen, n = shares, self._seen, len(shares)
        if self._subset is not None:
            items, n = self._subset
            seen, shown = items[seen], np.zeros(n)
            shown[items] = shares
        self._context.frame(
            self._taken,
            objective=float(np.mean(self._objectives)),
            residual=float(np.abs(shares - self._shown).sum()),
            support=done,
            phase=f"{g} components",
            shares=shown,
            glimpse=Glimpse(self._seen_products / done, seen, n),
        )
        self._shown = shares
        self._context.progress(self._done, self._total, f"{done} of {self._fits} fits")

    def finish(self) -> Ensemble:
        """Return the kernel and the fits behind it, when all are in."""
        assert self._coefficients is not None
        if self._narrow:
            self._matrix /= np.sqrt(self._fits)
            form = "factor"
        else:
            self._mirror()
            self._matrix /= self._fits
            # Rounding can leave what is one a hair above it.
            np.minimum(self._matrix, 1.0, out=self._matrix)
            form = "values"
        return Ensemble(
            {form: self._matrix},
            self._coefficients,
            float(np.mean(self._objectives)),
            self._tallies,
        )
