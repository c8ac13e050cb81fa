"""The Profile view: how the features differ between the groups, the most distinctive ones first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.core.model.arrays import Array, Floats, is_sparse
from coterie.core.model.columns import CODED, WORDED, Column
from coterie.core.model.dataset import Dataset
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.columns import group_names
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import Shown, look

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_FEATURES = 24
MOST_GROUPS = 40
MOST_CATEGORIES = 6  # of one column; the rarest are taken together
OTHERS = "others"
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
    quantiles : (groups, 5) at 5, 25, 50, 75 and 95%
    of_dates : whether they are seconds since 1970-01-01
    """

    name: str
    telling: float
    quantiles: Array
    of_dates: bool = False


@dataclass(frozen=True, eq=False)
class Shares:
    """One column of categories: how common each is in each group.

    Attributes
    ----------
    telling : share of its variance between the groups, from 0 to 1: how much better a category is
        guessed by someone who knows the group (Goodman and Kruskal's τ)
    categories : in the column's order where it has one, else the most frequent first
    shares : (groups, categories) of the items whose category is known; missing where none is
    """

    name: str
    telling: float
    categories: tuple[str, ...]
    shares: Array


Feature = Boxes | Shares


@dataclass(frozen=True, eq=False)
class Profile:
    """The most telling features first, each by group.

    Attributes
    ----------
    groups : the groups that are compared, in the order of the quantiles
    names : what they are called
    colours : as in `Clustering.colours`
    """

    boxes: tuple[Feature, ...] = ()
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
    def boxes(self) -> tuple[Feature, ...]:
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
        data = self.shown.dataset
        total = 0 if data is None else len(_described(data)) or data.d
        first = self.boxes[0]
        clustering = self.shown.clustering
        k = 0 if clustering is None else clustering.k
        if k == 1:
            return "There is one group: nothing to compare it with."
        share = f"{first.telling:.0%} of its variance is between groups"
        said = f"“{first.name}” separates the groups best: {share}."
        more = f" Showing {len(self.boxes)} of {total:,} features, the most distinctive first."
        said += more if total > len(self.boxes) else ""
        return said + (f" The first {len(self.groups)} of {k:,} groups." if k > MOST_GROUPS else "")

    def table_rows(self) -> Rows:
        """Each feature in each group by five quantiles, categories by their shares."""
        yield ["feature", "variance between groups", "group", "5 %", "25 %", "50 %", "75 %", "95 %"]
        for one in self.boxes:
            if isinstance(one, Boxes):
                for name, quantiles in zip(self.names, one.quantiles.tolist(), strict=True):
                    yield [one.name, one.telling, name, *quantiles]
        counted = [one for one in self.boxes if isinstance(one, Shares)]
        if counted:
            yield ["feature", "variance between groups", "group", "category", "share"]
        for one in counted:
            for name, shares in zip(self.names, one.shares.tolist(), strict=True):
                for category, share in zip(one.categories, shares, strict=True):
                    yield [one.name, one.telling, name, category, share]


def profile_of(shown: Shown) -> Profile:
    """Return the features of the shown data by the groups of the shown result."""
    boxes, groups = boxes_of(shown)
    every = group_names(shown)
    names = tuple(every[group] for group in groups)
    return Profile(boxes, groups, names, shown.group_colours)


def boxes_of(shown: Shown) -> tuple[tuple[Feature, ...], tuple[int, ...]]:
    """Return the most telling features, each as it is in every group, and the groups.

    Typed columns are shown as the table has them, not as they are encoded.
    """
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
    which = np.searchsorted(groups, labels[items])
    typed = _described(data)[:MOST_COLUMNS]
    coded = [column for column in typed if column.type in CODED]
    names, X = _numbers(data, typed, items)
    found: list[Feature] = [_shares(column, items, which, len(groups)) for column in coded]
    if names:
        telling = variance_between(X, which, len(groups))
        best = np.argsort(-telling, kind="stable")[:MOST_FEATURES]
        five = np.stack([_quantiles(X[which == g][:, best]) for g in range(len(groups))], axis=1)
        dates = {column.name for column in typed if column.type == "date"}
        found += [
            Boxes(names[column], float(telling[column]), quantiles, names[column] in dates)
            for column, quantiles in zip(best.tolist(), five, strict=True)
        ]
    found.sort(key=lambda one: -one.telling)
    return tuple(found[:MOST_FEATURES]), tuple(int(group) for group in groups)


def _described(data: Dataset) -> list[Column]:
    """The columns of the table that groups are described by; none without types."""
    return [one for one in data.table if one.role == "feature" and one.type not in WORDED]


def _numbers(data: Dataset, typed: list[Column], items: Array) -> tuple[list[str], Floats]:
    """The names and values of what is measured rather than counted."""
    if typed:
        plain = [column for column in typed if column.type not in CODED]
        values = [np.asarray(column.values, dtype=float)[items] for column in plain]
        return [c.name for c in plain], np.column_stack(values) if values else np.empty((0, 0))
    part: Any = data.features
    part = part[items][:, :MOST_COLUMNS]
    X = np.asarray(part.toarray() if is_sparse(part) else part, dtype=np.float64)
    return list(data.columns[:MOST_COLUMNS]), X


def _shares(column: Column, items: Array, which: Array, k: int) -> Shares:
    """Count each category in each group."""
    codes = np.asarray(column.values)[items]
    known = codes >= 0
    table = np.zeros((k, max(len(column.categories), 1)))
    np.add.at(table, (which[known], codes[known]), 1.0)
    telling = explained(table)
    sizes = table.sum(axis=0)
    if column.type == "ordered" and len(sizes) <= 2 * MOST_CATEGORIES:
        kept: Array = np.arange(len(sizes))
    else:
        kept = np.argsort(-sizes, kind="stable")
        kept = kept[sizes[kept] > 0]
    names = [column.categories[int(one)] for one in kept] if column.categories else []
    counts = table[:, kept]
    most = 2 * MOST_CATEGORIES if column.type == "ordered" else MOST_CATEGORIES
    if len(names) > most:
        counts = np.column_stack([counts[:, : most - 1], counts[:, most - 1 :].sum(axis=1)])
        names = [*names[: most - 1], OTHERS]
    total = counts.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, counts / np.maximum(total, 1), np.nan)
    return Shares(column.name, telling, tuple(names), shares)


def explained(table: Array) -> float:
    """Return the share of the variance of a category that is between groups, from their counts.

    >>> explained(np.array([[5, 0], [0, 5]])), explained(np.array([[5, 5], [5, 5]]))
    (1.0, 0.0)
    """
    n = float(table.sum())
    if n == 0:
        return 0.0
    whole = 1 - float(((table.sum(axis=0) / n) ** 2).sum())
    sizes = np.maximum(table.sum(axis=1), 1)
    within = 1 - float(((table**2).sum(axis=1) / sizes).sum()) / n
    return max(0.0, 1 - within / whole) if whole > 0 else 0.0


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
