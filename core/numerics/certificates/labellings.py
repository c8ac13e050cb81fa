"""Certificates of labels: whether every free item has the class that its neighbours choose most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.certificates.dominant_sets import MOST_NAMED, Verdict
from coterie.core.numerics.transduction.affinity_rows import Rows


@dataclass(frozen=True, eq=False)
class LabellingCertificate:
    """Whether every item that was free to choose has the class that its neighbours choose most.

    Attributes
    ----------
    checked : number of items that were free and have a class
    largest : the most that an item would gain by another class, relative to its best payoff
    items : those that would gain more than the tolerance, that with the most first
    tolerance : gains up to this count as none
    verdict : of the consistency of all labels
    """

    checked: int
    largest: float
    items: Ints
    tolerance: float
    verdict: Verdict
    fixed: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data, positions counted from 0."""
        return {
            "kind": "consistent-labelling",
            "checked": self.checked,
            "fixed": self.fixed.tolist(),
            "largest_gain": self.largest,
            "would_change": self.items[:MOST_NAMED].tolist(),
            "tolerance": self.tolerance,
            "verdict": self.verdict,
        }


def certify_labelling(
    affinity: Affinity,
    labels: Ints,
    *,
    fixed: Ints,
    compatibility: Floats | None = None,
    rows: Callable[[Ints], Rows] | None = None,
    tolerance: float = 1e-6,
) -> LabellingCertificate:
    """Say whether labels are consistent: no free item is more similar, in sum, to another class.

    Parameters
    ----------
    labels : (n,) class of each item, −1 for none; those without one count for no class
    fixed : positions of the items whose class was given
    compatibility : (k, k) what the row's class earns from the column's; 1 for the same unless given
    rows : gives the similarities of some items to all, where labels spread along others than the
        affinity; only their ratios in a row count

    >>> A = np.array([[0, 2, 1], [2, 0, 1], [1, 1, 0.0]])
    >>> given = np.array([0, 2])
    >>> certify_labelling(Affinity(values=A), np.array([0, 0, 1]), fixed=given).verdict
    'holds'
    >>> certify_labelling(Affinity(values=A), np.array([0, 1, 1]), fixed=given).items.tolist()
    [1]
    """
    labels = np.asarray(labels)
    if labels.shape != (affinity.n,):
        raise DataError(
            f"There are {len(labels)} labels for similarities of {affinity.n} items.",
            code="items-mismatch",
        )
    k = int(labels.max(initial=-1)) + 1
    chosen = np.zeros((affinity.n, k))
    given = np.flatnonzero(labels >= 0)
    chosen[given, labels[given]] = 1.0
    free = np.setdiff1d(given, fixed)
    if rows is None:
        payoffs = (affinity.matvec(chosen) - affinity.diagonal()[:, None] * chosen)[free]
    else:
        payoffs = np.asarray(rows(free) @ chosen)
    if compatibility is not None:
        payoffs = payoffs @ np.asarray(compatibility).T
    best = payoffs.max(axis=1, initial=-np.inf) if k else np.zeros(0)
    gains = best - payoffs[np.arange(len(free)), labels[free]]
    relative = gains / np.where(np.abs(best) > 0, np.abs(best), 1.0)
    order = np.argsort(-relative, kind="stable")
    items = free[order[relative[order] > tolerance]]
    return LabellingCertificate(
        checked=len(free),
        largest=float(relative.max(initial=0.0)),
        items=items,
        tolerance=tolerance,
        verdict="fails" if len(items) else "holds",
        fixed=np.asarray(fixed, dtype=np.int64),
    )
