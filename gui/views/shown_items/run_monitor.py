"""What an iterative run shows: live, after it ended, and replayed.

The Convergence view draws its curves from here, the Embedding view its colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from psygnal import Signal

from coterie.core.api.frame import ITERATION, Frame
from coterie.core.api.thinning import Thinned
from coterie.core.model.arrays import Array, Floats
from coterie.core.model.results import Trace
from coterie.gui.views.shown_items.growing_array import GrowingColumns

if TYPE_CHECKING:
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.session import Session

EXEMPLARS = ("destinations", "means")  # events that carry the current exemplars of groups
MOST_STATES = 128  # frames kept while a run goes on


@dataclass(frozen=True, eq=False)
class Mark:
    """Something that happened at an iteration, such as a set peeled off, and its members."""

    iteration: int
    text: str
    group: int = -1
    members: Array | None = None


@dataclass(frozen=True, eq=False)
class Moved:
    """The exemplars of the groups moved: to these items, or to the means of the groups (None)."""

    iteration: int
    items: Array | None = None


class Live:
    """One run: its curves, its marks, and the moment that is looked at."""

    changed = Signal()

    def __init__(self) -> None:
        self.step = ""
        self.going_on = False
        self.marks: list[Mark] = []
        self.moves: list[Moved] = []
        self._moments: Thinned[Frame] = Thinned(MOST_STATES)
        self.position: int | None = None  # into `moments`; None: the newest
        self.trace: Trace | None = None
        self._columns = GrowingColumns()
        self._newest: Frame | None = None
        self._job = -1

    @classmethod
    def of(cls, session: Session) -> Live:
        """Return the one that the views of this session share."""
        live = _SHARED.get(session)
        if live is None:
            live = _SHARED[session] = cls()
            session.framed.connect(live.take_frame)
            session.happened.connect(live.take_event)
            session.job_changed.connect(live.take_job)
        return live

    # What is drawn

    @property
    def iterations(self) -> Floats:
        """The iterations that are known."""
        return self._columns[ITERATION]

    def curve(self, name: str) -> Floats:
        """Return a value at each iteration, not a number where there is none."""
        return self._columns[name]

    @property
    def value_names(self) -> tuple[str, ...]:
        """The values that the run has shown so far."""
        return tuple(name for name in self._columns.names if name != ITERATION)

    @property
    def moments(self) -> list[Frame]:
        """The frames that show something of each item: of a run that goes on, thinned."""
        return self._moments.entries

    @property
    def moment(self) -> Frame | None:
        """The population that is looked at: the newest, or where the person scrubbed back to."""
        moments = self.moments if self.position is not None else []
        if self.position is not None and self.position < len(moments):
            return moments[self.position]
        return self._newest

    @property
    def scrubbed(self) -> bool:
        """Whether the person looks at an earlier moment."""
        return self.position is not None

    def labels(self, n: int) -> Array | None:
        """Return the group of each of n items at the moment that is looked at.

        Methods that show no labels themselves say who left with each set that was peeled off.
        """
        moment = self.moment
        if moment is None:
            return None
        if (shown := moment.spread(moment.labels, n, -1)) is not None:
            return shown
        labels = np.full(n, -1)
        for mark in self.marks_before(moment.iteration):
            if mark.members is not None and len(mark.members) and mark.members.max() < n:
                labels[mark.members] = mark.group
        return labels

    def marks_before(self, iteration: int) -> list[Mark]:
        """Return what had happened when that iteration began."""
        return [mark for mark in self.marks if mark.iteration < iteration]

    # News from the session

    def take_frame(self, step: str, frame: Frame) -> None:
        """Add the newest picture of the run of `step`."""
        if step != self.step or not self.going_on:
            self._begin(step)
        self._columns.extend(frame.rows)
        self._newest = replace(frame, since=None, glimpse=None)
        if frame.has_states:
            self._moments.add(self._newest)
        self.changed.emit()

    def take_event(self, step: str, name: str, details: Mapping[str, Any]) -> None:
        """Mark that something happened."""
        if step != self.step or not self.going_on:
            self._begin(step)
        reached = int(self.iterations[-1]) if len(self.iterations) else 0
        self._note({"iteration": reached, "name": name, **details})
        self.changed.emit()

    def take_job(self, job: EngineJob) -> None:
        """Note that a run began or ended."""
        going_on = job.state in ("running", "paused")
        if going_on and job.step == self.step and job.number != self._job:
            self._begin(job.step)
        self._job = job.number
        if job.step == self.step and not going_on:
            self.going_on = False
        self.changed.emit()

    # What the person does

    def show_trace(self, step: str, trace: Trace | None) -> None:
        """Show the recorded history of a run that has ended."""
        if trace is self.trace and step == self.step:
            return
        self._begin(step)
        self.going_on = False
        self.trace = trace
        if trace is not None:
            self._columns.extend({ITERATION: trace.iterations, **trace.values})
            for mark in trace.marks:
                self._note(mark)
            frames = list(_frames(trace))
            self._moments = Thinned(len(frames) + 1)  # a trace is thin enough
            for frame in frames:
                self._moments.add(frame)
                self._newest = frame
        self.changed.emit()

    def scrub(self, position: int | None) -> None:
        """Look at an earlier moment; None, or the last one, is the newest again."""
        if position is not None and position >= len(self.moments) - 1:
            position = None
        if position != self.position:
            self.position = position
            self.changed.emit()

    def _begin(self, step: str) -> None:
        self.step, self.going_on = step, True
        self.position, self.trace, self._newest = None, None, None
        self.marks, self.moves = [], []
        self._moments = Thinned(MOST_STATES)
        self._columns.clear()

    def _note(self, details: Mapping[str, Any]) -> None:
        """Keep what happened: where exemplars moved to, or a mark in the curves."""
        if details.get("name") in EXEMPLARS:
            items = details.get("items")
            places = None if items is None else np.asarray(items, dtype=np.int64)
            self.moves.append(Moved(int(details.get("iteration", 0)), places))
        else:
            self.marks.append(_mark(details, self.marks))


# The session is projects' and knows nothing of views; this ties the shared state to its lifetime.
_SHARED: WeakKeyDictionary[Session, Live] = WeakKeyDictionary()


def _mark(details: Mapping[str, Any], earlier: Sequence[Mark]) -> Mark:
    name = str(details.get("name", ""))
    iteration = int(details.get("iteration", 0))
    if name != "peeled":
        return Mark(iteration, name)
    number = int(details.get("set", len(earlier) + 1))
    members = details.get("members")
    known = None if members is None else np.asarray(members, dtype=np.int64)
    return Mark(iteration, f"set {number}", number - 1, known)


def _frames(trace: Trace) -> Iterable[Frame]:
    """Yield the recorded states in order, those of the same iteration together.

    Labels stay as they were until they are shown again; so do coordinates.
    """
    shares = _by_iteration(trace.share_iterations, trace.shares)
    labels = _by_iteration(trace.label_iterations, trace.labels)
    places = _by_iteration(trace.coordinate_iterations, trace.coordinates)
    decided = _by_iteration(trace.membership_iterations, trace.memberships)
    label: Array | None = None
    place: Array | None = None
    rows: Array | None = None
    for iteration in sorted({*shares, *labels, *places, *decided}):
        label, place = labels.get(iteration, label), places.get(iteration, place)
        rows = decided.get(iteration, rows)
        yield Frame(
            iteration,
            shares=shares.get(iteration),
            labels=label,
            coordinates=place,
            memberships=rows,
            items=trace.kept_items,
        )


def _by_iteration(iterations: Array | None, states: Array | None) -> dict[int, Array]:
    if iterations is None or states is None:
        return {}
    return dict(zip(iterations.tolist(), states, strict=True))
