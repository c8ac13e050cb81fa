"""The Profile view: how the features differ between the groups, the most telling ones first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.arrays import Array, is_sparse
from coterie.gui.states.columns import group_names
from coterie.gui.states.shown import Shown, look

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_FEATURES = 24
MOST_GROUPS = 20
MOST_COLUMNS = 2_000  # wider tables are judged by their first columns
_MOST_ITEMS = 20_000  # of which the quartiles are taken; more change nothing that is seen
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Boxes:
    """One feature: for each group five quantiles.

    Attributes
    ----------
    telling : share of the feature's variance that lies between the groups, 0 to 1
    quantiles : (groups, 5) at 5, 25, 50, 75 and 95 %
    """

    name: str
    telling: float
    quantiles: Array


class ProfileState:
    """The features of the shown data by the groups of the shown result."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.boxes: tuple[Boxes, ...] = ()
        self.groups: tuple[int, ...] = ()
        self.names: tuple[str, ...] = ()
        self._made_of: tuple[object, object] = (None, None)

    def update(self) -> None:
        """Work the boxes out again, when the data or the groups changed."""
        self.shown = look(self._session, self.chosen)
        made_of = (self.shown.dataset, self.shown.clustering)
        if made_of == self._made_of:
            return
        self._made_of = made_of
        self.boxes, self.groups = boxes_of(self.shown)
        every = group_names(self.shown)
        self.names = tuple(every[group] for group in self.groups)

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.boxes:
            return ""
        if self.shown.dataset is None:
            return "Open a file or choose a sample, then group its items to see what sets them off."
        if self.shown.dataset.d == 0:
            return "These items have no features to compare between groups."
        return "Run a method that groups the items to see how their features differ."

    @property
    def sentence(self) -> str:
        """What is shown, in words."""
        if not self.boxes:
            return ""
        total = self.shown.dataset.d if self.shown.dataset is not None else 0
        first = self.boxes[0]
        said = f"“{first.name}” tells the groups apart best ({first.telling:.0%} of its variance)."
        more = f" The first {len(self.boxes)} of {total:,} features, the most telling first."
        return said + (more if total > len(self.boxes) else "")


def boxes_of(shown: Shown) -> tuple[tuple[Boxes, ...], tuple[int, ...]]:
    """Return the most telling features with their quantiles in each group, and the groups."""
    data, clustering = shown.dataset, shown.clustering
    if data is None or clustering is None or data.features is None or data.d == 0:
        return (), ()
    labels = clustering.labels
    groups = np.unique(labels[labels >= 0])[:MOST_GROUPS]
    if len(groups) == 0:
        return (), ()
    items = np.flatnonzero(np.isin(labels, groups))
    if len(items) > _MOST_ITEMS:
        items = items[np.linspace(0, len(items) - 1, _MOST_ITEMS).astype(np.int64)]
    part: Any = data.features[items][:, :MOST_COLUMNS]
    X = np.asarray(part.toarray() if is_sparse(part) else part, dtype=np.float64)
    which = np.searchsorted(groups, labels[items])
    telling = variance_between(X, which, len(groups))
    best = np.argsort(-telling, kind="stable")[:MOST_FEATURES]
    found = []
    for column in best:
        values = X[:, column]
        quantiles = np.array([_quantiles(values[which == group]) for group in range(len(groups))])
        found.append(Boxes(data.columns[column], float(telling[column]), quantiles))
    return tuple(found), tuple(int(group) for group in groups)


def variance_between(X: Array, which: Array, k: int) -> Array:
    """Return the share of each column's variance that lies between the groups (η²).

    >>> X = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 1.0], [5.0, 2.0]])
    >>> variance_between(X, np.array([0, 0, 1, 1]), 2).tolist()
    [1.0, 0.0]
    """
    known = np.isfinite(X)
    filled = np.where(known, X, 0.0)
    counts = np.zeros((k, X.shape[1]))
    sums = np.zeros((k, X.shape[1]))
    np.add.at(counts, which, known)
    np.add.at(sums, which, filled)
    total = np.maximum(counts.sum(axis=0), 1)
    mean = sums.sum(axis=0) / total
    spread = (np.where(known, X - mean, 0.0) ** 2).sum(axis=0)
    means = sums / np.maximum(counts, 1)
    between = (counts * (means - mean) ** 2).sum(axis=0)
    return np.asarray(np.where(spread > 0, between / np.where(spread > 0, spread, 1.0), 0.0))


def _quantiles(values: Array) -> Array:
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return np.full(len(QUANTILES), np.nan)
    return np.asarray(np.quantile(known, QUANTILES))
