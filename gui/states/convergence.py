"""The Convergence view: curves, marks, the population, and what the person may do to the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.arrays import Array
from coterie.core.recipes import Step
from coterie.gui.states.live import Live, Moment
from coterie.gui.states.shown import Shown, look
from coterie.gui.states.simplex_path import SimplexPath, leading_three, path_of

if TYPE_CHECKING:
    from coterie.projects.jobs import Job
    from coterie.projects.session import Session

MOST_BARS = 24
MOST_LINES = 40
SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 0.0)  # iterations a second; 0: as fast as it can
_TINY = 1e-16  # below this a residual is rounding; a logarithmic axis cannot show 0


@dataclass(frozen=True)
class Bars:
    """The largest shares, largest first, with the names of their items."""

    shares: Array
    items: Array
    names: tuple[str, ...]
    others: int
    rest: float
    iteration: int


class ConvergenceState:
    """What the Convergence view shows: the run that goes on, else the one that was chosen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.live = Live.of(session)
        self.shown = Shown()
        self.chosen = ""
        self.speed = SPEEDS[-1]
        self.strategies: tuple[int, int, int] | None = None  # the items a person chose
        self._leading: tuple[int, ...] = ()  # of the run that is looked at, by column

    def update(self) -> None:
        """Take the recorded history of what was chosen, unless a run is being watched."""
        self.shown = look(self._session, self.chosen)
        if self.live.going_on:
            return
        if self.shown.trace is not None:
            self.live.show_trace(self.shown.trace_step, self.shown.trace)
        elif self.live.trace is not None:
            self.live.show_trace("", None)

    # The run

    @property
    def job(self) -> Job | None:
        """The job that runs or is held, None when there is none."""
        for job in reversed(self._session.jobs):
            if job.state in ("running", "paused"):
                return job
        return None

    def choose_speed(self, speed: float) -> None:
        """Let this run, and those to come, do so many iterations a second; 0: full speed."""
        self.speed = speed
        self._session.scheduler.set_speed(speed)

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to draw, else nothing."""
        if len(self.live.iterations):
            return ""
        if self.live.going_on:
            return "Waiting for the first iteration …"
        if self.shown.dataset is None:
            return "Open a file or choose a sample, then run an iterative method to watch it here."
        return "Run an iterative method, such as dominant sets, to watch it converge here."

    @property
    def headline(self) -> str:
        """What is being looked at, in a line."""
        live = self.live
        if not live.step:
            return ""
        parts = [live.step]
        moment = live.moment
        if moment is not None and moment.phase:
            parts.append(moment.phase)
        reached = moment.iteration if live.scrubbed and moment is not None else self.reached
        parts.append(f"iteration {reached:,}")
        job = self.job
        if live.going_on and job is not None:
            parts.append("paused" if job.state == "paused" else "running")
        elif live.scrubbed:
            parts.append("looking back")
        return "  ·  ".join(parts)

    @property
    def reached(self) -> int:
        """The last iteration there is."""
        return int(self.live.iterations[-1]) if len(self.live.iterations) else 0

    # Curves

    @property
    def curve_names(self) -> tuple[str, ...]:
        """What the curves are called in the method that is looked at."""
        recipe, catalogue = self._session.recipe, self._session.catalogue
        if self.live.step not in recipe.names:
            return ()
        part = recipe.find(self.live.step)
        use = part.use if isinstance(part, Step) else ""
        names = catalogue.get(use).curves if use in catalogue else ()
        live = self.live
        if live.going_on:
            return names
        # Some have a residual only where they iterate: of a small matrix, nothing came.
        series = (live.objective, live.residual, live.support)
        known = [bool(np.isfinite(one).any()) for one in series]
        return tuple(n if k else "" for n, k in zip(names, known, strict=False))

    def residual(self) -> Array:
        """The relative Nash gap, fit for a logarithmic axis."""
        residual = self.live.residual
        return np.where(np.isfinite(residual), np.maximum(residual, _TINY), np.nan)

    # The population

    @property
    def has_population(self) -> bool:
        """Whether the method tells how its population is shared out; eigenvectors have none."""
        return any(moment.shares is not None for moment in self.live.moments)

    def bars(self) -> Bars | None:
        """Return the largest shares at the moment that is looked at."""
        moment = self._populated()
        if moment is None or moment.shares is None or len(moment.shares) == 0:
            return None
        shares = moment.shares
        top = _largest(shares, MOST_BARS)
        largest = float(shares[top[0]])
        top = top[shares[top] > 1e-3 * largest]
        items = top if moment.items is None else moment.items[top]
        others = int((shares > 1e-3 * largest).sum()) - len(top)
        rest = max(float(shares.sum() - shares[top].sum()), 0.0)
        return Bars(shares[top], items, self._names(items), others, rest, moment.iteration)

    def _populated(self) -> Moment | None:
        """The moment that is looked at, or the last before it that has a population."""
        moment = self.live.moment
        if moment is None or moment.shares is not None:
            return moment
        earlier = [
            one
            for one in self.live.moments
            if one.shares is not None and one.iteration <= moment.iteration
        ]
        return earlier[-1] if earlier else None

    def lines(self) -> tuple[Array, Array, Array] | None:
        """Return iterations (t,), shares (t, m) of the items that peaked highest, groups (m,)."""
        moments = [m for m in self.live.moments if m.shares is not None]
        if len(moments) < 2:
            return None
        states = [m.shares for m in moments if m.shares is not None]
        # One state after the other: a table of all of them is megabytes at every frame.
        peak = np.array(states[0])
        for shares in states[1:]:
            np.maximum(peak, shares, out=peak)
        top = np.sort(_largest(peak, MOST_LINES))
        items = top if moments[0].items is None else moments[0].items[top]
        iterations = np.array([m.iteration for m in moments])
        return iterations, np.array([shares[top] for shares in states]), self._groups(items)

    def simplex(self) -> SimplexPath | None:
        """Return the way of the population, seen by the three strategies that matter."""
        moment = self._populated()
        if moment is None or moment.shares is None:
            return None
        columns = self._columns_of(moment)
        if len(columns) != 3:
            return None
        peeled = [mark.iteration for mark in self.live.marks if mark.group >= 0]
        at = moment.iteration if self.live.scrubbed else None
        places, iterations, begins, here = path_of(self.live.moments, columns, peeled, at)
        first, second, third = columns
        items = np.array([first, second, third])
        if moment.items is not None:
            items = moment.items[items]
        a, b, c = self._names(items)
        chosen = (int(items[0]), int(items[1]), int(items[2]))
        return SimplexPath(chosen, (a, b, c), places, iterations, begins, here)

    def _columns_of(self, moment: Moment) -> tuple[int, ...]:
        """The columns of the strategies at the corners: the chosen ones, else those that lead."""
        if self.strategies is not None:
            if moment.items is None:
                columns = np.array(self.strategies)
            else:
                columns = np.searchsorted(moment.items, self.strategies)
                columns = columns[columns < len(moment.items)]
                columns = columns[np.isin(moment.items[columns], self.strategies)]
            length = 0 if moment.shares is None else len(moment.shares)
            if len(columns) == 3 and columns.max() < length:
                return tuple(int(column) for column in columns)
        begun = max((m.iteration for m in self.live.marks_before(moment.iteration)), default=-1)
        set_so_far = [one for one in self.live.moments if begun < one.iteration <= moment.iteration]
        # Looking at some of them is enough to see who came and went.
        sample = set_so_far[:: max(1, len(set_so_far) // 8)]
        self._leading = leading_three(moment, sample, self._leading)
        return self._leading

    def candidates(self) -> tuple[tuple[int, str], ...]:
        """Return items that may be corners, with their names: the largest shares, now and ever."""
        populated = [moment for moment in self.live.moments if moment.shares is not None]
        found: dict[int, None] = {}
        for moment in (self._populated(), *populated[:: max(1, len(populated) // 12)]):
            if moment is None or moment.shares is None:
                continue
            top = _largest(moment.shares, 6)
            items = top if moment.items is None else moment.items[top]
            found |= dict.fromkeys(int(item) for item in items)
        path = self.simplex()
        if path is not None:
            found |= dict.fromkeys(path.items)
        items = np.array(sorted(found), dtype=np.int64)
        return tuple(zip(items.tolist(), self._names(items), strict=True))

    def _groups(self, items: Array) -> Array:
        found = self.shown.clustering
        if found is None or self.live.going_on or (len(items) and items.max() >= found.n):
            groups = np.full(len(items), self.forming)
            for mark in self.live.marks:
                if mark.members is not None:
                    groups[np.isin(items, mark.members)] = mark.group
            return groups
        return found.labels[items]

    @property
    def forming(self) -> int:
        """The number of the group that the population gathers on: colours the bars."""
        moment = self._populated()
        if moment is None:
            return 0
        if moment.labels is not None:
            return int(moment.labels.max(initial=-1)) + 1
        return len(self.live.marks_before(moment.iteration))

    def _names(self, items: Array) -> tuple[str, ...]:
        data = self.shown.dataset
        if data is not None and data.items and (len(items) == 0 or items.max() < data.n):
            return tuple(data.items[i] for i in items.tolist())
        return tuple(str(i + 1) for i in items.tolist())


def _largest(shares: Array, most: int) -> Array:
    """Return the places of the largest shares, largest first.

    Only those are sorted: sorting 10,000 at every frame would be most of the work.
    """
    most = min(most, len(shares))
    if most == 0:
        return np.empty(0, dtype=np.int64)
    top = np.argpartition(-shares, most - 1)[:most]
    return np.asarray(top[np.argsort(-shares[top], kind="stable")])
