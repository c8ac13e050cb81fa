"""The session: an open project with its recipe, artefacts, engine and selection.

The window, the command line and scripts all drive this one object. It belongs to one thread and
never blocks it: work happens in the engine process, file work on the storage's thread, and what
they report is taken in by `pump`, which the owner calls after `notify` was.

The module is long because it is the one front of the house; each method only hands on to a room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from coterie.core import clock
from coterie.core.artefacts import part_key
from coterie.core.catalogue.cache import CatalogueCache
from coterie.core.catalogue.descriptors import Catalogue
from coterie.core.dataset import Dataset
from coterie.core.engine.messages import Failed, Finished, Order
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import CoterieError, ProjectFileError, WorkspaceError
from coterie.core.folders import workspaces_folder
from coterie.core.recipes import Recipe, Source, Step
from coterie.projects.adopting import Adoption
from coterie.projects.backstage import Backstage
from coterie.projects.edits import Edits
from coterie.projects.embedding import FILE, take_out, take_out_again
from coterie.projects.exports import Export, Exports
from coterie.projects.jobs import Failure, Job, Status
from coterie.projects.kept import Kept
from coterie.projects.maps import MapRequest, Maps
from coterie.projects.moved_scenes import moved_scenes
from coterie.projects.planning import (
    Computed,
    fitting_inputs,
    reader_of,
    recipe_to_open,
    refuse_off,
    request_of,
)
from coterie.projects.rearranging import renamed, with_renamed_step
from coterie.projects.repeat_plans import RepeatPlan
from coterie.projects.repeats import Repeats
from coterie.projects.results import Results
from coterie.projects.runs import Runs
from coterie.projects.scheduler import EngineKind, Scheduler
from coterie.projects.selection import Selection
from coterie.projects.selections import SELECTIONS, NamedSelections
from coterie.projects.source_files import SourceFiles
from coterie.projects.storage import Opened, Storage
from coterie.projects.sweep_plans import SweepPlan
from coterie.projects.sweeps import Sweeps


class Session:
    """An open project.

    Signals are emitted on the owner's thread, from `pump` or from the call that caused them.
    Some belong to its parts and are passed on as they are: `job_changed(Job)`,
    `framed(step, Frame)`, `happened(step, event, details)`, `estimated(step, Cost or sentence)`,
    `step_previewed(step, StepPreview or sentence)`,
    `previewed(number, TablePreview or sentence)`, `engine_changed(state)`, `logged(line)` and
    `failed(Failure)`.
    """

    recipe_changed: ClassVar[Signal] = Signal()
    step_changed: ClassVar[Signal] = Signal(str)
    catalogue_changed: ClassVar[Signal] = Signal()
    saved: ClassVar[Signal] = Signal(object)

    def __init__(
        self,
        *,
        engine: EngineKind = "process",
        options: EngineOptions | None = None,
        root: Path | None = None,
        quota: int | None = None,
    ) -> None:
        self.options = options = options or EngineOptions()
        self._quota = quota
        self._cache = self._catalogue_cache()
        self.catalogue: Catalogue = self._cache.read() or Catalogue()
        self.selection = Selection()
        self.view: dict[str, Any] = {}
        self.path: Path | None = None
        self.modified = False
        self._created = clock.timestamp()
        self._begun_at_once = 0
        self._asked_to_begin = 0
        self._edits = Edits(Recipe())
        self._storage = Storage(root or workspaces_folder())
        self._results = Results(self._storage)
        self._backstage = Backstage()
        self._scheduler = scheduler = Scheduler(self._storage.folder, engine, options)
        self._runs = Runs(scheduler, self._results, self._storage, self._backstage)
        self._exports = Exports(scheduler, self._results, self._storage, self._runs)
        self._maps = Maps(scheduler, self._results, self._storage, self._runs)
        self._sweeps = Sweeps(scheduler, self._results, self._storage, self._runs, self._backstage)
        self._repeats = Repeats(
            scheduler, self._results, self._storage, self._runs, self._backstage
        )
        self.files = SourceFiles(self, self._results, self._runs, self._storage, self._backstage)
        scheduler.catalogue_came.connect(self._on_catalogue)
        scheduler.finished.connect(self._on_finished)
        scheduler.failed.connect(self._on_failed)
        scheduler.cancelled.connect(self._on_cancelled)
        self.job_changed = scheduler.job_changed
        self.framed = scheduler.framed
        self.happened = scheduler.happened
        self.estimated = scheduler.estimated
        self.previewed = scheduler.previewed
        self.step_previewed = scheduler.step_previews.answered
        self.engine_changed = scheduler.engine_changed
        self.logged = scheduler.logged
        self.failed = self._runs.failed
        self.exported = self._exports.exported
        self.export_failed = self._exports.failed
        self.swept = self._sweeps.changed
        self.repeated = self._repeats.changed
        self.mapped = self._maps.mapped
        self.map_failed = self._maps.failed
        self._runs.changed.connect(self._announce)
        self._runs.logged.connect(self.logged.emit)

    # Life ---------------------------------------------------------------------------------------

    def start(self, notify: Callable[[], None] | None = None) -> None:
        """Start the engine; `notify` is called from other threads when `pump` has work."""
        self._backstage.notify = notify
        self._scheduler.start(self._backstage.wake)

    def pump(self) -> None:
        """Take in what the engine and the file thread have to say."""
        self._backstage.pump()
        self._scheduler.pump()
        self._advance()

    def wait(self, seconds: float | None = None) -> None:
        """Run until nothing is left to do, or for at most `seconds`; for scripts and tests."""
        until = None if seconds is None else clock.seconds() + seconds
        self.pump()
        while self.busy and (until is None or clock.seconds() < until):
            self._backstage.wait(0.05)
            self.pump()

    def close(self, *, keep_work: bool = False) -> None:
        """End the engine and give up the workspace; `keep_work` leaves it for recovery."""
        self._scheduler.close()
        self._backstage.close(lambda: self._storage.close(remove=not keep_work))

    def reload_plugins(self, *, safe_mode: bool | None = None) -> None:
        """Start the engine anew, with the plugins there are now; `catalogue_changed` tells them.

        `safe_mode` leaves all but the built-in ones out from now on, or takes them in again.
        """
        wanted = self.options.safe_mode if safe_mode is None else safe_mode
        options = replace(self.options, safe_mode=wanted)
        self._scheduler.renew(options)
        self.options = options
        self.options.catalogue_file.unlink(missing_ok=True)
        self._cache = self._catalogue_cache()

    @property
    def busy(self) -> bool:
        """Whether anything is running or waiting to run."""
        waiting = self._runs.pending or self._exports.pending or self._maps.pending
        waiting = waiting or self._sweeps.pending or self._repeats.pending
        return waiting or self.running is not None or self._backstage.busy

    # What is there ------------------------------------------------------------------------------

    @property
    def recipe(self) -> Recipe:
        """The recipe of the project."""
        return self._edits.recipe

    @property
    def title(self) -> str:
        """What the project is called."""
        return Kept(self.recipe, path=self.path).title

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, the newest last."""
        return tuple(self._scheduler.jobs.values())

    @property
    def running(self) -> Job | None:
        """The job that is running, or None."""
        return self._scheduler.running

    def status(self, name: str) -> Status:
        """Return how things stand with a step or source."""
        part = self.recipe.find(name)
        if self.running is not None and self.running.step == name:
            return Status.RUNNING
        if self._runs.is_waiting(name):
            return Status.WAITING
        if (off := self.recipe.off().get(name)) is not None:
            return Status.OFF if off == name else Status.BLOCKED
        if self._runs.failure(name) is not None:
            return Status.FAILED
        if isinstance(part, Step) and self.catalogue.methods and part.use not in self.catalogue:
            return Status.BROKEN
        if not self._results.is_computed(name):
            return Status.MISSING
        return Status.FRESH if self._results.is_fresh(name) else Status.STALE

    def failure(self, name: str) -> Failure | None:
        """Return why a step failed, if it did."""
        return self._runs.failure(name)

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the parts, such as "trace", that a step published beside its main result."""
        return self._results.parts(name)

    def key(self, name: str, part: str = "") -> str | None:
        """Return the key of a step's newest artefact, or of a part of it."""
        return self._results.key(name, part)

    def artefact(self, name: str, part: str = "") -> Any:
        """Return a step's newest artefact, fresh or stale, or None.

        One that is still in the project file is brought to the workspace first: then this returns
        None, and `step_changed` tells when it is there.
        """
        key = self._results.key(name, part)
        if key is None:
            return None
        if key not in self._storage.workspace:
            self._runs.bring(name, (key,))
            return None
        try:
            return self._results.noun(key)
        except WorkspaceError as error:
            self._results.drop(name)
            self.logged.emit(f"{name}: {error}")
            return None

    def fetch(self, name: str, part: str = "") -> Any:
        """Return a step's newest artefact, waiting for the project file if need be."""
        noun = self.artefact(name, part)
        while noun is None and self._backstage.busy:
            self._backstage.wait(0.05)
            self.pump()
            noun = self.artefact(name, part)
        return noun

    def provenance(self, name: str) -> dict[str, Any]:
        """Return how a step's newest artefact came about; empty when it is not in reach."""
        key = self._results.key(name)
        if key is None or key not in self._storage.workspace:
            return {}
        try:
            return dict(self._results.provenance(key))
        except WorkspaceError:  # damaged: told, and made anew, when the result itself is asked for
            return {}

    def shape_in_file(self, name: str) -> str:
        """Return how large a step's artefact in the project file is, without reading it."""
        key, opened = self._results.key(name), self._storage.opened
        entry = opened.entries.get(key or "") if opened is not None else None
        if entry is None:
            return ""
        if entry.value is not None:
            return f"{entry.value:.4g}"
        return " × ".join(map(str, entry.shape))

    # Editing ------------------------------------------------------------------------------------

    def edit(self, recipe: Recipe, what: str) -> None:
        """Replace the recipe, as one step that can be undone."""
        recipe.check()
        self._edits.do(recipe, what)
        self.touch()

    @property
    def named(self) -> NamedSelections:
        """The selections that were given a name."""
        return self._edits.named

    def keep_named(self, named: NamedSelections, what: str) -> None:
        """Replace the named selections, as one step that can be undone."""
        self._edits.do(None, what, named)
        self.touch()

    def edit_view(self, name: str, value: Any, what: str) -> None:
        """Replace a part of the view that is work, as one step that can be undone; None removes it.

        The value is plain JSON and is not changed afterwards.
        """
        before = self.view.get(name)
        if value == before:
            return
        self._edits.note(name, before, value, what)
        self._take_notes()
        self.touch()

    def touch(self) -> None:
        """Note that something changed that is to be saved: it is autosaved before this returns."""
        self.modified = True
        self._refresh()
        self._keep_state()
        self.recipe_changed.emit()

    @property
    def can_undo(self) -> str:
        """What would be undone; empty when nothing can."""
        return self._edits.can_undo

    @property
    def can_redo(self) -> str:
        """What would be done again; empty when nothing can."""
        return self._edits.can_redo

    def undo(self) -> None:
        """Take the last edit back; results that still exist are fresh again at once."""
        self._edits.undo()
        self._take_notes()
        self.touch()

    def redo(self) -> None:
        """Do the last undone edit again."""
        self._edits.redo()
        self._take_notes()
        self.touch()

    def add_step(self, use: str, of: tuple[str, ...] | None = None) -> str:
        """Add a step at the end, on the latest inputs that fit, and return its name."""
        method = self.catalogue.get(use)
        inputs = fitting_inputs(self.recipe, self.catalogue, method) if of is None else of
        name = self.recipe.free_name(method.id.rpartition(":")[2])
        self.edit(self.recipe.with_step(Step(name, use, inputs)), f"add {method.title}")
        return name

    def rename(self, name: str, new: str) -> str:
        """Give a step another name, which is returned; its result stays with it."""
        recipe, new = renamed(self.recipe, name, new), new.strip()
        if new != name:
            recipe.check()
            self._results.copy(name, new)
            moved = with_renamed_step(self.view, name, new)
            for note in moved:
                self._edits.know(note, self.view.get(note))
            self._edits.do(recipe, f"rename {name} to {new}", noted=moved)
            self._take_notes()
            self.touch()
        return new

    # Running ------------------------------------------------------------------------------------

    def run(self, *names: str, reread: bool = False) -> None:
        """Compute these steps (without names: all that are on) and what they need, unless fresh.

        `reread` looks at the sources' files again, in case they have changed.
        """
        for name in names:
            refuse_off(self.recipe, name)
        off = self.recipe.off()
        wanted = self.recipe.ancestors(names or self.recipe.names)
        wanted = tuple(name for name in wanted if name not in off)
        if reread:
            self._runs.reread(s.name for s in self.recipe.sources if s.name in wanted)
        self._runs.add(wanted)
        self._runs.advance(self.recipe, self.catalogue)

    def cancel(self) -> None:
        """Stop what runs and forget what waits."""
        self._runs.clear()
        self._exports.clear()
        self._maps.clear()
        self._sweeps.clear()
        self._repeats.clear()
        self._scheduler.cancel()

    def pause(self) -> None:
        """Hold the running job."""
        self._scheduler.pause()

    def resume(self) -> None:
        """Let the held job go on."""
        self._scheduler.resume()

    def step_once(self) -> None:
        """Let the held job do one iteration."""
        self._scheduler.step_once()

    def set_speed(self, frames_per_second: float) -> None:
        """Slow this run, and those to come, down to so many iterations a second; 0: full speed."""
        self._scheduler.set_speed(frames_per_second)

    def estimate(self, name: str) -> None:
        """Ask what a step would take; the answer comes by `estimated`, once its inputs exist."""
        try:
            order = self._runs.order(name, self.recipe, self.catalogue)
        except CoterieError as error:
            self.estimated.emit(name, str(error))
            return
        if all(key in self._storage.workspace for key in order.inputs):
            self._scheduler.estimate(name, order)

    def preview(self, path: Path, reader: str, params: Mapping[str, Any]) -> int:
        """Ask for the first lines of a file as a reader takes them.

        The answer comes by `previewed`, with the number that is returned here; only the newest
        question is answered.
        """
        return self._scheduler.preview(Order(use=reader, params=dict(params), path=str(path)))

    def preview_step(self, name: str, params: Mapping[str, Any], items: int = 500) -> None:
        """Ask how a step would turn out with other parameters, on at most `items` items.

        The answer comes by `step_previewed`, once the step's inputs exist. While one is worked
        out, only the newest question waits.
        """
        try:
            changed = self.recipe.changed(name, params=dict(params))
            order = self._runs.order(name, changed, self.catalogue)
        except CoterieError as error:
            self.step_previewed.emit(name, str(error))
            return
        if all(key in self._storage.workspace for key in order.inputs):
            self._scheduler.step_previews.ask(name, order, items)

    def sweep(self, plan: SweepPlan) -> None:
        """Run a step with many settings and keep the scores; `swept` tells the table as it fills.

        `cancel` ends it; what is scored stays. Nothing of the project changes.
        """
        self._sweeps.start(plan, self.recipe, self.catalogue)
        self._advance()

    def repeat(self, plan: RepeatPlan) -> None:
        """Learn a classifier again from other samples, each judged by a mask.

        `repeated` tells the table as it fills; `cancel` ends it, and what is judged stays. Nothing
        of the project changes.
        """
        self._repeats.start(plan, self.recipe, self.catalogue)
        self._advance()

    # Files --------------------------------------------------------------------------------------

    def open(self, what: str | Path) -> Future[Opened] | None:
        """Open a sample, a recipe, a project or a data file by its name.

        Opening a project takes a while, and its failure is in the future that is returned.
        """
        path = Path(what).absolute()
        if path.name.endswith(".coterie.h5"):
            return self.open_project(path)
        self.load_recipe(recipe_to_open(str(what), self.catalogue))
        return None

    def load_recipe(self, recipe: Recipe) -> None:
        """Begin a new project with this recipe."""
        recipe.check()
        self._begun_at_once += 1
        self._asked_to_begin += 1
        self._backstage.do_quietly(self._storage.forget_file)
        self._begin(Kept(recipe, modified=bool(recipe.sources)))

    def open_project(self, path: Path, *, lock: bool = True) -> Future[Opened]:
        """Open a project file; the recipe is there when the future is done and `pump` was called.

        What is open stays open when the file turns out to be wrong.
        """
        before = self._begun_at_once
        self._asked_to_begin += 1

        found: dict[str, Path] = {}
        inside: dict[str, Path] = {}

        def action() -> Opened:
            opened = self._storage.open(path, lock=lock, understand=Kept.from_file)
            kept = Kept.from_file(opened)
            found.update(moved_scenes(self._storage, kept))
            inside.update(take_out(self._storage, kept.with_files(found)))
            return opened

        def done(opened: Opened) -> None:
            if self._begun_at_once == before:  # else a recipe was loaded while the file was opened
                self._begin(Kept.from_file(opened).with_files(found))
                self._runs.places.update(inside)
                for name, place in found.items():
                    self.logged.emit(f"{name}: its file was moved, and found at '{place}'.")

        return self._backstage.do(str(path), action, done)

    def reserve(self, path: Path) -> Future[None]:
        """Keep the place where the project is to be saved from being taken by another window."""
        return self._backstage.do(
            str(path), lambda: self._storage.reserve(path), lambda nothing: nothing
        )

    def save(self, path: Path | None = None) -> Future[Opened]:
        """Save the project; `saved` tells when that is done."""
        if path is None and self.path is None:
            raise ProjectFileError("The project has no file yet. Say where to save it.")
        target = Path(path or self.path or "").absolute()
        kept, edits, named = self._kept(), self._edits, self.named
        noted = edits.noted

        def done(_: Opened) -> None:
            if self._edits is not edits:
                return  # another project was begun while this one was written
            self.path = target
            # A step that was running goes on while the file is written.
            now = self._kept()
            edited = now.recipe is not kept.recipe or self.named is not named
            edited = edited or edits.noted != noted
            self.modified = edited or now.computed != kept.computed
            self._keep_state()
            self.saved.emit(target)
            self.recipe_changed.emit()

        def write() -> Opened:
            # Now, as the file that holds some of it may have been opened since.
            in_reach = replace(kept, computed=self._results.in_reach(kept.computed))
            return self._storage.save(target, in_reach.for_file(target))

        return self._backstage.do(str(target), write, done)

    def export(
        self,
        name: str,
        path: Path,
        writer: str = "",
        params: Mapping[str, Any] | None = None,
        part: str = "",
    ) -> None:
        """Write a step's newest result, or a part of it, to a file of another program.

        The ending of `path` chooses the writer unless one is named. The engine does the work;
        `exported` tells when the file is there, `export_failed` when there will be none.
        """
        self.recipe.find(name)
        export = Export(name, path, writer, part, params or {})
        self._exports.add(export, self.catalogue, self.recipe)
        self._exports.advance()

    def classify(self, request: MapRequest) -> None:
        """Classify a whole scene with a classifier step of the recipe, and write the map.

        The engine does the work, tile by tile; `mapped` tells the map and remarks on it when it is
        there, `map_failed` when there will be none. A cancelled run goes on where it stopped when
        it is asked for again.
        """
        self._maps.add(request, self.recipe, self.catalogue)
        self._maps.advance()

    def recover(self, folder: Path) -> Future[Kept]:
        """Restore the work of a session that ended without closing.

        Its results may have to be copied: the work is there when the future is done, which tells of
        a failure too. If another project is asked for meanwhile, the work stays where it is.
        """
        self._asked_to_begin += 1
        asked = self._asked_to_begin
        adoption = Adoption(self._storage, folder, Kept.from_state)
        recovered: Future[Kept] = Future()

        def done(_: None) -> None:
            try:
                if self._asked_to_begin != asked:
                    raise WorkspaceError(
                        "Another project was opened meanwhile. The work is offered again at the "
                        "next start."
                    )
                adoption.keep()
            except WorkspaceError as error:
                adoption.leave()
                recovered.set_exception(error)
                return
            self._begun_at_once += 1
            self._go_on_with(adoption.meaning)
            self._backstage.do(f"clear {folder}", adoption.clear, lambda nothing: nothing)
            recovered.set_result(adoption.meaning)

        taking = self._backstage.do(str(folder), adoption.take, done)
        taking.add_done_callback(lambda taken: _pass_failure(taken, recovered))
        return recovered

    def _go_on_with(self, kept: Kept) -> None:
        """Take over restored work."""
        if (path := kept.path) is not None:
            # First, as the artefacts that nobody had looked at are in the project file alone.
            self._backstage.do(str(path), lambda: self._storage.go_back_to(path), self._on_back)
        self._begin(kept)
        if any(FILE in computed.parts for computed in kept.computed.values()):
            self._backstage.do(
                "kept files", lambda: take_out_again(self._storage, kept), self._on_taken_out
            )

    # What others report -------------------------------------------------------------------------

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        if catalogue == self.catalogue:
            return  # as it was found in the cache
        self.catalogue = catalogue
        self._backstage.do_quietly(lambda: self._cache.write(catalogue))
        self._refresh()
        self.catalogue_changed.emit()

    def _on_finished(self, job: Job, message: Finished) -> None:
        if self._find(job.step) is None:
            return  # the step was removed while it ran
        request = ""
        if isinstance(part := self._runs.ordered(job.step), Source):
            request = request_of(part, reader_of(part, self.catalogue))
        parts = dict(message.parts)
        if self._results.key(job.step) == message.key and self.files.is_embedded(job.step):
            parts[FILE] = part_key(message.key, FILE)
        computed = Computed(message.key, parts, request)
        self.modified |= self._results.take(job.step, computed)
        self._runs.done(job.step)
        for note in message.notes:
            self.logged.emit(f"{job.step}: {note}")
        self._refresh()
        self._keep_state()
        self._announce([job.step])
        named = self._results.keys()
        self._backstage.do_quietly(lambda: self._storage.workspace.evict(named, self._quota))

    def _on_failed(self, job: Job, message: Failed) -> None:
        if self._find(job.step) is None:
            return
        known = job.component in self.catalogue
        origin = self.catalogue.get(job.component).origin if known else ""
        failure = Failure(
            job.step, message.error, message.traceback, job.component, origin, tuple(message.offer)
        )
        self._runs.fail(failure, self.recipe)

    def _on_cancelled(self, job: Job) -> None:
        self._announce([job.step])

    # Inside -------------------------------------------------------------------------------------

    def _catalogue_cache(self) -> CatalogueCache:
        options = self.options
        return CatalogueCache(
            options.catalogue_file, options.plugin_folders, safe_mode=options.safe_mode
        )

    def _advance(self) -> None:
        """Start what comes next. Twice, as a sweep may ask for steps, which may fail at once."""
        for _ in range(2):
            self._runs.advance(self.recipe, self.catalogue)
            self._exports.advance()
            self._maps.advance()
            self._sweeps.advance()
            self._repeats.advance()

    def _take_notes(self) -> None:
        for name, value in self._edits.noted.items():
            if value is None:
                self.view.pop(name, None)
            else:
                self.view[name] = value

    def _find(self, name: str) -> Source | Step | None:
        return next((part for part in self.recipe.parts if part.name == name), None)

    def _begin(self, kept: Kept) -> None:
        """Take over a project, in the place of the present one."""
        self._runs.clear()
        self._exports.clear()
        self._maps.clear()
        self._sweeps.clear()
        self._repeats.clear()
        self._scheduler.disown()
        view = dict(kept.view)
        self._edits = Edits(kept.recipe, NamedSelections.from_json(view.pop(SELECTIONS, None)))
        self._results.begin(kept.computed)
        self._runs.begin(kept.unconfirmed)
        self.path, self._created, self.view = kept.path, kept.created, view
        self.modified = kept.modified
        self.selection.set_size(0)
        self._refresh()
        self._keep_state()
        self.recipe_changed.emit()

    def _on_taken_out(self, places: dict[str, Path]) -> None:
        self._runs.places.update(places)
        self._results.forget(self._results.keys())
        self._announce(places)

    def _on_back(self, problem: str) -> None:
        if problem:
            self.logged.emit(f"Of the restored work, some is missing: {problem}")
        self._keep_state()
        self._announce(self.recipe.names)

    def _kept(self) -> Kept:
        return Kept(
            self.recipe,
            self._results.computed(self.recipe.names),
            self.path,
            self._created,
            {**self.view, **({SELECTIONS: self.named.as_json()} if self.named.names else {})},
            self.modified,
            frozenset(self._runs.unconfirmed),
        )

    def _refresh(self) -> None:
        self._runs.forgive(self._results.refresh(self.recipe, self.catalogue))

    def _announce(self, names: Iterable[str]) -> None:
        """Emit `step_changed` for these and for all that depends on them."""
        changed = dict.fromkeys(name for name in names if self._find(name))
        for name in tuple(changed):
            changed |= dict.fromkeys(step.name for step in self.recipe.dependents(name))
        if self.recipe.sources and self.selection.n not in self._sizes():
            dataset = self.artefact(self.recipe.sources[0].name)
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
        here = (n for n in names if (self._results.key(n) or "") in self._storage.workspace)
        found = (self.artefact(name) for name in here)
        return {data.n for data in found if isinstance(data, Dataset) and not data.on_disk}

    def _keep_state(self) -> None:
        try:
            self._storage.keep_state(self._kept().for_state())
        except WorkspaceError as error:
            self.logged.emit(str(error))


def _pass_failure(taken: Future[None], recovered: Future[Kept]) -> None:
    error = taken.exception()
    if error is not None:
        recovered.set_exception(error)
