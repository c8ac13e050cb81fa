"""A whole scene being labelled: the classifier first if it must run, then tile by tile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from psygnal import Signal

from coterie.core.errors import CoterieError
from coterie.core.formats.rasters.windows import Window
from coterie.gui.views.map.labelling.state import NEAREST, Made, classifiers_of
from coterie.projects.jobs.classify_scene import MapRequest

if TYPE_CHECKING:
    from coterie.projects.jobs.job import EngineJob, Failure
    from coterie.projects.session import Session

Plan = Callable[[], tuple[MapRequest, Made | None]]
Phase = Literal["idle", "learning", "labelling", "stopped", "done", "failed", "finished"]


class LabellingRun:
    """What became of the last request to label a scene.

    The owner passes on what the session says, so this needs no life of its own.
    """

    changed: ClassVar[Signal] = Signal()
    tile_done: ClassVar[Signal] = Signal(Window)

    def __init__(self, session: Session) -> None:
        self._session = session
        self.phase: Phase = "idle"
        self.request: MapRequest | None = None
        self.made: Made | None = None
        self._step = ""
        self._plan: Plan | None = None
        self.done = 0.0
        self.message = ""
        self.notes: tuple[str, ...] = ()

    @property
    def going_on(self) -> bool:
        """Whether it is under way."""
        return self.phase in ("learning", "labelling")

    def ensure_classifier(self) -> str:
        """Return the classifier step to use, adding one by nearest neighbours when there is none.

        It learns from the latest groups and the data that they were found in.
        """
        known = classifiers_of(self._session)
        return known[0] if known else self._session.edits.add_step(NEAREST)

    def begin(self, step: str, plan: Plan) -> None:
        """Have the scene labelled, after the classifier has run if it is not up to date.

        Parameters
        ----------
        plan : says what to ask for, and which map that makes; called when the classifier has
            learnt, as only then the groups are known
        """
        self._step, self._plan, self.request, self.made = step, plan, None, None
        self.done, self.message, self.notes = 0.0, "", ()
        if str(self._session.status(step)) == "fresh":
            self._label()
        else:
            self._enter("learning", f"running '{step}' first")
            self._session.run(step)

    def offer(self, step: str, plan: Plan) -> None:
        """Offer to go on with a map that was begun when the project was last open."""
        self._step, self._plan, self.request, self.made = step, plan, None, None
        self.done, self.notes = 0.0, ()
        self._enter("stopped", "An unfinished map of this scene exists and can be resumed.")

    def forget(self) -> None:
        """Know of no run any more, as when another project was opened."""
        self._step, self._plan, self.request, self.made = "", None, None, None
        self._enter("idle", "")

    def resume(self) -> None:
        """Go on where a run was stopped."""
        if self._plan is not None and not self.going_on:
            self.begin(self._step, self._plan)

    def cancel(self) -> None:
        """Stop; the tiles that are done are kept for when it is resumed."""
        if self.going_on:
            learning = self.phase == "learning"
            self._session.cancel()
            if learning or self._session.running is None:
                self._enter("stopped", "Nothing has been classified yet.")

    def dismiss(self) -> None:
        """Say no more of a run that has ended; it can still be resumed by asking for it again."""
        if not self.going_on:
            self._enter("idle", "")

    def say_finished(self, message: str) -> None:
        """Say that a finished copy of the map is there, in place of what is said of the map."""
        if not self.going_on:
            self.made = None  # the copy is shown now
            self.done, self.notes = 1.0, (message,)
            self._enter("finished", message)

    def _label(self) -> None:
        assert self._plan is not None
        try:
            self.request, self.made = self._plan()
            self._enter("labelling", "waiting for the engine")
            self._session.maps.add(self.request)
        except CoterieError as error:
            self._enter("failed", str(error))

    # The session's news

    def on_step(self, name: str) -> None:
        """Hear that something changed about a step."""
        if self.phase != "learning" or name != self._step:
            return
        status = str(self._session.status(name))
        if status == "fresh":
            self._label()
        elif status in ("failed", "broken"):
            failure = self._session.failure(name)
            said = failure.message if failure is not None else "its method is not installed"
            self._enter("failed", f"'{name}' failed: {said}")

    def on_job(self, job: EngineJob) -> None:
        """Hear of the progress of a job."""
        if job.step or self.phase != "labelling" or self.request is None:
            return
        if job.title != self.request.title:
            return
        if job.active:
            self.done, self.message = job.done, job.message
            self.changed.emit()
        elif job.state == "cancelled":
            self._enter("stopped", "Finished tiles are kept. You can resume.")

    def on_event(self, target: Path, name: str, details: Mapping[str, Any]) -> None:
        """Hear of a tile that is done."""
        if name != "tile" or self.request is None or target != self.request.target:
            return
        (top, bottom), (left, right) = details["rows"], details["columns"]
        self.tile_done.emit(Window(int(top), int(left), int(bottom), int(right)))

    def on_mapped(self, target: Path, notes: list[str]) -> None:
        """Hear that a map is there."""
        if self.request is not None and Path(target) == self.request.target:
            if self.made is not None:
                self.made = replace(self.made, complete=True)
            self.done, self.notes = 1.0, tuple(notes)
            self._enter("done", f"Wrote {self.request.target.name}")

    def on_failed(self, failure: Failure) -> None:
        """Hear that there will be no map."""
        if self.request is not None and failure.title == self.request.title:
            self._enter("failed", failure.message)

    def _enter(self, phase: Phase, message: str) -> None:
        self.phase, self.message = phase, message
        self.changed.emit()
