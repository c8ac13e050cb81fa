"""What plots of groups share: the items to draw, and how far each column sets the groups apart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from coterie.core.api.components import Cost, Plot
from coterie.core.api.context import Context
from coterie.core.api.parameters import Field
from coterie.core.errors import DataError, ParameterError
from coterie.core.model.arrays import Array, Floats, Ints, Matrix, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.figures import Figure
from coterie.core.model.results import Clustering
from coterie.core.wording import counted


def described(groups: Clustering, data: Dataset | None) -> Dataset:
    """Return the dataset whose columns describe the groups, or say why there is none."""
    found = data if data is not None else groups.dataset
    if found is None or found.features is None or not found.d:
        raise DataError(
            "The items of these groups have no columns to draw. Choose a plot of their "
            "similarities, or give the dataset as second input.",
            code="features-needed",
        )
    if found.n != groups.n:
        raise DataError(
            f"The groups have {groups.n} items, the dataset {found.n}. "
            "Choose groups of these items.",
            code="items-mismatch",
        )
    if found.n == 0:
        raise DataError(
            "There are no items to draw. Open a file with at least one.", code="empty-data"
        )
    return found


def spread_items(labels: Ints, most: int) -> Ints:
    """Return at most so many items, rising, evenly from each group and at least one of each.

    >>> spread_items(np.array([0, 0, 0, 0, 1, 1]), 3).tolist()
    [0, 3, 4]
    """
    if len(labels) <= most:
        return np.arange(len(labels))
    order = np.argsort(labels, kind="stable")
    groups, starts = np.unique(labels[order], return_index=True)
    sizes = np.diff([*starts, len(labels)])
    shares = np.maximum(1, np.floor(most * sizes / len(labels)).astype(np.int64))
    if len(groups) > most:
        return np.sort(order[starts[:most]])
    parts = [
        order[start + np.linspace(0, size - 1, min(share, size)).astype(np.int64)]
        for start, size, share in zip(starts, sizes, shares, strict=True)
    ]
    return np.sort(np.unique(np.concatenate(parts)))


def sample_note(shown: int, of: int) -> tuple[str, ...]:
    """Say that not all items are drawn; nothing when they are."""
    if shown >= of:
        return ()
    return (f"{shown:,} of {counted(of, 'item')} are drawn, evenly from each group.",)


@dataclass(frozen=True, eq=False)
class StandardisedMeans:
    """Means of each column in each group, in units of its standard deviation over all items.

    Attributes
    ----------
    z : (k, d) mean of the group minus that of all, over the deviation; missing without values
    effects : (d,) share of a column's variance between the groups (η²), 0 to 1
    """

    z: Floats
    effects: Floats

    def telling(self, most: int) -> Ints:
        """Return the columns that set the groups apart the most, the first of them first."""
        order = np.argsort(-np.nan_to_num(self.effects), kind="stable")
        return order[:most]


def group_means(X: Matrix, labels: Ints, k: int) -> StandardisedMeans:
    """Return the standardised means of k groups; missing values are left out.

    Memory: some (n, d) arrays for dense features; (k, d) beside the input for sparse ones.

    Examples
    --------
    >>> found = group_means(np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([0, 1]), 2)
    >>> found.z.tolist(), found.effects.tolist()
    ([[-1.0, 0.0], [1.0, 0.0]], [1.0, 0.0])
    """
    n, d = X.shape
    member = _indicator(labels, k)
    inside = labels >= 0
    weights: Any = member
    if is_sparse(X):
        sparse: Any = X
        scale = np.maximum(_column_most(sparse), np.finfo(float).tiny)
        scaled = sparse.multiply(1.0 / scale).tocsr()
        sums = np.asarray((weights @ scaled).todense())
        squares = np.asarray(scaled.multiply(scaled).sum(axis=0)).ravel()
        counts = np.broadcast_to(np.bincount(labels[inside], minlength=k)[:, None], (k, d))
        known, total = np.full(d, n), np.asarray(scaled.sum(axis=0)).ravel()
    else:
        given = np.asarray(X)
        dense = np.where(np.isfinite(given), given, np.nan)
        scale = np.nanmax(np.abs(dense), axis=0, initial=np.finfo(float).tiny)
        dense = dense / scale
        there = np.isfinite(dense)
        filled = np.where(there, dense, 0.0)
        shift = filled.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        filled = np.where(there, filled - shift, 0.0)  # its rounding errors shrink
        sums, counts = weights @ filled, weights @ there.astype(np.float64)
        squares, known, total = (filled**2).sum(axis=0), there.sum(axis=0), filled.sum(axis=0)
    mean = total / np.maximum(known, 1)
    variance = np.maximum(squares / np.maximum(known, 1) - mean**2, 0.0)
    variance[variance < 1e-24 * np.maximum(squares / np.maximum(known, 1), 1e-300)] = 0.0
    apart = sums / np.maximum(counts, 1) - mean
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(variance > 0, apart / np.sqrt(variance), 0.0)
        between = (counts * apart**2).sum(axis=0) / np.maximum(known, 1)
        effects = np.where(variance > 0, between / variance, 0.0)
    z = np.where(counts > 0, z, np.nan)
    return StandardisedMeans(np.asarray(z), np.clip(effects, 0.0, 1.0))


def chosen_columns(
    data: Dataset, named: Sequence[str], means: StandardisedMeans, most: int
) -> tuple[Ints, tuple[str, ...]]:
    """Return the columns to draw: those named, or those that set the groups apart the most."""
    if named:
        places = {name: place for place, name in reversed(list(enumerate(data.columns)))}
        for name in named:
            if name not in places:
                known = ", ".join(data.columns[:8]) + (", …" if data.d > 8 else "")
                raise ParameterError(
                    f"There is no column '{name:.80}'. Choose among: {known}.",
                    code="unknown-column",
                )
        return np.array([places[name] for name in named], dtype=np.int64), ()
    if data.d <= most:
        return np.arange(data.d), ()
    note = f"The {most} of {data.d:,} columns that distinguish the groups most are drawn."
    return means.telling(most), (note,)


def dense_columns(data: Dataset, items: Ints, columns: Ints) -> Floats:
    """Return some columns of some items, missing where they are not finite."""
    X: Any = data.features
    part = X[items][:, columns]
    values = np.asarray(part.toarray() if is_sparse(part) else part, dtype=np.float64)
    return np.where(np.isfinite(values), values, np.nan)


def marks_of_groups(labels: Ints, k: int) -> tuple[Ints, Ints]:
    """Return the items of each group one after the other, and where each begins."""
    order = np.argsort(labels, kind="stable")
    inside = order[np.searchsorted(labels[order], 0) :]
    sizes = np.bincount(labels[labels >= 0], minlength=k)[:k]
    return inside[: int(sizes.sum())], np.concatenate([[0], np.cumsum(sizes)])


def _indicator(labels: Ints, k: int) -> Any:
    from scipy.sparse import csr_array

    inside = np.flatnonzero(labels >= 0)
    ones = np.ones(len(inside))
    return csr_array((ones, (labels[inside], inside)), shape=(k, len(labels)))


def _column_most(X: Any) -> Array:
    most: Any = abs(X).max(axis=0)
    return np.asarray(most.toarray() if is_sparse(most) else most, dtype=np.float64).ravel()


class GroupPlot(Plot):
    """Draws the columns of grouped items; subclasses say how (`draw`) and what it takes (`cost`).

    The columns are those of the second input, or else of the data that were grouped.
    """

    needs = ("clustering", "dataset?")

    def compute(
        self,
        groups: Clustering,
        dataset: Dataset | None = None,
        *,
        params: Any,
        context: Context,
    ) -> Figure:
        """Return the figure of the groups and the columns of their items."""
        context.check()
        return self.draw(groups, described(groups, dataset), params, context)

    @abstractmethod
    def draw(self, groups: Clustering, data: Dataset, params: Any, context: Context) -> Figure:
        """Return the figure; `data` has at least one item and one column."""

    def estimate(self, groups: Clustering, dataset: Dataset | None = None, *, params: Any) -> Cost:
        """What `cost` says of so many items and columns."""
        data = dataset if dataset is not None else groups.dataset
        return self.cost(groups, data.d if data is not None else 1, params)

    def cost(self, groups: Clustering, d: int, params: Any) -> Cost:
        """Some copies of the columns."""
        cells = groups.n * d
        return Cost(bytes=56 * cells + (1 << 20), seconds=3e-8 * cells)


class ColumnPlot(GroupPlot):
    """A plot for which columns can be chosen."""

    class Params(GroupPlot.Params):
        """Which features."""

        columns: list[str] = Field(
            default_factory=list,
            description="Features to draw; empty: those that distinguish the groups most.",
            json_schema_extra={"choices": "columns"},
        )
