"""The Convergence view: curves, marks, the population, and the controls of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coterie.core.api.curves import Curve
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Floats
from coterie.core.model.recipes import Step
from coterie.core.numerics.dynamics import cliques
from coterie.gui.views.convergence.phase_portrait import PhasePortrait, phase_portrait
from coterie.gui.views.convergence.population import Population
from coterie.gui.views.shown_items.csv_export import Rows
from coterie.gui.views.shown_items.displayed import Shown, look
from coterie.gui.views.shown_items.run_monitor import Live

if TYPE_CHECKING:
    from coterie.projects.jobs.job import EngineJob
    from coterie.projects.session import Session

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 0.0)  # iterations a second; 0: as fast as it can
FIRST_DRAWN = 3  # curves of a method, unless a person chooses others
MOST_DRAWN = 6  # curves at once; more would be too low to be read
_WATCHED_SECONDS = 8.0
NOTHING = 1e-16  # up to this a residual is rounding; a logarithmic axis cannot show 0

_TITLES = {"support": "support size"}


class ConvergenceState:
    """What the Convergence view shows: the run that goes on, else the one that was chosen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.live = Live.of(session)
        self.shown = Shown()
        self.chosen = ""
        self.speed = SPEEDS[-1]
        self._usual_speed: float | None = None
        self._chosen_curves: dict[str, tuple[str, ...]] = {}  # by method
        self.population = Population(self.live)
        self.portrayed = True
        self._portrait: tuple[object, tuple[int, ...], PhasePortrait] | None = None
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
    def job(self) -> EngineJob | None:
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
    def can_watch(self) -> bool:
        """Whether what is shown is a finished run that can be run again, to watch it."""
        session, name = self._session, self.live.step
        if self.job is not None or name not in session.recipe.names:
            return False
        return isinstance(session.recipe.find(name), Step) and session.status(name) == "fresh"

    @property
    def pace(self) -> float:
        """Iterations a second at which this run can be followed: some eight seconds for all."""
        wanted = len(self.live.iterations) / _WATCHED_SECONDS
        if wanted > max(SPEEDS):
            return SPEEDS[-1]
        return min((speed for speed in SPEEDS if speed), key=lambda speed: abs(speed - wanted))

    def watch(self) -> None:
        """Run what is shown once more, at a pace that can be followed."""
        if self.speed == SPEEDS[-1]:
            self._usual_speed = self.speed
            self.choose_speed(self.pace)
        self._session.run_again(self.live.step)

    def calm_down(self) -> None:
        """Take the speed from before a run was watched, now that it ended."""
        if self._usual_speed is not None and self.job is None:
            speed, self._usual_speed = self._usual_speed, None
            self.choose_speed(speed)

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
            held = "looking back" if live.scrubbed else "paused"
            parts.append(held if job.state == "paused" else "running")
        elif live.scrubbed:
            parts.append("looking back")
        return "  ·  ".join(parts)

    @property
    def reached(self) -> int:
        """The last iteration there is."""
        return int(self.live.iterations[-1]) if len(self.live.iterations) else 0

    # Three strategies

    @property
    def can_be_portrayed(self) -> bool:
        """Whether the run is of dynamics that have a phase portrait: a choice of the method."""
        use, catalogue = self.method, self._session.catalogue
        known = catalogue.get(use).params.get("properties", {}) if use in catalogue else {}
        return "dynamics" in known and not self.population.of_groups

    def portrait(self, strategies: tuple[int, int, int]) -> PhasePortrait | None:
        """Return where replicator dynamics of three strategies alone lead; None if not known."""
        recipe, step = self._session.recipe, self.live.step
        if not (self.portrayed and self.can_be_portrayed):
            return None
        results = [self._session.results.artefact(of) for of in recipe.step(step).of]
        found = next((one for one in results if isinstance(one, Affinity)), None)
        if found is None or max(strategies) >= found.n:
            return None
        kept = self._portrait
        if kept is None or kept[0] is not found or kept[1] != strategies:
            payoffs = np.array(found.submatrix(np.array(strategies)).to_dense(), np.float64)
            own = cliques.OWN if recipe.step(step).params.get("clique") else 0.0
            np.fill_diagonal(payoffs, own)  # whatever the similarities have there
            kept = self._portrait = (found, strategies, phase_portrait(payoffs))
        return kept[2]

    # Curves

    @property
    def curves(self) -> tuple[Curve, ...]:
        """All curves that can be drawn: those the method declares, then what else it shows."""
        declared, live = self._declared(), self.live
        known = {curve.name for curve in declared}
        others = (name for name in live.value_names if name not in known)
        curves = [curve for curve in declared if curve.title]
        curves += [Curve(name, _title(name), log=name == "residual") for name in others]
        if live.going_on:
            return tuple(curves)
        # Some methods have a residual only where they iterate, and of a small matrix hardly any.
        enough = min(len(live.iterations), 2)
        some = [c for c in curves if np.isfinite(live.curve(c.name)).sum() >= enough]
        return tuple(some or curves)

    @property
    def drawn_curves(self) -> tuple[Curve, ...]:
        """The curves that are drawn: those a person chose, else the first few."""
        curves = self.curves
        chosen = self._chosen_curves.get(self.method, ())
        return tuple(c for c in curves if c.name in chosen) or curves[:FIRST_DRAWN]

    def choose_curve(self, name: str, drawn: bool) -> None:
        """Draw a curve of this method, or leave it out; one is always drawn."""
        names = [curve.name for curve in self.drawn_curves if curve.name != name]
        if drawn:
            names = [*names, name][-MOST_DRAWN:]
        self._chosen_curves[self.method] = tuple(names)

    def series(self, curve: Curve) -> Floats:
        """Return the values of a curve, fit for its axis."""
        values = self.live.curve(curve.name)
        if curve.log:
            values = np.where(np.isfinite(values), np.maximum(values, NOTHING), np.nan)
        return values

    def table_rows(self) -> Rows:
        """Each kept iteration with the value of every curve, drawn or not."""
        live, curves = self.live, self.curves
        yield ["iteration", *(curve.label for curve in curves)]
        values = (live.curve(curve.name).tolist() for curve in curves)
        yield from zip(live.iterations.tolist(), *values, strict=True)

    @property
    def method(self) -> str:
        """The method that is looked at, as "kind/id"; empty when that is not known."""
        recipe, step = self._session.recipe, self.live.step
        part = recipe.find(step) if step in recipe.names else None
        return part.use if isinstance(part, Step) else ""

    def _declared(self) -> tuple[Curve, ...]:
        use, catalogue = self.method, self._session.catalogue
        return catalogue.get(use).curves if use in catalogue else ()


def _title(name: str) -> str:
    """What a value is called that no method explains: of an old trace, or one not declared."""
    return _TITLES.get(name, name.replace("_", " "))
