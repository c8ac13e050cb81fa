"""The Profile view: how the features differ between the groups, the most telling ones first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.model.arrays import Array, is_sparse
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.columns import group_names
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import Shown, look

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_FEATURES = 24
MOST_GROUPS = 20
MOST_COLUMNS = 2_000  # wider tables are judged by their first columns
_AT_ONCE = 50_000  # numbers; to look at more takes longer than a frame
_MOST_ITEMS = 20_000  # of which the quartiles are taken; more change nothing that is seen
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Boxes:
    """One feature: for each group five quantiles.

    Attributes
    ----------
    telling : share of the feature's variance between the groups, 0 to 1
    quantiles : (groups, 5) at 5, 25, 50, 75 and 95 %
    """

    name: str
    telling: float
    quantiles: Array


@dataclass(frozen=True, eq=False)
class Profile:
    """The most telling features first, each by group.

    Attributes
    ----------
    groups : the groups that are compared, in the order of the quantiles
    names : what they are called
    colours : as in `Clustering.colours`
    """

    boxes: tuple[Boxes, ...] = ()
    groups: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()


class ProfileState:
    """The features of the shown data by the groups of the shown result."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.pending = Pending(Profile())

    def update(self) -> None:
        """Look again, and work the boxes out when that is a small matter."""
        self.shown = look(self._session, self.chosen)
        data, clustering = self.shown.dataset, self.shown.clustering
        small = data is None or clustering is None or data.n * data.d <= _AT_ONCE
        work = partial(profile_of, self.shown)
        self.pending.renew((data, clustering), work, at_once=small)

    @property
    def profile(self) -> Profile:
        """What is shown."""
        return self.pending.value

    @property
    def boxes(self) -> tuple[Boxes, ...]:
        """The features that are shown."""
        return self.profile.boxes

    @property
    def groups(self) -> tuple[int, ...]:
        """The groups that are compared."""
        return self.profile.groups

    @property
    def names(self) -> tuple[str, ...]:
        """What the groups are called."""
        return self.profile.names

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.boxes:
            return ""
        if self.pending.work is not None:
            return "Comparing features between groups …"
        if self.shown.dataset is None:
            return (
                "Open a file or choose a sample, then cluster its items to see what "
                "distinguishes the groups."
            )
        if self.shown.dataset.d == 0:
            return "These items have no features to compare between groups."
        return "Run a clustering method to see how the features differ between groups."

    @property
    def sentence(self) -> str:
        """What is shown, in words."""
        if not self.boxes:
            return ""
        total = self.shown.dataset.d if self.shown.dataset is not None else 0
        first = self.boxes[0]
        share = f"{first.telling:.0%} of its variance is between groups"
        said = f"“{first.name}” separates the groups best: {share}."
        more = f" Showing {len(self.boxes)} of {total:,} features, the most distinctive first."
        return said + (more if total > len(self.boxes) else "")

    def table_rows(self) -> Rows:
        """Each feature in each group by five quantiles."""
        yield ["feature", "variance between groups", "group", "5 %", "25 %", "50 %", "75 %", "95 %"]
        for boxes in self.boxes:
            for name, quantiles in zip(self.names, boxes.quantiles.tolist(), strict=True):
                yield [boxes.name, boxes.telling, name, *quantiles]


def profile_of(shown: Shown) -> Profile:
    """Return the features of the shown data by the groups of the shown result."""
    boxes, groups = boxes_of(shown)
    every = group_names(shown)
    names = tuple(every[group] for group in groups)
    return Profile(boxes, groups, names, shown.group_colours)


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
    quantiles = np.stack([_quantiles(X[which == at][:, best]) for at in range(len(groups))], axis=1)
    found = tuple(
        Boxes(data.columns[column], float(telling[column]), five)
        for column, five in zip(best, quantiles, strict=True)
    )
    return found, tuple(int(group) for group in groups)


def variance_between(X: Array, which: Array, k: int) -> Array:
    """Return the share of each column's variance between the groups (η²).

    >>> X = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 1.0], [5.0, 2.0]])
    >>> variance_between(X, np.array([0, 0, 1, 1]), 2).tolist()
    [1.0, 0.0]
    """
    known = np.isfinite(X)
    filled = np.where(known, X, 0.0)
    members = (np.arange(k)[:, None] == which).astype(np.float64)
    counts, sums = members @ known, members @ filled
    total = np.maximum(counts.sum(axis=0), 1)
    mean = sums.sum(axis=0) / total
    spread = (np.where(known, X - mean, 0.0) ** 2).sum(axis=0)
    means = sums / np.maximum(counts, 1)
    between = (counts * (means - mean) ** 2).sum(axis=0)
    return np.asarray(np.where(spread > 0, between / np.where(spread > 0, spread, 1.0), 0.0))


def _quantiles(X: Array) -> Array:
    """Return the five quantiles of each column's known values; all missing where none is known."""
    known = np.isfinite(X)
    if len(X) and known.all():
        return np.asarray(np.quantile(X, QUANTILES, axis=0).T)
    found = np.full((X.shape[1], len(QUANTILES)), np.nan)
    for column in np.flatnonzero(known.any(axis=0)):
        found[column] = np.quantile(X[known[:, column], column], QUANTILES)
    return found
