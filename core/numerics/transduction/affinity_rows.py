"""The similarities along which labels spread: those of some items to all, zero to themselves.

Only the ratios within a row matter to transduction, so each row is divided by its largest entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.similarity.distances import (
    Check,
    gaussian_in_place,
    row_blocks,
    squared_distances,
)


class Rows(Protocol):
    """The rows of an affinity for some items: an array, a sparse matrix, or a factor."""

    def __matmul__(self, P: Any, /) -> Any: ...


def affinity_rows(affinity: Affinity, items: Ints, *, importance: Floats | None = None) -> Rows:
    """Return the similarities of `items` to all, zero to themselves, each row's largest being 1.

    A row of zeros stays one. `importance` (n,) multiplies the columns before the rows are scaled:
    as only ratios within a row matter, D^−½ A D^−½ is the importance d_j^−½. Memory: a dense or
    sparse copy of those rows; a factor stays a factor and takes O(n m).

    >>> A = np.array([[1.0, 4.0, 2.0], [4.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
    >>> affinity_rows(Affinity(values=A), np.array([0, 2])).tolist()
    [[0.0, 1.0, 0.5], [1.0, 0.0, 0.0]]
    """
    if affinity.factor is not None:
        return _FactorRows(affinity.factor, items, affinity.nonnegative, importance)
    stored: Any = affinity.stored
    rows = stored[items]
    if affinity.sparse is not None:
        owner = np.repeat(np.arange(len(items)), np.diff(rows.indptr))
        data = np.where(rows.indices == items[owner], 0.0, rows.data)
        if importance is not None:
            data *= importance[rows.indices]
        largest = np.zeros(len(items))
        np.maximum.at(largest, owner, data)
        rows.data = data / _divisor(largest)[owner]
        scaled: Rows = rows
        return scaled
    rows = np.array(rows, dtype=np.float64)
    rows[np.arange(len(items)), items] = 0.0
    if importance is not None:
        rows *= importance
    rows /= _divisor(rows.max(axis=1, initial=0.0))[:, None]
    return rows


def gaussian_rows(
    features: Floats,
    items: Ints,
    sigma: float,
    *,
    normalise: bool = False,
    check: Check | None = None,
) -> Floats:
    """Return exp(−(d²_ij − min_j d²_ij) / 2σ²) for i in `items` and all j, zero for j = i.

    A Gaussian whose rows each have the largest entry 1, so it cannot underflow however small
    σ is. With `normalise` the Gaussian is that of D^−½ A D^−½. Memory: the (u, n) result; worked
    out in place, by blocks.

    >>> gaussian_rows(np.array([[0.0], [3.0], [4.0]]), np.array([0]), 1e-3).tolist()
    [[0.0, 1.0, 0.0]]
    """
    handicap = _soft_nearest(features, sigma, check) / 2 if normalise else None
    result = np.empty((len(items), len(features)))
    for block in row_blocks(len(items), len(features)):
        part = result[block]
        _from_others(features, items[block], part, check)
        if handicap is not None:
            part -= handicap
        part -= _finite(part.min(axis=1))[:, None]
        gaussian_in_place(part, sigma)
    return result


def _soft_nearest(features: Floats, sigma: float, check: Check | None) -> Floats:
    """−2σ² ln d_j, d_j the degree in a Gaussian without its diagonal, which itself may underflow.

    As d_j^−½ = exp(c_j / 4σ²) with this c_j, a column is divided by √d_j by taking c_j / 2 from the
    squared distances in it.
    """
    result = np.empty(len(features))
    for block in row_blocks(len(features), len(features)):
        own = np.arange(len(features))[block]
        part = np.empty((len(own), len(features)))
        _from_others(features, own, part, check)
        nearest = _finite(part.min(axis=1))
        part -= nearest[:, None]
        total = gaussian_in_place(part, sigma).sum(axis=1)
        result[block] = nearest - 2 * sigma**2 * np.log(np.where(total > 0, total, 1.0))
    return result


def _from_others(features: Floats, items: Ints, out: Floats, check: Check | None) -> None:
    """Write the squared distances of `items` to all, infinite to themselves."""
    squared_distances(features[items], features, out=out, check=check)
    out[np.arange(len(items)), items] = np.inf


def _finite(nearest: Floats) -> Floats:
    return np.where(np.isfinite(nearest), nearest, 0.0)  # a single item has no neighbour


def degree_importance(affinity: Affinity) -> Floats:
    """Return d_j^−½ with the diagonal left out, 0 for an item without similarities.

    >>> degree_importance(Affinity(values=np.array([[9.0, 4.0], [4.0, 9.0]]))).tolist()
    [0.5, 0.5]
    """
    degrees = np.asarray(affinity.degrees() - affinity.diagonal(), dtype=np.float64)
    # What is left of a degree that was nearly all diagonal is rounding.
    rounding = affinity.n * np.finfo(np.float64).eps * np.abs(affinity.diagonal())
    degrees[np.abs(degrees) <= rounding] = 0.0
    if (degrees < 0).any():
        raise DataError(
            f"Normalising needs degrees of at least 0. Got {float(degrees.min()):.4g}; "
            "do not normalise, or take similarities without negative values.",
            code="negative-similarities",
        )
    alone = degrees == 0
    return np.where(alone, 0.0, 1.0 / np.sqrt(np.where(alone, 1.0, degrees)))


@dataclass(frozen=True, eq=False)
class _FactorRows:
    """Rows of ΦΦᵀ without its diagonal, never formed."""

    factor: Floats
    items: Ints
    nonnegative: bool
    importance: Floats | None = None

    def __matmul__(self, P: Floats, /) -> Floats:
        if self.importance is not None:
            P = self.importance[:, None] * P
        own = self.factor[self.items]
        whole = own @ (self.factor.T @ P)
        product: Floats = whole - np.einsum("ij,ij->i", own, own)[:, None] * P[self.items]
        if self.nonnegative:
            # The diagonal was added and taken away again; what that leaves is not support.
            product[product < len(P) * np.finfo(np.float64).eps * whole] = 0.0
        return product


def _divisor(largest: Floats) -> Floats:
    return np.where(largest > 0, largest, 1.0)
