"""Why an item is in its group and not in the nearest other one, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.descriptions.measures import Measure

MOST_REASONS = 3  # for, and as many against
_NOTHING = 1e-9  # up to this a weight is rounding


@dataclass(frozen=True)
class Reason:
    """What one column says.

    Attributes
    ----------
    value : of the item
    own, other : means of the two groups
    apart : how far apart these are, in deviations within groups
    weight : how much nearer, in squared deviations within groups, the item is to its own group's
        mean; negative where the column speaks for the other group
    """

    measure: Measure
    value: float
    own: float
    other: float
    apart: float
    weight: float


@dataclass(frozen=True)
class WhyHere:
    """The reasons, the strongest first.

    Attributes
    ----------
    group, other : the item's own group, and the nearest other
    """

    group: int
    other: int
    reasons: tuple[Reason, ...]
    against: tuple[Reason, ...]


class GroupMeans:
    """The mean of every column in each group, and how far items are from it.

    Kept for a grouping: each item asked about then costs one row.
    """

    def __init__(self, X: Floats, columns: Sequence[str | Measure], labels: Ints) -> None:
        X = np.where(np.isfinite(X), X, np.nan)
        self._measures = [Measure(one) if isinstance(one, str) else one for one in columns]
        groups = np.unique(labels[labels >= 0]).tolist()
        self._means = {group: _mean(X[labels == group]) for group in groups}
        self._within = _within(X, labels, self._means)

    def why(self, row: Floats, group: int) -> WhyHere | None:
        """Return what speaks for the group of an item, against the nearest other one.

        Each column is measured by its deviation within the groups; the nearest other group is that
        of the nearest mean. Columns in which the item has no value say nothing.

        Parameters
        ----------
        row : values of the item

        Returns
        -------
        None for an item in no group, and where there is no other group

        >>> X = np.array([[1.0, 5], [1.2, 4], [3.0, 5], [3.2, 4]])
        >>> why = GroupMeans(X, ["length", "age"], np.array([0, 0, 1, 1])).why(X[0], 0)
        >>> [(reason.measure.name, reason.own, reason.other) for reason in why.reasons]
        [('length', 1.1, 3.1)]
        """
        others = [one for one in self._means if one != group]
        if group not in self._means or not others or not len(row):
            return None
        gaps = {one: ((row - mean) / self._within) ** 2 for one, mean in self._means.items()}
        other = min(others, key=lambda one: float(np.nansum(gaps[one])))
        weights = np.nan_to_num(gaps[other] - gaps[group])
        order = np.argsort(-weights, kind="stable")
        speaks = weights[order]
        return WhyHere(
            group,
            other,
            self._reasons(order[speaks > _NOTHING], row, weights, group, other),
            self._reasons(order[::-1][speaks[::-1] < -_NOTHING], row, weights, group, other),
        )

    def _reasons(
        self, order: Ints, row: Floats, weights: Floats, group: int, other: int
    ) -> tuple[Reason, ...]:
        own, others = self._means[group], self._means[other]
        return tuple(
            Reason(
                self._measures[j],
                value=float(row[j]),
                own=float(own[j]),
                other=float(others[j]),
                apart=float(abs(own[j] - others[j]) / self._within[j]),
                weight=float(weights[j]),
            )
            for j in order[:MOST_REASONS].tolist()
        )


def _mean(rows: Floats) -> Floats:
    known = np.isfinite(rows)
    count = known.sum(axis=0)
    total = np.where(known, rows, 0.0).sum(axis=0)
    means: Floats = np.full(rows.shape[1], np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means


def _within(X: Floats, labels: Ints, means: dict[int, Floats]) -> Floats:
    """The deviation of each column within groups; where there is none, that of all items."""
    squares, count = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for group, mean in means.items():
        gaps = X[labels == group] - mean
        squares += np.nansum(gaps**2, axis=0)
        count += np.isfinite(gaps).sum(axis=0)
    found = np.sqrt(squares / np.maximum(count, 1))
    overall = np.sqrt(np.nansum((X - _mean(X)) ** 2, axis=0) / np.maximum(count, 1))
    # Rounding leaves a little where all values of a group are equal.
    flat = found <= 1e-6 * np.maximum(overall, np.finfo(float).tiny)
    deviations: Floats = np.where(flat, np.where(overall > 0, overall, 1.0), found)
    return deviations
