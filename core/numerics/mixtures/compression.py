"""Learned kernels of very many items: fits on some of them, and a narrow factor of all.

Φ of 30 × 30 mixtures has 13,920 columns, but few directions count: components of different fits
stand for the same items. The rows of some items are kept while the fits come in; the leading
directions V of those rows are a basis for all, and Φ V, n × r in single precision, has the
similarities Φ Φᵀ up to an error that is measured on items which took no part in choosing V or r.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.model.arrays import Array, Floats
from coterie.core.numerics.mixtures.em_pass import narrow_rows
from coterie.core.numerics.mixtures.ensembles import (
    Ensemble,
    EnsembleParams,
    Fitter,
    column_count,
    ensemble_bytes,
    fit_ensemble,
    one_thread_each,
    stacked,
)
from coterie.core.wording import counted

LARGE = 10_000  # items above which "auto" compresses
LANDMARKS, HELD_OUT = 2000, 512
CHUNK = 8192  # items whose rows are worked out by one thread at a time
# Directions with less than this share of the largest are what single precision leaves of nothing.
ROUNDING = 1e-6
NUMBERS = 400_000_000  # of a factor: 1.6 GB
FEWEST, MOST = 100, 1000  # directions that are kept at most, between these by the items
WORKERS = os.cpu_count() or 1


class CompressedParams(EnsembleParams):
    """What is asked for by kernels that many fits add up to."""

    compress: Literal["auto", "always", "never"] = Field(
        "auto",
        description="Keep the similarities as a narrow factor, learned from some of the items; "
        "auto: above 10,000 items.",
        json_schema_extra={"advanced": True},
    )
    error: float = Field(
        1e-3,
        gt=0,
        lt=1,
        description="Relative error of the similarities up to which they are compressed.",
        json_schema_extra={
            "slider": [1e-4, 1e-1],
            "log": True,
            "advanced": True,
            "only_if": {"compress": ["auto", "always"]},
        },
    )
    learned_on: int = Field(
        LARGE,
        ge=100,
        description="Number of items that the fits are made on when compressing; the others are "
        "placed in those fits.",
        json_schema_extra={
            "slider": [1000, 100_000],
            "log": True,
            "advanced": True,
            "only_if": {"compress": ["auto", "always"]},
        },
    )

    def compresses(self, n: int) -> bool:
        """Whether n items are kept as a narrow factor."""
        return self.compress == "always" or (self.compress == "auto" and n > LARGE)

    def fitted(self, n: int) -> int:
        """How many of n items the fits are made on."""
        return min(n, self.learned_on) if self.compresses(n) else n


@dataclass(frozen=True, eq=False)
class Basis:
    """The directions that count among the columns of Φ.

    Attributes
    ----------
    directions : (columns, r) orthonormal, in single precision
    error : ‖K − K̃‖ / ‖K‖ in the Frobenius norm, among items that took no part in choosing
    largest : largest deviation of an entry there
    """

    directions: Array
    error: float
    largest: float

    def in_words(self, wanted: float) -> str:
        """Say how well it does, and that it misses what was wanted where it does."""
        said = (
            f"Compressed to {counted(self.directions.shape[1], 'direction')}: the similarities of "
            f"other items are {self.error:.2g} from the full ones, relative to their size"
        )
        if self.error > 2 * wanted:
            return f"{said}. {wanted:g} was asked for: learn from more items ('learned_on')."
        return f"{said}."


def basis_of(rows: Array, error: float, most: int) -> Basis:
    """Return the fewest directions with which held-out rows of Φ have the similarities they had.

    Parameters
    ----------
    rows : (l, columns) of Φ: landmarks first, then twice `HELD_OUT` others. Where there are few,
        all of them are landmarks and judges
    error : wanted, in the Frobenius norm and relative
    most : directions

    Examples
    --------
    >>> rows = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]], dtype=np.float32)
    >>> found = basis_of(rows, 1e-3, 10)
    >>> found.directions.shape, found.error
    ((3, 2), 1e-06)
    """
    few = len(rows) <= 4 * HELD_OUT
    landmarks = rows if few else rows[: -2 * HELD_OUT]
    choosing = rows if few else rows[-2 * HELD_OUT : -HELD_OUT]
    judging = rows if few else rows[-HELD_OUT:]
    values, vectors = np.linalg.eigh(np.asarray(landmarks @ landmarks.T, dtype=np.float64))
    order = np.flatnonzero(values > ROUNDING * values[-1])[::-1][:most]
    scaled = (vectors[:, order] / np.sqrt(values[order])).astype(np.float32)
    directions = landmarks.T @ scaled
    whole, parts = choosing @ choosing.T, choosing @ directions
    # With each direction the rest K − K̃ falls, as quadratic forms do, so halving finds the fewest.
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if _missing(whole, parts[:, :middle])[0] <= error:
            high = middle
        else:
            low = middle + 1
    kept = _turned(directions[:, : max(low, 1)])
    return Basis(kept, *_missing(judging @ judging.T, judging @ kept))


def _turned(directions: Array) -> Array:
    """Return the basis of the same space that every processor finds.

    Where eigenvalues are equal any vectors that span the same are eigenvectors, and signs are open
    as well. A projection of fixed random vectors settles both.
    """
    fixed = np.random.default_rng(0).normal(size=directions.shape)
    turn, sizes = np.linalg.qr(directions.T @ fixed)
    return np.ascontiguousarray(directions @ (turn * np.sign(np.diag(sizes))).astype(np.float32))


def _missing(whole: Array, parts: Array) -> tuple[float, float]:
    rest = np.asarray(whole, dtype=np.float64) - parts @ parts.T
    relative = float(np.linalg.norm(rest) / np.linalg.norm(whole))
    # In single precision nothing smaller is known.
    return max(relative, ROUNDING), max(float(np.abs(rest).max()), ROUNDING)


def most_directions(n: int) -> int:
    """Return how many directions n items may have: 100 to 1000, as many as 1.6 GB hold.

    >>> most_directions(10_000), most_directions(1_000_000), most_directions(10**8)
    (1000, 400, 100)
    """
    return int(np.clip(NUMBERS // max(n, 1), FEWEST, MOST))


Featured = Callable[[Floats], Floats]


def compressed_rows(
    X: Floats,
    featured: Featured,
    coefficients: Floats,
    directions: Array,
    most: int,
    starts: int,
    *,
    soft: bool,
    context: Context,
) -> Array:
    """Return Φ V for all items, (n, r) in single precision, by chunks on all cores.

    Parameters
    ----------
    X : (n, d) items
    featured : from a chunk of them to the features that the fits score them by
    coefficients : (columns, p) of an ensemble
    directions : (columns, r) V
    soft : whether an item has a share in every component, or is in one
    """
    stacks = stacked(coefficients, directions, most, starts)
    scale = 1.0 / np.sqrt(starts * (most - 1))

    def rows_of(chunk: Floats) -> Array:
        return narrow_rows(featured(chunk), stacks, starts, scale, soft=soft, check=context.check)

    n = len(X)
    factor = np.empty((n, directions.shape[1]), dtype=np.float32)
    chunks = [slice(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK)]
    found = context.each(rows_of, (X[rows] for rows in chunks))
    with one_thread_each(), closing(found):
        for rows, part in zip(chunks, found, strict=True):
            factor[rows] = part
            context.progress(rows.stop, n, f"{rows.stop:,} of {n:,} items placed")
    return factor


@dataclass(frozen=True)
class Learned:
    """What is to be said and kept of a compression; nothing where there was none."""

    notes: tuple[str, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)
    """For the model."""


def learn(
    fitter: Callable[[Floats], Fitter],
    X: Floats,
    featured: Featured,
    params: CompressedParams,
    *,
    soft: bool,
    context: Context,
) -> tuple[Ensemble, Learned]:
    """Fit to all items, or to some and place the others, as `params` ask.

    Parameters
    ----------
    fitter : from items to what fits them, for `fit_ensemble`
    X : (n, d) all items
    featured : from items to the features that coefficients belong to
    params : how many fits, and how they are compressed
    soft : whether an item has a share in every component, or is in one
    """
    most, starts, n = params.max_components, params.initialisations, len(X)
    if not params.compresses(n):
        return fit_ensemble(fitter(X), n, most, starts, context), Learned()
    m = max(params.fitted(n), min(n, most + 1))
    # Streams of their own: the fits are the same as those of all items where all take part.
    draw = np.random.default_rng(context.seed)
    fitted = np.arange(n) if m == n else np.sort(draw.choice(n, m, replace=False))
    kept = draw.permutation(m)[: LANDMARKS + 2 * HELD_OUT]
    found = fit_ensemble(fitter(X[fitted]), m, most, starts, context, kept=kept, among=(fitted, n))
    with one_thread_each():
        basis = basis_of(found.matrix["factor"], params.error, most_directions(n))
    factor = compressed_rows(
        X, featured, found.coefficients, basis.directions, most, starts, soft=soft, context=context
    )
    matrix = {"factor": factor, "error": basis.largest}
    said = [f"Fitted to {m:,} of {n:,} items; the others are placed in those fits."] * (m < n)
    return (
        replace(found, matrix=matrix),
        Learned(
            (*said, basis.in_words(params.error)),
            {"fitted": m, "compression_error": basis.error},
            {"directions": basis.directions},
        ),
    )


def learning_bytes(n: int, d: int, p: int, params: CompressedParams) -> int:
    """Return the memory that `learn` takes for n items of d columns and p features."""
    most, starts = params.max_components, params.initialisations
    if not params.compresses(n):
        return ensemble_bytes(n, p, most, starts)
    columns, m = column_count(most, starts), params.fitted(n)
    kept = min(m, LANDMARKS + 2 * HELD_OUT)
    # Some 150 directions do for an error of a thousandth; they grow as its inverse square root.
    directions = min(most_directions(n), columns, 20 + int(130 * (1e-3 / params.error) ** 0.5))
    at_work = (WORKERS + 1) * 8 * starts * most * (2 * m + 6 * p) + 8 * m * p
    sketched = 4 * kept * columns + 40 * kept**2
    return at_work + sketched + 4 * directions * (n + 2 * columns) + 24 * n * d + (64 << 20)


def summing_seconds(n: int, p: int, params: CompressedParams) -> float:
    """Return the time it takes to make the kernel from the fits."""
    columns = column_count(params.max_components, params.initialisations)
    if not params.compresses(n):
        return 2e-11 * n * min(n, columns) * columns
    return 5.0 + n * columns * (4e-11 * p + 4e-9) / WORKERS
