"""The session: an open project with its recipe, artefacts, engine and selection.

The window, the command line and scripts all drive this one object. It belongs to one thread and
never blocks it: work happens in the engine process, file work on the storage's thread, and what
they report is taken in by `pump`, which the owner calls after `notify` was.

What can be done with a project is asked of the session's parts, such as `session.edits.undo()`;
the session itself joins them, and says how things stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.engine.options import EngineOptions
from coterie.core.io import clock
from coterie.core.io.folders import workspaces_folder
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.figures import Figures
from coterie.projects.jobs.background import BackgroundThread
from coterie.projects.jobs.catalogue import LoadedPlugins
from coterie.projects.jobs.classify_scene import Maps
from coterie.projects.jobs.cross_validate import CrossValidations
from coterie.projects.jobs.export import Exports
from coterie.projects.jobs.job import EngineJob, Failure, Status
from coterie.projects.jobs.label_table import Labels
from coterie.projects.jobs.queries import Questions
from coterie.projects.jobs.queue import Queue, Task
from coterie.projects.jobs.run_steps import StepRuns
from coterie.projects.jobs.scheduler import EngineKind, Scheduler
from coterie.projects.jobs.sweep import Sweeps
from coterie.projects.recipe.editor import Edits
from coterie.projects.selection import Selection
from coterie.projects.sources.files import SourceFiles
from coterie.projects.sources.raster_processes import keep_apart
from coterie.projects.store.artefacts import Storage
from coterie.projects.store.project import OpenProject
from coterie.projects.store.results import Results


class Session:
    """An open project.

    Attributes
    ----------
    project : where it is kept; opens, saves and restores it
    edits : the recipe, the view, and undoing what was changed of them
    results : what the steps were computed to
    files : the files that its sources read
    plugins : the methods there are
    questions : what would a step take, how would it turn out
    exports, maps, labels, sweeps, cross_validations : further work of the engine with results
    figures : the figures there are of the results
    scheduler : the engine's jobs, which can be held and slowed down
    selection : the items that a person has chosen

    Signals are emitted on the owner's thread, from `pump` or from the call that caused them.
    Some belong to its parts and are passed on as they are: `recipe_changed()`,
    `catalogue_changed()`, `job_changed(Job)`, `framed(step, Frame)`,
    `happened(step, event, details)`, `engine_changed(state)`, `logged(line)` and
    `failed(Failure)`.
    """

    step_changed: ClassVar[Signal] = Signal(str)
    catalogue_changed: ClassVar[Signal] = Signal()

    def __init__(
        self,
        *,
        engine: EngineKind = "process",
        options: EngineOptions | None = None,
        root: Path | None = None,
        quota: int | None = None,
        confined: bool = False,
    ) -> None:
        options = options or EngineOptions()
        if confined:
            keep_apart()
        self._quota = quota
        self._storage = storage = Storage(root or workspaces_folder(), confined=confined)
        self._background = background = BackgroundThread()
        self.scheduler = scheduler = Scheduler(storage.folder, engine, options)
        self.plugins = plugins = LoadedPlugins(options, scheduler, background)
        self.selection = Selection()
        self.results = results = Results(storage, background)
        self.edits = edits = Edits(results, plugins)
        self._queue = queue = Queue(scheduler, results, background, plugins)
        self._runs = runs = StepRuns(queue, results, edits, plugins)
        self.exports = Exports(queue, results, edits, plugins, runs)
        self.maps = Maps(queue, results, edits, plugins)
        self.labels = Labels(queue, results, edits, plugins)
        self.sweeps = Sweeps(queue, runs, edits, plugins)
        self.cross_validations = CrossValidations(queue, runs, edits, plugins)
        self.questions = Questions(scheduler, runs, storage, edits, results)
        self.figures = Figures(scheduler.figure_runs, results, edits, plugins)
        self.project = OpenProject(
            edits, plugins, results, runs, storage, background, self.selection, self._make_way
        )
        self.files = SourceFiles(self.project, edits, results, runs, storage, background)
        self.recipe_changed = self.project.changed
        self.job_changed = scheduler.job_changed
        self.framed = scheduler.framed
        self.happened = scheduler.happened
        self.engine_changed = scheduler.engine_changed
        self.logged = scheduler.logged
        self.failed = runs.failed
        for part in (results, runs, self.project):
            part.logged.connect(self.logged.emit)
        plugins.changed.connect(self._on_plugins)
        for news in (results.brought, self.project.reached):
            news.connect(self._announce)
        queue.changed.connect(self._on_tasks)
        runs.computed.connect(self._on_computed)

    # Life ---------------------------------------------------------------------------------------

    def start(self, notify: Callable[[], None] | None = None) -> None:
        """Start the engine; `notify` is called from other threads when `pump` has work."""
        self._background.notify = notify
        self.scheduler.start(self._background.wake)

    def pump(self) -> None:
        """Take in what the engine and the file thread have to say, and start what comes next."""
        self._background.pump()
        self.scheduler.pump()
        self._queue.advance()

    def wait(self, seconds: float | None = None) -> None:
        """Run until nothing is left to do, or for at most `seconds`; for scripts and tests."""
        until = None if seconds is None else clock.seconds() + seconds
        self.pump()
        while self.busy and (until is None or clock.seconds() < until):
            self._background.wait(0.05)
            self.pump()

    def close(self, *, keep_work: bool = False) -> None:
        """End the engine and give up the workspace; `keep_work` leaves it for recovery."""
        self.scheduler.close()
        self._background.close(lambda: self._storage.close(remove=not keep_work))

    # What is there ------------------------------------------------------------------------------

    @property
    def recipe(self) -> Recipe:
        """The recipe of the project."""
        return self.edits.recipe

    @property
    def catalogue(self) -> Catalogue:
        """The methods there are."""
        return self.plugins.catalogue

    @property
    def view(self) -> dict[str, Any]:
        """What else is saved of the window."""
        return self.edits.view

    @property
    def busy(self) -> bool:
        """Whether anything is running or waiting to run."""
        return self._queue.pending or self.running is not None or self._background.busy

    @property
    def jobs(self) -> tuple[EngineJob, ...]:
        """All jobs, the newest last."""
        return tuple(self.scheduler.jobs.values())

    @property
    def running(self) -> EngineJob | None:
        """The job that is running, or None."""
        return self.scheduler.running

    def status(self, name: str) -> Status:
        """Return how things stand with a step or source."""
        part = self.recipe.find(name)
        if self.running is not None and self.running.step == name:
            return Status.RUNNING
        if self._queue.holds_step(name):
            return Status.WAITING
        if (off := self.recipe.switched_off().get(name)) is not None:
            return Status.OFF if off == name else Status.BLOCKED
        if self._runs.failure(name) is not None:
            return Status.FAILED
        if isinstance(part, Step) and self.catalogue.methods and part.use not in self.catalogue:
            return Status.BROKEN
        if not self.results.is_computed(name):
            left_out = self.results.left_out(name) is not None
            return Status.LEFT_OUT if left_out else Status.MISSING
        if not self.catalogue.methods:
            return Status.FRESH  # what the methods are now is not known yet: nobody can say stale
        return Status.FRESH if self.results.is_fresh(name) else Status.STALE

    def failure(self, name: str) -> Failure | None:
        """Return why a step failed, if it did."""
        return self._runs.failure(name)

    def fetch(self, name: str, part: str = "") -> Any:
        """Return a step's newest artefact, waiting for the project file if need be.

        One that is not stored is computed again.
        """
        if self.results.key(name, part) is None and self.ask_for(name):
            self.wait()
        noun = self.results.artefact(name, part)
        while noun is None and self._background.busy:
            self._background.wait(0.05)
            self.pump()
            noun = self.results.artefact(name, part)
        return noun

    # Running ------------------------------------------------------------------------------------

    def run(self, *names: str, reread: bool = False) -> None:
        """Compute these steps (without names: all that are on) and what they need, unless fresh.

        `reread` looks at the sources' files again, in case they have changed.
        """
        self._runs.run(*names, reread=reread)

    def ask_for(self, name: str) -> bool:
        """Compute a result that the project file does without, as somebody looks at it.

        Returns whether there was such.
        """
        if self.status(name) is not Status.LEFT_OUT:
            return False
        self.run(name)
        return True

    def run_again(self, name: str) -> None:
        """Compute a step once more although it is up to date, to watch it; its result stays."""
        self._runs.run_again(name)

    def cancel(self) -> None:
        """Stop what runs and forget what waits."""
        self._queue.clear()
        self.scheduler.cancel()

    # What others report -------------------------------------------------------------------------

    def _make_way(self) -> None:
        self._queue.forget()
        self.scheduler.disown()

    def _on_plugins(self) -> None:
        self._runs.refresh()
        self.catalogue_changed.emit()

    def _on_computed(self, _name: str, news: bool) -> None:
        self.project.modified |= news
        self.project.autosave()
        named = self.results.keys()
        self._background.do_quietly(lambda: self._storage.make_room(named, self._quota))

    def _on_tasks(self, tasks: Iterable[Task]) -> None:
        self._announce([task.step for task in tasks if task.step])

    def _announce(self, names: Iterable[str]) -> None:
        """Emit `step_changed` for these and for all that depends on them."""
        recipe = self.recipe
        changed = dict.fromkeys(name for name in names if name in recipe.names)
        for name in tuple(changed):
            changed |= dict.fromkeys(step.name for step in recipe.dependents(name))
        if recipe.sources and self.selection.n not in self._sizes():
            dataset = self.results.artefact(recipe.sources[0].name)
            # Nobody selects among the pixels of a scene on disk, but among those of a sample.
            countable = dataset is not None and not dataset.on_disk
            self.selection.set_size(dataset.n if countable else 0)
        for name in changed:
            self.step_changed.emit(name)

    def _sizes(self) -> set[int]:
        """How many items the data sets at hand have that a person may select among."""
        steps = (step.name for step in self.recipe.steps if step.use.startswith("transform/"))
        names = (*(source.name for source in self.recipe.sources), *steps)
        # Those still in the project file are not worth bringing for this.
        here = (n for n in names if (self.results.key(n) or "") in self._storage.workspace)
        found = (self.results.artefact(name) for name in here)
        return {data.n for data in found if isinstance(data, Dataset) and not data.on_disk}
