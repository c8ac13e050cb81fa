"""The population of a run: the share of each strategy, now, over time, and among three of them.

Of the dynamics the items are the strategies, and each has a share. Methods that show a group for
each item instead (k-means, mixtures, transduction) have the groups for strategies: the share of
one is how many of the items have chosen it, or how far all of them have decided for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from coterie.core.api.frame import Frame
from coterie.core.model.arrays import Array
from coterie.core.model.group_names import group_name
from coterie.gui.views.convergence.simplex_path import (
    SimplexPath,
    cloud_of,
    leading_three,
    path_of,
)
from coterie.gui.views.shown_items.displayed import Shown
from coterie.gui.views.shown_items.run_monitor import Live

MOST_BARS = 24
MOST_LINES = 40
MOST_STEPS = 400  # of the sorted shares; a plot is some 300 pixels wide
_SMALL = 1e-3  # of the largest share: what is below is not worth a bar


@dataclass(frozen=True)
class ShareBars:
    """The largest shares, largest first, with the names of their strategies and their groups.

    Groups come in their own order, as far as all have room: bars that change places are hard to
    follow.
    """

    shares: Array
    names: tuple[str, ...]
    groups: Array
    others: int
    rest: float
    iteration: int


@dataclass(frozen=True)
class Sorted:
    """All shares, largest first: `shares[i]` is the share at place `places[i]`, counted from 1."""

    places: Array
    shares: Array
    count: int
    group: int


class Population:
    """What the Convergence view draws beside the curves."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.shown = Shown()
        self._chosen: tuple[str, tuple[int, int, int]] | None = None  # of which step, which
        self._leading: tuple[int, ...] = ()  # of the run that is looked at, by column
        self._counted: dict[int, tuple[Frame, Array]] = {}  # items in each group, by moment

    @property
    def known(self) -> bool:
        """Whether the method reports how its population is shared out; eigenvectors have none."""
        return any(m.shares is not None or _has_groups(m) for m in self.live.moments)

    @property
    def of_groups(self) -> bool:
        """Whether the strategies are groups, as the method gives no share to items."""
        return self.known and all(moment.shares is None for moment in self.live.moments)

    @property
    def decides(self) -> bool:
        """Whether the method shows how far each item has decided for each group."""
        return self.of_groups and any(m.memberships is not None for m in self.live.moments)

    # At a moment

    def decisions(self) -> Array | None:
        """Return the shares (m, k) of the groups in each item, those of one group together.

        Within a group the surest come first.
        """
        moment = self._looked_at()
        rows = None if moment is None else moment.memberships
        if rows is None or not len(rows):
            return None
        chosen, lead = rows.argmax(axis=1), rows.max(axis=1)
        return rows[np.lexsort((-lead, chosen))]

    def bars(self) -> ShareBars | None:
        """Return the largest shares at the moment that is looked at."""
        moment = self._looked_at()
        if moment is None or moment.shares is None or len(moment.shares) == 0:
            return None
        shares = moment.shares
        top = _largest(shares, MOST_BARS)
        largest = float(shares[top[0]])
        top = top[shares[top] > _SMALL * largest]
        if of_groups := self.of_groups:
            top = np.arange(len(shares)) if len(shares) <= MOST_BARS else top
        others = int((shares > _SMALL * largest).sum()) - len(top)
        rest = max(float(shares.sum() - shares[top].sum()), 0.0)
        groups = top if of_groups else np.full(len(top), self.forming)
        names = self._names(self._strategies_at(moment, top))
        return ShareBars(shares[top], names, groups, max(others, 0), rest, moment.iteration)

    def in_order(self) -> Sorted | None:
        """Return all shares at the moment that is looked at, largest first."""
        moment = self._looked_at()
        if moment is None or moment.shares is None or len(moment.shares) == 0:
            return None
        shares = np.sort(moment.shares)[::-1]
        # More of the few large ones than of the many small ones.
        steps = np.geomspace(1, len(shares), min(MOST_STEPS, len(shares)))
        places = np.unique(np.round(steps).astype(np.int64))
        group = -1 if self.of_groups else self.forming
        return Sorted(places, shares[places - 1], len(shares), group)

    # Over time

    def lines(self) -> tuple[Array, Array, Array] | None:
        """Return iterations (t,), shares (t, m) of those that peaked highest, groups (m,)."""
        moments = self._moments()
        if len(moments) < 2:
            return None
        states = [m.shares for m in moments if m.shares is not None]
        # One state after the other: a table of all of them is megabytes at every frame.
        peak = np.array(states[0])
        for shares in states[1:]:
            np.maximum(peak, shares, out=peak)
        top = np.sort(_largest(peak, MOST_LINES))
        iterations = np.array([m.iteration for m in moments])
        groups = top if self.of_groups else self._groups(self._strategies_at(moments[0], top))
        return iterations, np.array([shares[top] for shares in states]), groups

    # Three strategies

    @property
    def strategies(self) -> tuple[int, int, int] | None:
        """Those that a person chose for the corners in this step; another one has others."""
        if self._chosen is None or self._chosen[0] != self.live.step:
            return None
        return self._chosen[1]

    def choose(self, strategies: tuple[int, int, int]) -> None:
        """Put these at the corners of the triangle."""
        self._chosen = self.live.step, strategies

    def forget_choice(self) -> None:
        """Choose the corners by what happens again, as for other items."""
        self._chosen = None

    def simplex(self) -> SimplexPath | None:
        """Return the way of the population, seen by the three strategies that matter."""
        moment = self._looked_at()
        if moment is None or moment.shares is None:
            return None
        columns = self._columns_of(moment)
        if len(columns) != 3:
            return None
        peeled = [mark.iteration for mark in self.live.marks if mark.group >= 0]
        at = moment.iteration if self.live.scrubbed else None
        places, iterations, sets, here = path_of(self._moments(), columns, peeled, at)
        corners = self._strategies_at(moment, np.array(columns))
        a, b, c = self._names(corners)
        chosen = (int(corners[0]), int(corners[1]), int(corners[2]))
        return SimplexPath(
            chosen,
            (a, b, c),
            places,
            iterations,
            sets,
            here,
            of_groups=self.of_groups,
            cloud=cloud_of(moment.memberships, columns),
        )

    def candidates(self) -> tuple[tuple[int, str], ...]:
        """Return what may be a corner, with names: the largest shares, now and ever."""
        populated = self._moments()
        found: dict[int, None] = {}
        for moment in (self._looked_at(), *populated[:: max(1, len(populated) // 12)]):
            if moment is None or moment.shares is None:
                continue
            top = _largest(moment.shares, MOST_BARS if self.of_groups else 6)
            found |= dict.fromkeys(int(one) for one in self._strategies_at(moment, top))
        path = self.simplex()
        if path is not None:
            found |= dict.fromkeys(path.items)
        corners = np.array(sorted(found), dtype=np.int64)
        return tuple(zip(corners.tolist(), self._names(corners), strict=True))

    @property
    def forming(self) -> int:
        """The number of the group that the population gathers on: colours the bars."""
        moment = self._looked_at()
        if moment is None:
            return 0
        if moment.labels is not None:
            return int(moment.labels.max(initial=-1)) + 1
        return sum(mark.group >= 0 for mark in self.live.marks_before(moment.iteration))

    # Moments

    def _looked_at(self) -> Frame | None:
        """The moment that is looked at, or the last before it that has a population."""
        moment = self.live.moment
        if moment is None:
            return None
        if self.of_groups:
            known = [m for m in self.live.moments if m.iteration < moment.iteration]
            return ([None, *self._counted_groups([*known, moment])])[-1]
        if moment.shares is not None:
            return moment
        earlier = [one for one in self._moments() if one.iteration <= moment.iteration]
        return earlier[-1] if earlier else None

    def _moments(self) -> list[Frame]:
        """Those with a population; of groups, how many of the items each of them has."""
        moments = self.live.moments
        if not self.of_groups:
            return [moment for moment in moments if moment.shares is not None]
        return self._counted_groups([moment for moment in moments if _has_groups(moment)])

    def _counted_groups(self, moments: Sequence[Frame]) -> list[Frame]:
        """The same moments with the share of each group; what was counted once is kept."""
        kept, self._counted = self._counted, {}
        for moment in moments:
            if id(moment) in kept:
                self._counted[id(moment)] = kept[id(moment)]
            elif moment.memberships is not None:
                self._counted[id(moment)] = (moment, moment.memberships.mean(axis=0))
            elif moment.labels is not None:
                counts = np.bincount(np.maximum(moment.labels, -1) + 1)[1:]
                self._counted[id(moment)] = (moment, counts / max(len(moment.labels), 1))
        k = max((len(shares) for _, shares in self._counted.values()), default=0)
        return [
            replace(moment, shares=np.pad(shares, (0, k - len(shares))), items=None)
            for moment, shares in self._counted.values()
        ]

    def _columns_of(self, moment: Frame) -> tuple[int, ...]:
        """The columns of the strategies at the corners: the chosen ones, else those that lead."""
        if (chosen := self.strategies) is not None:
            if moment.items is None:
                columns = np.array(chosen)
            else:
                columns = np.searchsorted(moment.items, chosen)
                columns = columns[columns < len(moment.items)]
                columns = columns[np.isin(moment.items[columns], chosen)]
            length = 0 if moment.shares is None else len(moment.shares)
            if len(columns) == 3 and columns.max() < length:
                return tuple(int(column) for column in columns)
        begun = max((m.iteration for m in self.live.marks_before(moment.iteration)), default=-1)
        set_so_far = [one for one in self._moments() if begun < one.iteration <= moment.iteration]
        # Looking at some of them is enough to see who came and went.
        sample = set_so_far[:: max(1, len(set_so_far) // 8)]
        self._leading = leading_three(moment, sample, self._leading)
        return self._leading

    def _strategies_at(self, moment: Frame, columns: Array) -> Array:
        return columns if moment.items is None else moment.items[columns]

    def _groups(self, items: Array) -> Array:
        found = self.shown.clustering
        if found is None or self.live.going_on or (len(items) and items.max() >= found.n):
            groups = np.full(len(items), self.forming)
            for mark in self.live.marks:
                if mark.members is not None:
                    groups[np.isin(items, mark.members)] = mark.group
            return groups
        return found.labels[items]

    def _names(self, strategies: Array) -> tuple[str, ...]:
        if self.of_groups:
            found = self.shown.clustering
            own = found is not None and self.shown.clustering_step == self.live.step
            names = found.names if found is not None and own else ()
            return tuple(group_name(group, names) for group in strategies.tolist())
        data = self.shown.dataset
        if data is not None and data.items and not (strategies >= data.n).any():
            return tuple(data.items[i] for i in strategies.tolist())
        return tuple(str(i + 1) for i in strategies.tolist())


def _has_groups(moment: Frame) -> bool:
    return moment.labels is not None or moment.memberships is not None


def _largest(shares: Array, most: int) -> Array:
    """Return the places of the largest shares, largest first.

    Only those are sorted: sorting 10,000 at every frame would be most of the work.
    """
    most = min(most, len(shares))
    if most == 0:
        return np.empty(0, dtype=np.int64)
    top = np.argpartition(-shares, most - 1)[:most]
    return np.asarray(top[np.argsort(-shares[top], kind="stable")])
