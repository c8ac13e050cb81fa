"""The Memberships view: how much of each item belongs to each group, as a heat map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.formats.files.tables import item_name
from coterie.core.model.arrays import Array, Ints
from coterie.core.model.group_names import group_name
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.columns import group_names
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import Shown, look

if TYPE_CHECKING:
    from coterie.projects.session import Session

MOST_ROWS = 1200  # of the picture; a screen has no more
MOST_GROUPS = 60
_AT_ONCE = 200_000  # memberships; to sort more takes longer than a frame


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Rows of the picture, each one or several items.

    Attributes
    ----------
    shades : (rows, groups) membership out of the largest in its group, 0 to 1
    order : (n,) the items from top to bottom
    starts : (rows + 1,) where in the order each row begins
    borders : rows at which another group begins
    rest : what is to be said of items without a share in any group, if there are any
    """

    shades: Array
    order: Ints
    starts: Ints
    borders: Ints
    rest: str = ""

    def items_of(self, row: int) -> Ints:
        """Return the items that a row of the picture stands for."""
        return self.order[self.starts[row] : self.starts[row + 1]]


class MembershipState:
    """The memberships of the shown result."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.pending: Pending[HeatMap | None] = Pending(None)

    def update(self) -> None:
        """Look again, and draw up the picture when that is a small matter."""
        self.shown = look(self._session, self.chosen)
        found = self.shown.clustering
        small = found is None or found.membership is None or found.membership.size <= _AT_ONCE
        self.pending.renew((found,), partial(heat_map, self.shown), at_once=small)

    @property
    def picture(self) -> HeatMap | None:
        """The picture of the result that is shown; None while it is drawn up."""
        return None if self.pending.work is not None else self.pending.value

    @property
    def n(self) -> int:
        """Number of items."""
        return self.shown.n

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each column."""
        if self.picture is None:
            return ()
        return group_names(self.shown)[: self.picture.shades.shape[1]]

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.picture is not None:
            return ""
        if self.pending.work is not None:
            return "Sorting the memberships …"
        if self.shown.dataset is None:
            return (
                "Open a file or choose a sample, then cluster its items to see their memberships."
            )
        if self.shown.clustering is None:
            return "Run a clustering method to see the memberships of the items."
        return (
            f"'{self.shown.clustering_step}' gives each item a group but no degree of "
            "membership. Dominant sets and mixtures give both."
        )

    def rest(self) -> str:
        """Return what is to be said of items without a share in any group, if there are any."""
        return "" if self.picture is None else self.picture.rest

    def describe(self, row: int, column: int) -> str:
        """Return what a cell of the picture says."""
        found = self.shown.clustering
        if self.picture is None or found is None or found.membership is None:
            return ""
        items = self.picture.items_of(row)
        first = item_name(self.shown.dataset, int(items[0]))
        more = f" and {len(items) - 1:,} more" if len(items) > 1 else ""
        most = float(found.membership[items, column].max())
        return f"{first}{more}\n{self.names[column]}: membership {most:.4g}"

    def table_rows(self) -> Rows:
        """Each item with its membership in every group."""
        found, data = self.shown.clustering, self.shown.dataset
        if found is None or found.membership is None or data is None:
            return
        k = found.membership.shape[1]
        yield ["item", *(group_name(group, found.names) for group in range(k))]
        names = data.item_names
        for item in range(data.n):
            yield [names[item], *found.membership[item].tolist()]


def heat_map(shown: Shown) -> HeatMap | None:
    """Return the picture: items by group, within a group the strongest members first."""
    found = shown.clustering
    if found is None or found.membership is None or found.membership.shape[1] == 0:
        return None
    membership = found.membership[:, :MOST_GROUPS]
    k = membership.shape[1]
    labels = np.where((found.labels >= 0) & (found.labels < k), found.labels, k)
    own = membership[np.arange(found.n), np.minimum(labels, k - 1)]
    order = np.lexsort((-own, labels))
    rows = min(found.n, MOST_ROWS)
    starts = np.linspace(0, found.n, rows + 1).astype(np.int64)
    most = np.maximum.reduceat(membership[order], starts[:-1], axis=0)
    top = membership.max(axis=0)
    sorted_labels = labels[order][starts[:-1]]
    return HeatMap(
        shades=np.asarray(most / np.where(top > 0, top, 1.0)),
        order=order,
        starts=starts,
        borders=np.flatnonzero(np.diff(sorted_labels)) + 1,
        rest=_said_of_rest(found.membership, found.labels),
    )


def _said_of_rest(membership: Array, labels: Ints) -> str:
    without = membership.max(axis=1, initial=0.0) <= 0
    said = ""
    if (without & (labels >= 0)).any():
        said += " Lines without shading were assigned to their group afterwards."
    if (labels < 0).any():
        said += " Items at the bottom are in no group."
    return said
