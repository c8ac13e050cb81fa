"""Places whose distances are near those asked for: classical scaling and stress majorisation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.numerics.similarity.tiles import Check

FEW = 500  # items up to which all eigenvectors are worked out at once
ROWS = 1 << 20  # distances at a time


@dataclass(frozen=True)
class Scaled:
    """Places by classical scaling, and what is needed to place further items.

    Attributes
    ----------
    places : (n, m)
    values : (m,) leading eigenvalues of the inner products; of others than Euclidean distances
        some may be negative, and their coordinates are 0
    mean_squares : (n,) the mean squared distance of each item to all
    """

    places: Floats
    values: Floats
    mean_squares: Floats

    def place(self, squared: Floats) -> Floats:
        """Return the places of new items by their squared distances (t, n) to these (Gower)."""
        scale = np.divide(1.0, self.values, out=np.zeros_like(self.values), where=self.values > 0)
        return np.asarray(-0.5 * (squared - self.mean_squares) @ (self.places * scale))


def classical_scaling(squared: Floats, components: int, rng: np.random.Generator) -> Scaled:
    """Return the places whose inner products are nearest to those of given squared distances.

    Parameters
    ----------
    squared : (n, n) symmetric
    rng : where the iteration for many items begins

    Memory: another matrix of that size.

    Examples
    --------
    >>> away = np.array([[0.0, 9.0], [9.0, 0.0]])
    >>> abs(classical_scaling(away, 1, np.random.default_rng(0)).places).round(6).tolist()
    [[1.5], [1.5]]
    """
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh

    n = len(squared)
    means = squared.mean(axis=1)
    inner = squared - means
    inner -= means[:, None]
    inner += means.mean()
    inner *= -0.5
    m = min(components, n)
    if n <= FEW or m >= n - 1:
        values, vectors = eigh(inner, subset_by_index=(n - m, n - 1))
    else:
        values, vectors = eigsh(inner, k=m, which="LA", v0=rng.normal(size=n))
    order = np.argsort(-values)
    values, vectors = values[order], vectors[:, order]
    # Rounding may leave a speck where there is nothing.
    values = np.where(values > 1e-12 * max(float(values.max(initial=0.0)), 0.0), values, 0.0)
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(m)])
    vectors = vectors * np.where(signs == 0, 1.0, signs)
    places = np.zeros((n, components))
    places[:, :m] = vectors * np.sqrt(values)
    padded = np.zeros(components)
    padded[:m] = values
    return Scaled(places, padded, means)


def majorise(
    distances: Floats, places: Floats, *, iterations: int, check: Check | None = None
) -> Iterator[tuple[Floats, float]]:
    """Yield better and better places and their stress: each step is the minimum of a bound.

    The stress √(Σ (d − δ)² / Σ δ²) over pairs never rises (SMACOF of de Leeuw). 0.0 is perfect.

    Examples
    --------
    >>> away = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> [round(s, 6) for _, s in majorise(away, np.array([[0.0], [1.0]]), iterations=2)]
    [0.5, 0.0]
    """
    n = len(distances)
    total = float(np.sqrt(np.square(distances).sum())) or 1.0
    high = max(1, ROWS // n)
    for _ in range(iterations):
        moved, squares = np.empty_like(places), 0.0
        for at in range(0, n, high):
            if check is not None:
                check()
            rows = slice(at, at + high)
            away = _distances(places[rows], places)
            squares += float(np.square(away - distances[rows]).sum())
            ratio = _ratio(distances[rows], away)
            moved[rows] = (ratio.sum(axis=1)[:, None] * places[rows] - ratio @ places) / n
        yield places, float(np.sqrt(squares)) / total
        places = moved - moved.mean(axis=0)


def settle_by_stress(
    distances: Floats,
    start: Floats,
    fixed: Floats,
    *,
    iterations: int = 100,
    check: Check | None = None,
) -> Floats:
    """Return places of new items whose distances (t, n) to n fixed ones are nearest those given.

    Examples
    --------
    >>> fixed = np.array([[0.0, 0.0], [2.0, 0.0]])
    >>> settle_by_stress(np.ones((1, 2)), np.array([[0.9, 0.0]]), fixed).round(3).tolist()
    [[1.0, 0.0]]
    """
    places = np.array(start, dtype=np.float64)
    middle = fixed.mean(axis=0)
    high = max(1, ROWS // len(fixed))
    for at in range(0, len(places), high):
        rows = slice(at, at + high)
        for _ in range(iterations):
            if check is not None:
                check()
            ratio = _ratio(distances[rows], _distances(places[rows], fixed))
            pushed = ratio.sum(axis=1)[:, None] * places[rows] - ratio @ fixed
            places[rows] = middle + pushed / len(fixed)
    return places


def _distances(one: Floats, other: Floats) -> Any:
    from scipy.spatial.distance import cdist

    return cdist(one, other)


def _ratio(wanted: Floats, got: Floats) -> Floats:
    """Wanted over present distances; 0 where two are at the same place."""
    return np.divide(wanted, got, out=np.zeros_like(got), where=got > 0)
