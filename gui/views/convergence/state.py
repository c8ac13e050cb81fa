"""The Convergence view: curves, marks, the population, and what the person may do to the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coterie.core.model.arrays import Array
from coterie.core.model.recipes import Step
from coterie.gui.views.convergence.population import Population
from coterie.gui.views.shown_items.displayed import Shown, look
from coterie.gui.views.shown_items.run_monitor import Live

if TYPE_CHECKING:
    from coterie.projects.jobs.job import Job
    from coterie.projects.session import Session

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 0.0)  # iterations a second; 0: as fast as it can
NOTHING = 1e-16  # up to this a residual is rounding; a logarithmic axis cannot show 0


class ConvergenceState:
    """What the Convergence view shows: the run that goes on, else the one that was chosen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.live = Live.of(session)
        self.shown = Shown()
        self.chosen = ""
        self.speed = SPEEDS[-1]
        self.population = Population(self.live)
        session.project.opened.connect(self.population.forget_choice)

    def update(self) -> None:
        """Take the recorded history of what was chosen, unless a run is being watched."""
        self.shown = self.population.shown = look(self._session, self.chosen)
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
            return (
                "Open a file or choose a sample, then run an iterative method to watch it "
                "converge here."
            )
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
        # Some have a residual only where they iterate: of a small matrix next to nothing came.
        series = (live.objective, live.residual, live.support)
        enough = min(len(live.iterations), 2)
        known = [np.count_nonzero(np.isfinite(one)) >= enough for one in series]
        return tuple(n if k else "" for n, k in zip(names, known, strict=False))

    def residual(self) -> Array:
        """The relative Nash gap, or what the method stops by, fit for a logarithmic axis."""
        residual = self.live.residual
        return np.where(np.isfinite(residual), np.maximum(residual, NOTHING), np.nan)
